#ifndef XPROF_UNWIND_DWARF_EXPR_H
#define XPROF_UNWIND_DWARF_EXPR_H

/*
 * DWARF expressions (DWARF 5, section 2.5) as call frame information uses them
 * (section 6.4.2.1: no operation that needs debugging information). Most are one of three simple
 * shapes, which become plain rules; the rest are evaluated.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/arch/stack_memory.h"
#include "unwind/arch/unwind_arch.h"

struct dwarf_expr {
	const uint8_t *bytes;
	size_t size;
	bool swap;     /* byte order of the operands: that of the file */
	bool is_32bit; /* addresses have 4 bytes */
};

/* The known registers and memory of a frame. */
struct unwind_registers {
	uint64_t value[UNWIND_REGISTER_COUNT]; /* by DWARF number */
	uint64_t known;                        /* bit n: value[n] is known */
};

/* Ends of an evaluation other than success. */
enum dwarf_expr_result {
	DWARF_EXPR_OK,
	DWARF_EXPR_UNKNOWN_REGISTER,
	DWARF_EXPR_NO_MEMORY, /* *value is the address that could not be read */
	DWARF_EXPR_INVALID,   /* unknown operation, stack empty or too deep, too many steps */
};

/*
 * `first`, if not NULL, is pushed before the first operation: the CFA, for the rules of registers. *value is
 * the result or, with DWARF_EXPR_NO_MEMORY, the address that could not be read.
 */
enum dwarf_expr_result dwarf_expr_evaluate(const struct dwarf_expr *expr, const struct unwind_registers *regs,
					   const struct stack_memory *memory, const uint64_t *first,
					   uint64_t *value);

/*
 * The CFA rule that equals the expression; of kind CFA_EXPRESSION (value 0) if it has none of the simple
 * shapes.
 */
struct cfa_rule dwarf_expr_cfa_rule(const struct dwarf_expr *expr, const struct unwind_arch *arch);

/* If the expression computes register + offset, stores both and returns 0; otherwise returns -1. */
int dwarf_expr_register_offset(const struct dwarf_expr *expr, uint8_t *reg, int32_t *offset);

/* The registers that the expression uses; bit n: register n. All bits if it cannot be decoded completely. */
uint64_t dwarf_expr_registers(const struct dwarf_expr *expr);

#endif
