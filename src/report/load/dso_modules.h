#ifndef XPROF_REPORT_LOAD_DSO_MODULES_H
#define XPROF_REPORT_LOAD_DSO_MODULES_H

/*
 * The unwind information of the DSOs of a recording: opened when a stack leads
 * there for the first time, and one for all that have the same build-id. Any thread may get modules.
 */

#include "elf/debug_file.h"
#include "process/dso.h"
#include "report/load/jit_dumps.h"
#include "unwind/module.h"

struct dso_modules;

/* The search and its strings, and the jitdump files (NULL: none), are borrowed and outlive the modules. */
struct dso_modules *dso_modules_create(const struct debug_file_search *search, const struct jit_dumps *dumps);
void dso_modules_destroy(struct dso_modules *modules);

/*
 * NULL where there is none: no file at all (JIT code), none that is what was recorded, or of an unknown machine. The DSO
 * may be a copy.
 */
struct module *dso_modules_get(struct dso_modules *modules, const struct dso *dso);

/*
 * Of the piece of code that lies at this offset in a jitdump file; *code_offset is where its first instruction does,
 * whose vaddr is 0. recorded: the architecture of the recording, for dumps that do not say theirs. NULL where there is
 * none. The jitdump files do not change meanwhile.
 */
struct module *dso_modules_get_jit(struct dso_modules *modules, const struct dso *jitdump,
				   const struct unwind_arch *recorded, uint64_t file_offset,
				   uint64_t *code_offset);

/* Marks the call frame information that was used so far. */
void dso_modules_tell_needs(const struct dso_modules *modules, const struct process_table *processes,
			    struct object_needs *needs);

/* Why dso_modules_get() gave NULL for a DSO that has a file; "" else. */
const char *dso_modules_problem(const struct dso_modules *modules, const struct dso *dso);

#endif
