#ifndef XPROF_BASE_SPOOL_FILE_H
#define XPROF_BASE_SPOOL_FILE_H

/*
 * Unlinked temporary files in $TMPDIR, which disappear when their descriptor is closed; for copies of streams
 * that have to be seekable. The default is not /tmp, which may be memory: the copy is as large as the
 * recording.
 */

#include <stddef.h>

#include "base/error.h"

/* $TMPDIR, or /var/tmp, or /tmp where that is missing, as in containers and rescue systems. */
const char *spool_file_directory(void);

/* Returns a descriptor, or -1. `name` names the contents in messages. */
int spool_file_create(const char *name, struct error *err);
int spool_file_write(int fd, const void *bytes, size_t size, const char *name, struct error *err);

#endif
