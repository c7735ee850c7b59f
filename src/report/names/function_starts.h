#ifndef XPROF_REPORT_NAMES_FUNCTION_STARTS_H
#define XPROF_REPORT_NAMES_FUNCTION_STARTS_H

/*
 * Where functions without a name begin. A stripped file has no symbols, but it still has call frame information: one
 * FDE for each function. All addresses that an FDE covers are taken for one function, which begins where the FDE does.
 * Not thread-safe.
 */

#include <stdint.h>

#include "elf/debug_file.h"
#include "process/dso.h"
#include "symbol/object_needs.h"

struct function_starts;

/* The search is borrowed. `needs` gets the FDEs that are found, so that an archive keeps them; may be NULL. */
struct function_starts *function_starts_create(const struct debug_file_search *search,
					       struct object_needs *needs);
void function_starts_destroy(struct function_starts *starts);

/*
 * Both are file offsets. 1, or 0 if the DSO is not a file, cannot be opened, or has no FDE there. Opens the DSO's file on
 * the first call for it.
 */
int function_starts_find(struct function_starts *starts, const struct dso *dso, uint64_t file_offset,
			 uint64_t *start);

#endif
