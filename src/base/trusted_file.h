#ifndef XPROF_BASE_TRUSTED_FILE_H
#define XPROF_BASE_TRUSTED_FILE_H

/*
 * Opens files that run-time compilers leave in /tmp, where any user can write. Another user's file must not
 * supply function names, so the owner of the open descriptor is checked, not of the path.
 */

#include <sys/types.h>

#include "base/error.h"

/*
 * Opens a regular file that belongs to root, to the user of this process, or to user `trusted`. Returns a
 * descriptor, or -1.
 */
int trusted_file_open(const char *path, uid_t trusted, struct error *err);

#endif
