#ifndef XPROF_UNWIND_UNWIND_RULE_H
#define XPROF_UNWIND_UNWIND_RULE_H

/*
 * How to get from a frame to its caller: one row of the call frame table (DWARF 5, section 6.4.1), decoded
 * into a small value. Each kind has its equation beside it; regs[] are the callee's registers, *x is a word
 * of the stack at address x (8 bytes, 4 of 32-bit programs).
 *
 * Rules are immutable, interned by module (a library with a million rows has a few thousand), and live as
 * long as their module.
 */

#include <stdbool.h>
#include <stdint.h>

/* Registers have DWARF numbers; those above (vectors, system registers) are never needed to find a caller. */
enum { UNWIND_REGISTER_COUNT = 33 };

enum cfa_kind {
	CFA_UNSPECIFIED,
	CFA_REGISTER,    /* regs[reg] + value */
	CFA_AT_REGISTER, /* *(regs[reg] + value) + addend: realigned stacks, x86-64 signal frames, libcrypto */
	CFA_PLT,         /* regs[reg] + value + ((pc & mask) >= threshold ? 1 << shift : 0) */
	CFA_EXPRESSION,  /* expression number `value` */
};

struct cfa_rule {
	uint8_t kind; /* enum cfa_kind */
	uint8_t reg;
	int16_t addend; /* CFA_PLT: mask, threshold and shift, five bits each */
	int32_t value;
};

enum register_rule_kind {
	RULE_UNSPECIFIED,   /* not in the CFI: as the ABI says */
	RULE_UNDEFINED,     /* not recoverable; for the return address: there is no caller */
	RULE_SAME_VALUE,    /* regs[column] */
	RULE_AT_CFA,        /* *(CFA + value), DW_CFA_offset */
	RULE_CFA_PLUS,      /* CFA + value, DW_CFA_val_offset */
	RULE_REGISTER_PLUS, /* regs[reg] + value, DW_CFA_register */
	RULE_AT_REGISTER,   /* *(regs[reg] + value), the usual DW_CFA_expression */
	RULE_AT_EXPRESSION, /* *(expression number `value`), DW_CFA_expression */
	RULE_EXPRESSION,    /* expression number `value`, DW_CFA_val_expression */
};

struct register_rule {
	uint8_t kind; /* enum register_rule_kind */
	uint8_t reg;
	uint8_t column; /* the register that the rule restores */
	uint8_t zero;
	int32_t value;
};

/* Classes of rules by the steps that the unwinder can take without reading the rest of the rule. */
enum unwind_path {
	PATH_NO_CFI,  /* nothing is known about this address */
	PATH_ROOT,    /* the return address is undefined: there is no caller */
	PATH_SP,      /* CFA = sp + value, return address on the stack, fp kept or on the stack */
	PATH_FP,      /* CFA = fp + value, else the same */
	PATH_LIGHT,   /* any other rule that needs only pc, sp and fp */
	PATH_GENERAL, /* needs other registers, or is a signal frame, which restores them all */
};

struct unwind_rule {
	struct cfa_rule cfa;
	struct register_rule ra;
	struct register_rule fp;
	const struct register_rule *others; /* rules of the other columns that are specified, by column */
	uint8_t path;                       /* enum unwind_path */
	uint8_t other_count;
	bool signal_frame; /* the caller was interrupted: its pc is not a return address */
	bool unproved;     /* the stack pointer may be on another stack already */
	bool by_code;      /* made from instructions (code_rows.h), because there is no CFI */
	bool assumed; /* such a rule assumes that calls keep the stack pointer, or that a jump leads where it seems to */
	bool tail; /* the code was not seen to return: valid only if the rule leads behind a call of this code */
	bool jumps; /* leads not to the caller, but to code at the distance in `ra` where this code continues */
	bool changes_stack; /* the caller is on another stack, above or below this one */
	bool begins_stack;  /* if it leads to no caller, there is none on this stack */
	bool not_called;    /* the return address is the first instruction of a function, without a call in
			       front */
	bool frame_pointer; /* the frame-pointer step: CFA = fp + 2 words; the caller's fp at fp, the return address behind
			       it */
};

/* Of a CFA_PLT rule, from its addend. */
static inline uint32_t cfa_plt_mask(const struct cfa_rule *cfa)
{
	return (uint32_t)cfa->addend & 31;
}

static inline uint32_t cfa_plt_threshold(const struct cfa_rule *cfa)
{
	return (uint32_t)cfa->addend >> 5 & 31;
}

static inline uint32_t cfa_plt_shift(const struct cfa_rule *cfa)
{
	return (uint32_t)cfa->addend >> 10 & 31;
}

#endif
