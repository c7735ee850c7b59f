#ifndef XPROF_RECORD_LIVE_MODULES_H
#define XPROF_RECORD_LIVE_MODULES_H

/*
 * The unwind information of running processes, for a recorder that unwinds. Files are opened below the root directory of a
 * process that has them mapped, and used only if they certainly are the mapped ones. No other place is searched.
 */

#include "unwind/process/dso_modules.h"

struct dso_modules *live_modules_create(void);

#endif
