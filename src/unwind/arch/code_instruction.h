#ifndef XPROF_UNWIND_CODE_INSTRUCTION_H
#define XPROF_UNWIND_CODE_INSTRUCTION_H

/*
 * The effect of one instruction on the state that unwinding needs: where control continues, and which
 * registers it moves, saves, restores or overwrites. Registers have DWARF numbers. Any effect that is none of
 * the kinds below makes the register unknown, so that an unforeseen instruction costs knowledge but never
 * makes it wrong.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_flow {
	CODE_NEXT,         /* goes on behind itself */
	CODE_CALL,         /* the same, when what it calls returns */
	CODE_BRANCH,       /* or at `target` */
	CODE_JUMP,         /* at `target` */
	CODE_JUMP_UNKNOWN, /* where a register or memory says */
	CODE_END,          /* nowhere in this function: a return, a trap */
};

enum code_effect_kind {
	CODE_SET,  /* regs[reg] = regs[base] + value */
	CODE_LOAD, /* regs[reg] = *(regs[base] + value) */
	CODE_STORE, /* *(regs[base] + value) = regs[reg]; `size_bytes` of something else with CODE_NO_REGISTER */
	CODE_LOSE, /* regs[reg] is something else from here on */
};

enum { CODE_NO_REGISTER = 0xff };

struct code_effect {
	uint8_t kind; /* enum code_effect_kind */
	uint8_t reg;
	uint8_t base;
	uint8_t size_bytes; /* of a store */
	int32_t value;
};

enum { CODE_MAX_EFFECTS = 12 };

struct code_instruction {
	uint8_t size_bytes;
	uint8_t flow; /* enum code_flow */
	uint8_t effect_count;
	bool has_target; /* of a branch or jump, and of a call whose goal is known */
	bool names_code; /* `target` is an address that it makes: perhaps that of a function */
	bool names_page; /* `target` is one from its own page on, whose start goes to the register of its one effect */
	bool has_constant; /* the same of `constant`, where code is not position-independent */
	bool is_padding;   /* does nothing: what compilers put between functions */
	uint64_t constant;
	int64_t target;                               /* from its first byte on */
	struct code_effect effects[CODE_MAX_EFFECTS]; /* in the order in which they happen */
};

/* False for bytes that are no instruction, and where the library that reads them was not there at build time. */
bool code_instruction_x86_64(const uint8_t *bytes, size_t size, struct code_instruction *instruction);
bool code_instruction_i386(const uint8_t *bytes, size_t size, struct code_instruction *instruction);
bool code_instruction_aarch64(const uint8_t *bytes, size_t size, struct code_instruction *instruction);

#endif
