#ifndef XPROF_RECORD_LIVE_MODULES_H
#define XPROF_RECORD_LIVE_MODULES_H

/*
 * The unwind information of what runs now, for a recorder that unwinds: of files in the root directory of a process
 * that has them mapped. A file that is not surely the mapped one is not taken; nor is one looked for anywhere else.
 */

#include "unwind/process/dso_modules.h"

struct dso_modules *live_modules_create(void);

#endif
