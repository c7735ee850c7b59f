#ifndef XPROF_REPORT_LOAD_JIT_DUMPS_H
#define XPROF_REPORT_LOAD_JIT_DUMPS_H

/*
 * The jitdump files of a recording. A run-time compiler maps the file that it
 * writes, executable, for nothing but to have its name in the recording; what
 * the file says of the process's code goes to the process table then.
 */

#include "format/event.h"
#include "process/process_table.h"
#include "symbol/object_needs.h"
#include "symbol/recorded_file.h"
#include "unwind/process/dso_modules.h"
#include "unwind/unwind_stack.h"

struct jit_dumps;

/* The search and its strings are borrowed and outlive them. */
struct jit_dumps *jit_dumps_create(const struct debug_file_search *search);
void jit_dumps_destroy(struct jit_dumps *dumps);

/*
 * After a MMAP or MMAP2 record was applied to the table: when it maps a jitdump
 * file that can be read, so is the code. `is_monotonic`: the recording's clock is
 * the one that jitdump files have, so that of code that took turns at an address
 * the right one is found; else it is always the last.
 */
void jit_dumps_apply(struct jit_dumps *dumps, struct process_table *processes, const struct event *event,
		     uint64_t time_ns, bool is_monotonic);

/* Of how many files the last code stood in for code that was at the same addresses before, for want of their clock. */
size_t jit_dumps_unclear_count(const struct jit_dumps *dumps);

/* All that could be read, whether their code was sampled or not: what is made of them depends on it. */
void jit_dumps_tell_needs(const struct jit_dumps *dumps, const struct process_table *processes,
			  struct object_needs *needs);

/* NULL for a DSO that is none of them. Lives as long as the dumps. */
const struct jitdump *jit_dumps_of(const struct jit_dumps *dumps, const struct dso *dso);

/*
 * Fills in module and bias of a piece of code that lies in one of the files; the first instruction has vaddr 0. `recorded`
 * is the machine of a file whose header names none; may be NULL. Leaves `found` as it is where there is no such code, or of
 * an unknown machine.
 */
void jit_dumps_find_module(const struct jit_dumps *dumps, struct dso_modules *modules,
			   const struct unwind_arch *recorded, const struct mapping *mapping,
			   struct unwind_mapping *found);

#endif
