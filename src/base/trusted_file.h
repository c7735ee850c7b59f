#ifndef XPROF_BASE_TRUSTED_FILE_H
#define XPROF_BASE_TRUSTED_FILE_H

/*
 * Files that run-time compilers leave in /tmp, where anybody can write: what
 * some other user put there must not name the functions of this one. It is the
 * open file that is looked at, not its name.
 */

#include <sys/types.h>

#include "base/error.h"

/*
 * Opens a regular file that belongs to root, to the user of this process, or to user `trusted`. Returns a
 * descriptor, or -1.
 */
int trusted_file_open(const char *path, uid_t trusted, struct error *err);

#endif
