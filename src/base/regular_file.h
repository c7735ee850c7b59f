#ifndef XPROF_BASE_REGULAR_FILE_H
#define XPROF_BASE_REGULAR_FILE_H

/*
 * Opens files at paths that others chose: a recording, or a process that was recorded. Such a path may lead to a FIFO or to
 * a device by now, and opening one has effects: a writer that waits for a reader goes on, a tape is rewound, a watchdog
 * starts. So what is no regular file is not even opened.
 */

#include "base/error.h"

/* For reading. A descriptor, or -1 with err set. */
int regular_file_open(const char *path, struct error *err);

#endif
