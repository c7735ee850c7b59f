#ifndef XPROF_UNWIND_EXIT_REGISTERS_H
#define XPROF_UNWIND_EXIT_REGISTERS_H

/*
 * Registers and stack words while instructions are followed to a return (code_exit.h). Their values are unknown, so they
 * are expressed as offsets from the registers at the instruction where the search began, called the start here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/arch/unwind_arch.h"

enum exit_value_kind {
	EXIT_UNKNOWN,
	EXIT_KEPT, /* its value at the start */
	EXIT_PLACE, /* base + offset; base is a register at the start (sp, fp, or one in which sp is kept), or EXIT_KEPT_SP */
	EXIT_LOADED, /* *(base + offset) */
};

/* Pseudo-register: the old stack pointer, which was saved in memory while the frame was aligned. */
enum { EXIT_KEPT_SP = UNWIND_REGISTER_COUNT };

struct exit_value {
	uint8_t kind; /* enum exit_value_kind */
	uint8_t base;
	uint8_t size_bytes; /* of a store */
	uint8_t saved;      /* for a store: the register whose value at the start it saved, or
			       CODE_NO_REGISTER */
	bool assumed;       /* valid only if callees left it unchanged */
	int32_t offset;
};

enum { EXIT_MAX_STORES = 48 }; /* different stack words that are written on the path */

struct exit_registers {
	const struct unwind_arch *arch;
	struct exit_value value[UNWIND_REGISTER_COUNT];
	struct exit_value kept_sp; /* the place from which it was loaded; EXIT_UNKNOWN: it was not loaded */
	bool after_call; /* there was a call: the stack pointer is right only if the callee did not pop its
			    arguments */
	size_t store_count;
	struct exit_value stores[EXIT_MAX_STORES]; /* last member, so that copies need only the first
						      `store_count` */
};

/* Sets all registers to their values at the start. */
void exit_registers_begin(struct exit_registers *registers, const struct unwind_arch *arch);

void exit_registers_apply(struct exit_registers *registers, const struct code_effect *effect);

/*
 * The callee preserves the registers that its ABI demands. In rare cases it pops its arguments when it
 * returns. A frame pointer that was set before stays valid.
 */
void exit_registers_apply_call(struct exit_registers *registers);

/* Is it the value of register `reg` at the start? */
bool exit_value_is_unchanged(const struct exit_value *value, uint8_t reg);

#endif
