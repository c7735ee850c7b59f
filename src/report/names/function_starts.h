#ifndef XPROF_REPORT_NAMES_FUNCTION_STARTS_H
#define XPROF_REPORT_NAMES_FUNCTION_STARTS_H

/*
 * Finds the start of functions without names. A stripped file has no symbols, but it still has call frame
 * information: one FDE for each function. All addresses that an FDE covers count as one function. Not
 * thread-safe.
 */

#include <stdint.h>

#include "elf/debug_file.h"
#include "process/dso.h"
#include "symbol/object_needs.h"

struct function_starts;

/* The search is borrowed. The FDEs found are added to `needs`, so that an archive keeps them; may be NULL. */
struct function_starts *function_starts_create(const struct debug_file_search *search,
					       struct object_needs *needs);
void function_starts_destroy(struct function_starts *starts);

/*
 * `file_offset` and *start are file offsets. Returns 1, or 0 if the DSO is not a file, cannot be opened, or
 * has no FDE there. The first call for a DSO opens its file.
 */
int function_starts_find(struct function_starts *starts, const struct dso *dso, uint64_t file_offset,
			 uint64_t *start);

#endif
