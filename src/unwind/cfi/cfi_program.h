#ifndef XPROF_UNWIND_CFI_PROGRAM_H
#define XPROF_UNWIND_CFI_PROGRAM_H

/*
 * Runs call frame instructions (DWARF 5, section 6.4.2; the extensions of GNU and of the Arm 64-bit
 * Architecture) once, from the first to the last, and calls a function for every row of the table.
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/cfi/cfi_section.h"

/*
 * Rule number `rule` is valid from vaddr `start` to the start of the next row, the last one to the end of the
 * FDE. The first start is that of the FDE, and starts ascend; equal neighbours are merged.
 */
typedef void cfi_row_visit(void *context, uint64_t start, uint32_t rule);

/* If the program is damaged, a row with RULE_POOL_NO_CFI covers the rest of the range. */
void cfi_program_run(const struct cfi_section *section, const struct cfi_cie *cie, const struct cfi_fde *fde,
		     const struct unwind_arch *arch, struct rule_pool *pool, cfi_row_visit *visit,
		     void *context);

#endif
