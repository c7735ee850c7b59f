#ifndef XPROF_REPORT_LOAD_JIT_DUMPS_H
#define XPROF_REPORT_LOAD_JIT_DUMPS_H

/*
 * The jitdump files of a recording. A run-time compiler maps the file that it writes as executable, only to
 * get its name into the recording. The code that the file describes is added to the process table.
 */

#include "format/event.h"
#include "process/process_table.h"
#include "symbol/object_needs.h"
#include "symbol/recorded_file.h"
#include "unwind/process/dso_modules.h"
#include "unwind/unwind_stack.h"

struct jit_dumps;

/* The search and its strings are borrowed. */
struct jit_dumps *jit_dumps_create(const struct debug_file_search *search);
void jit_dumps_destroy(struct jit_dumps *dumps);

/*
 * Call it after a MMAP or MMAP2 record was applied to the table: if the record maps a readable jitdump
 * file, its code is added. `is_monotonic`: the recording has the same clock as jitdump files, so the
 * right code is found if several pieces were at one address one after the other; otherwise the last one
 * is taken.
 */
void jit_dumps_apply(struct jit_dumps *dumps, struct process_table *processes, const struct event *event,
		     uint64_t time_ns, bool is_monotonic);

/*
 * The number of files for which, because of different clocks, the last code at an address was taken for
 * earlier code, too.
 */
size_t jit_dumps_unclear_count(const struct jit_dumps *dumps);

/* Marks all files that could be read as needed, whether their code was sampled or not. */
void jit_dumps_tell_needs(const struct jit_dumps *dumps, const struct process_table *processes,
			  struct object_needs *needs);

/* The jitdump file of a DSO; NULL if it has none. Valid as long as the dumps. */
const struct jitdump *jit_dumps_of(const struct jit_dumps *dumps, const struct dso *dso);

/*
 * Sets module and bias in `found` for a mapping of code from one of the files, whose first instruction has
 * vaddr 0. `recorded` is the machine of files whose header names none; may be NULL. Leaves `found` unchanged
 * if the mapping is not such code, or its machine is unknown.
 */
void jit_dumps_find_module(const struct jit_dumps *dumps, struct dso_modules *modules,
			   const struct unwind_arch *recorded, const struct mapping *mapping,
			   struct unwind_mapping *found);

#endif
