#ifndef XPROF_UNWIND_UNWIND_RULE_H
#define XPROF_UNWIND_UNWIND_RULE_H

/*
 * How to get from a frame to its caller: one row of the call frame table
 * (DWARF 5, section 6.4.1), decoded into a small value. Each kind has its
 * equation beside it; regs[] are the callee's registers, *x is a word of the
 * stack at address x (8 bytes, 4 of 32-bit programs).
 *
 * Rules are immutable once made, interned per module (a library of a million
 * rows has a few thousand) and live as long as their module.
 */

#include <stdbool.h>
#include <stddef.h>
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
	RULE_UNSPECIFIED,   /* the CFI says nothing: what the ABI says */
	RULE_UNDEFINED,     /* not recoverable; of the return address: there is no caller */
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
	uint8_t column; /* whose value it gives */
	uint8_t zero;
	int32_t value;
};

/* Steps that the unwinder can take without reading the rest of the rule. */
enum unwind_path {
	PATH_NO_CFI,  /* nothing is known about this address */
	PATH_ROOT,    /* the return address is undefined: there is no caller */
	PATH_SP,      /* CFA = sp + value, return address on the stack, fp kept or on the stack */
	PATH_FP,      /* CFA = fp + value, else the same */
	PATH_LIGHT,   /* anything else that needs pc, sp and fp alone */
	PATH_GENERAL, /* needs other registers, or is a signal frame, which restores them all */
};

struct unwind_rule {
	struct cfa_rule cfa;
	struct register_rule ra;
	struct register_rule fp;
	const struct register_rule *others; /* the specified ones of all other columns, by number */
	uint8_t path;                       /* enum unwind_path */
	uint8_t other_count;
	bool signal_frame; /* the caller was interrupted: its pc is no return address */
	bool unproved;     /* it may be that the stack pointer is on another stack already */
	bool by_code;      /* made from the function's instructions (code_rows.h), for want of CFI */
	bool assumed; /* of such a rule: a call may have moved the stack pointer, or it is not known where a jump leads */
	bool tail; /* of code that was not seen to return: counts if it leads behind a call of this very code */
	bool jumps; /* leads not to the caller, but to where the code goes on, as far away as `ra` says */
	bool changes_stack; /* the caller is on another stack, above or below this one */
	bool begins_stack;  /* where it leads to no caller, none is on this stack */
	bool not_called;    /* nothing has called from there: what is returned to is a first instruction */
	bool frame_pointer; /* the frame-pointer step: CFA = fp + 2 words, fp lies at its begin, the return address behind */
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
