#ifndef XPROF_UNWIND_CODE_ROWS_H
#define XPROF_UNWIND_CODE_ROWS_H

/*
 * Makes the rows of a function without CFI from its instructions: follows, along all paths through the
 * function, how they change the stack pointer and where they save the caller's registers. Where paths that
 * meet disagree, or where no known path leads, nothing is known.
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/cfi/cfi_program.h"

/* Larger functions are not read. */
enum { CODE_ROWS_MAX_BYTES = 1 << 18 };

/* The bytes of a function. If its end is unknown, other functions may follow. */
struct code_function_bytes {
	const uint8_t *bytes;
	size_t size;
	uint64_t start; /* vaddr */
	bool ends_there;
};

/*
 * Calls `visit` for the rows of the function, as cfi_program_run() does; the first one is at its start. All rules are
 * `by_code`, except RULE_POOL_NO_CFI.
 */
void code_rows_make(const struct code_function_bytes *function, const struct unwind_arch *arch,
		    struct rule_pool *pool, cfi_row_visit *visit, void *context);

#endif
