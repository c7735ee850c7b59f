#ifndef XPROF_BASE_REGULAR_FILE_H
#define XPROF_BASE_REGULAR_FILE_H

/*
 * Opens files at paths that come from a recording or from a recorded process. Such a path may now lead to a FIFO or a
 * device, and opening those has side effects: it wakes up a writer, rewinds a tape, starts a watchdog. So anything but a
 * regular file is refused without being opened.
 */

#include "base/error.h"

/* Opens for reading. Returns a descriptor, or -1 with err set. */
int regular_file_open(const char *path, struct error *err);

#endif
