#ifndef XPROF_BASE_SPOOL_FILE_H
#define XPROF_BASE_SPOOL_FILE_H

/*
 * Copies a stream that must be seekable into an unlinked file in $TMPDIR, which disappears when its
 * descriptor is closed. The default is not /tmp, which may be memory: the copy is as large as the recording.
 */

#include <stddef.h>

#include "base/error.h"

/* $TMPDIR, or /var/tmp, or /tmp where that is missing, as in containers and rescue systems. */
const char *spool_file_directory(void);

/* Returns a descriptor, or -1. `name` is the name of the source, for messages. */
int spool_file_create(const char *name, struct error *err);
int spool_file_write(int fd, const void *bytes, size_t size, const char *name, struct error *err);

#endif
