#ifndef XPROF_UNWIND_EXIT_REGISTERS_H
#define XPROF_UNWIND_EXIT_REGISTERS_H

/*
 * Registers and words of the stack while instructions are followed to a return (code_exit.h), as sums with the registers at
 * the instruction where the search begins: their values are not known, but distances from them are.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/arch/unwind_arch.h"

enum exit_value_kind {
	EXIT_UNKNOWN,
	EXIT_KEPT, /* what it is now */
	EXIT_PLACE, /* base + offset, base being a register as it is now (sp, fp, or one that sp is kept in), or EXIT_KEPT_SP */
	EXIT_LOADED, /* *(base + offset) */
};

/* Pseudo-register: the old stack pointer, which was saved in memory while the frame was aligned. */
enum { EXIT_KEPT_SP = UNWIND_REGISTER_COUNT };

struct exit_value {
	uint8_t kind; /* enum exit_value_kind */
	uint8_t base;
	uint8_t size_bytes; /* of a store */
	uint8_t saved;      /* by a store: the register that had been kept up to there; CODE_NO_REGISTER */
	bool assumed;       /* if what was called on the way has left it where it was */
	int32_t offset;
};

enum { EXIT_MAX_STORES = 48 }; /* to different places of the stack, on the way */

struct exit_registers {
	const struct unwind_arch *arch;
	struct exit_value value[UNWIND_REGISTER_COUNT];
	struct exit_value kept_sp; /* where it was loaded from; EXIT_UNKNOWN: it was not */
	bool after_call; /* the stack pointer is where it was if what was called left the arguments there */
	size_t store_count;
	struct exit_value stores[EXIT_MAX_STORES]; /* last: only the first `store_count` need be copied */
};

/* All registers as they are at the first instruction. */
void exit_registers_begin(struct exit_registers *registers, const struct unwind_arch *arch);

void exit_registers_apply(struct exit_registers *registers, const struct code_effect *effect);

/*
 * The callee preserves the registers that its ABI demands. In rare cases it pops its arguments when it
 * returns. A frame pointer that was set before stays valid.
 */
void exit_registers_apply_call(struct exit_registers *registers);

/* Is it the value of register `reg` where the search begins? */
bool exit_value_is_unchanged(const struct exit_value *value, uint8_t reg);

#endif
