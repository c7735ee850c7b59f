#ifndef XPROF_BASE_SPOOL_FILE_H
#define XPROF_BASE_SPOOL_FILE_H

/*
 * An unlinked file in $TMPDIR for what has to be sought in and is no file: it goes when its
 * descriptor does. Not in /tmp by default, which may be memory: the copy is as large as the recording.
 */

#include <stddef.h>

#include "base/error.h"

/* A descriptor, or -1. `name` is what is copied, for messages. */
int spool_file_create(const char *name, struct error *err);
int spool_file_write(int fd, const void *bytes, size_t size, const char *name, struct error *err);

#endif
