#ifndef XPROF_UNWIND_CFI_PROGRAM_H
#define XPROF_UNWIND_CFI_PROGRAM_H

/*
 * Runs call frame instructions (DWARF 5, section 6.4.2; the extensions of GNU
 * and of the Arm 64-bit Architecture) once from the first to the last, and
 * hands out every row of the table on the way.
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/cfi/cfi_section.h"

/*
 * Rule number `rule` holds from vaddr `start` up to the start of the next row,
 * the last one to the end of the FDE. Starts only grow; equal neighbours are
 * merged. Begins with the FDE's own start.
 */
typedef void cfi_row_visit(void *context, uint64_t start, uint32_t rule);

/* Where a program is damaged, the row with rule RULE_POOL_NO_CFI covers what is left of the range. */
void cfi_program_run(const struct cfi_section *section, const struct cfi_cie *cie, const struct cfi_fde *fde,
		     const struct unwind_arch *arch, struct rule_pool *pool, cfi_row_visit *visit,
		     void *context);

#endif
