#ifndef XPROF_UNWIND_PROCESS_DSO_MODULES_H
#define XPROF_UNWIND_PROCESS_DSO_MODULES_H

/*
 * The unwind information of DSOs: a file is opened when a stack leads there for the first time, once for all DSOs that have
 * its build-id. Any thread may get modules.
 */

#include "elf/debug_file.h"
#include "process/dso.h"
#include "unwind/module.h"

struct dso_modules;

struct module_source {
	/*
	 * The file of a DSO_FILE or DSO_VDSO that process `pid` has mapped; NULL: there is none, or not the one that was
	 * mapped. The module takes the file over.
	 */
	struct elf_file *(*open)(const struct dso *dso, uint32_t pid, const struct debug_file_search *search);
	const struct debug_file_search *search; /* borrowed with its strings; NULL: no debug files */
	unsigned int max_attempts; /* to open a DSO's file: 1, or more if it may be found later */
};

struct dso_modules *dso_modules_create(const struct module_source *source);
void dso_modules_destroy(struct dso_modules *modules);

/*
 * NULL where there is none: no file at all (JIT code), none that is what was mapped, one that was cut short since, or one
 * of an unknown machine. The DSO may be a copy. Modules live as long as the table.
 */
struct module *dso_modules_get(struct dso_modules *modules, const struct dso *dso, uint32_t pid);

/* The module of a piece of code that a run-time compiler described; `key`, its address in memory, identifies it. */
struct module *dso_modules_get_jit(struct dso_modules *modules, const void *key,
				   const struct unwind_arch *arch, const struct module_frames *frames);

/* The module that was opened for the DSO with this number; NULL: none so far, or another DSO's is used. */
struct module *dso_modules_own(const struct dso_modules *modules, uint32_t dso_number);

/* How many modules there are. */
size_t dso_modules_count(const struct dso_modules *modules);

#endif
