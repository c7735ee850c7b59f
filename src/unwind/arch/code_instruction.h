#ifndef XPROF_UNWIND_CODE_INSTRUCTION_H
#define XPROF_UNWIND_CODE_INSTRUCTION_H

/*
 * The effect of one instruction on the state that unwinding needs: where control continues, and which
 * registers it moves, saves, restores or overwrites. Registers have DWARF numbers. Any other effect makes the
 * register unknown, so that an unforeseen instruction loses knowledge but never gives wrong results.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_flow {
	CODE_NEXT,         /* continues at the next instruction */
	CODE_CALL,         /* the same, after the callee returns */
	CODE_BRANCH,       /* continues at the next instruction or at `target` */
	CODE_JUMP,         /* at `target` */
	CODE_JUMP_UNKNOWN, /* continues at an address in a register or in memory */
	CODE_END,          /* does not continue in this function: a return, a trap */
};

enum code_effect_kind {
	CODE_SET,  /* regs[reg] = regs[base] + value */
	CODE_LOAD, /* regs[reg] = *(regs[base] + value) */
	CODE_STORE, /* *(regs[base] + value) = regs[reg]; with CODE_NO_REGISTER stores `size_bytes` of something
		       else */
	CODE_LOSE, /* regs[reg] has an unknown value from here on */
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
	bool has_target; /* `target` is set: for branches and jumps, and for calls with a known target */
	bool names_code; /* `target` is an address that the instruction computes, perhaps that of a function */
	bool names_page; /* `target` is a page, whose start is stored in the register of the only effect */
	bool has_constant; /* `constant` may be the address of a function, if code is not position-independent */
	bool is_padding; /* does nothing: what compilers put between functions */
	uint64_t constant;
	int64_t target;                               /* distance from its first byte */
	struct code_effect effects[CODE_MAX_EFFECTS]; /* in the order in which they happen */
};

/*
 * Decode one instruction. Return false if the bytes are not an instruction, or if xprof was built without the
 * library for this machine.
 */
bool code_instruction_x86_64(const uint8_t *bytes, size_t size, struct code_instruction *instruction);
bool code_instruction_i386(const uint8_t *bytes, size_t size, struct code_instruction *instruction);
bool code_instruction_aarch64(const uint8_t *bytes, size_t size, struct code_instruction *instruction);

#endif
