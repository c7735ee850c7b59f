#ifndef XPROF_UNWIND_PROCESS_DSO_MODULES_H
#define XPROF_UNWIND_PROCESS_DSO_MODULES_H

/*
 * The unwind information of DSOs: a file is opened when a stack first needs it, once for all DSOs with its build-id.
 * Thread-safe.
 */

#include "elf/debug_file.h"
#include "process/dso.h"
#include "unwind/module.h"

struct dso_modules;

struct module_source {
	/*
	 * Opens the file of a DSO_FILE or DSO_VDSO that process `pid` mapped; NULL if there is none, or it is not the
	 * one that was mapped. The module takes ownership.
	 */
	struct elf_file *(*open)(const struct dso *dso, uint32_t pid, const struct debug_file_search *search);
	const struct debug_file_search *search; /* borrowed with its strings; NULL: no debug files */
	unsigned int max_attempts; /* attempts to open a DSO's file: 1, or more if it may be found later */
};

struct dso_modules *dso_modules_create(const struct module_source *source);
void dso_modules_destroy(struct dso_modules *modules);

/*
 * The module of a DSO. NULL if there is none: there is no file (JIT code), it is not the one that was mapped, it was cut
 * short since, or its machine is unknown. `dso` may be a copy. Modules live as long as the table.
 */
struct module *dso_modules_get(struct dso_modules *modules, const struct dso *dso, uint32_t pid);

/* The module of a piece of run-time code with unwind information, identified by the pointer `key`. */
struct module *dso_modules_get_jit(struct dso_modules *modules, const void *key,
				   const struct unwind_arch *arch, const struct module_frames *frames);

/*
 * The module that was opened for the DSO with this number; NULL if there is none so far, or that of another
 * DSO is used.
 */
struct module *dso_modules_own(const struct dso_modules *modules, uint32_t dso_number);

/* How many modules there are. */
size_t dso_modules_count(const struct dso_modules *modules);

#endif
