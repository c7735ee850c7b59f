#ifndef XPROF_UNWIND_CODE_ROWS_H
#define XPROF_UNWIND_CODE_ROWS_H

/*
 * The rows of a function that has no CFI, made from its instructions: what each
 * does to the stack pointer, and where it saves the registers that belong to the
 * caller, is followed along all ways through the function. Where two ways meet
 * that do not agree, or none is known to lead, nothing is known.
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/cfi/cfi_program.h"

/* Larger ones are not read. */
enum { CODE_ROWS_MAX_BYTES = 1 << 18 };

/* The bytes of a function. Where it is not known where it ends, other functions may follow. */
struct code_function_bytes {
	const uint8_t *bytes;
	size_t size;
	uint64_t start; /* vaddr */
	bool ends_there;
};

/*
 * Hands out the rows of the function, as cfi_program_run() does: the first at its start. All its rules are `by_code`,
 * but for that which says that nothing is known.
 */
void code_rows_make(const struct code_function_bytes *function, const struct unwind_arch *arch,
		    struct rule_pool *pool, cfi_row_visit *visit, void *context);

#endif
