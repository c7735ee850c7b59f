#ifndef XPROF_RECORD_LIVE_MODULES_H
#define XPROF_RECORD_LIVE_MODULES_H

/*
 * The unwind information of what runs now, for a recorder that unwinds: opened
 * when a stack leads there for the first time, in the root directory of a
 * process that has it mapped. A file that is not surely the mapped one is not
 * taken; nor is one looked for anywhere else.
 */

#include <stdint.h>

#include "process/dso.h"
#include "unwind/module.h"

struct live_modules;

struct live_modules *live_modules_create(void);
void live_modules_destroy(struct live_modules *modules);

/* Of a DSO that process `pid` has mapped; NULL where there is none. Lives as long as the modules. */
struct module *live_modules_get(struct live_modules *modules, const struct dso *dso, uint32_t pid);

/* How many files are open. */
size_t live_modules_count(const struct live_modules *modules);

#endif
