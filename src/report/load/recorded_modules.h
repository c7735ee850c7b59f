#ifndef XPROF_REPORT_LOAD_RECORDED_MODULES_H
#define XPROF_REPORT_LOAD_RECORDED_MODULES_H

/* The unwind information of a recording's DSOs, read from the files that symbol/recorded_file.h finds. */

#include "process/process_table.h"
#include "symbol/object_needs.h"
#include "unwind/process/dso_modules.h"

/* The search and its strings are borrowed. */
struct dso_modules *recorded_modules_create(const struct debug_file_search *search);

/*
 * Marks everything that was read from the modules so far as needed: the first addresses of the FDEs that were
 * used, and the functions without CFI whose instructions were read.
 */
void recorded_modules_tell_needs(const struct dso_modules *modules, const struct process_table *processes,
				 struct object_needs *needs);

#endif
