#ifndef XPROF_FORMAT_RECORDING_DIRECTORY_H
#define XPROF_FORMAT_RECORDING_DIRECTORY_H

/*
 * The directory that `perf record --threads` and `--kcore` write: a file "data", which is a perf.data of its
 * own, and beside it data.0, data.1 … with records only, one file per recording thread
 * (perf.data-directory-format.txt).
 */

#include <stddef.h>

#include "base/error.h"

struct recording_directory {
	char **paths; /* "data" first, then the others by number */
	size_t count;
};

/* Returns -1 with err set if the directory cannot be read or has no file "data". */
int recording_directory_init(struct recording_directory *directory, const char *path, struct error *err);
void recording_directory_fini(struct recording_directory *directory);

#endif
