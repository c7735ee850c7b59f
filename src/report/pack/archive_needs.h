#ifndef XPROF_REPORT_PACK_ARCHIVE_NEEDS_H
#define XPROF_REPORT_PACK_ARCHIVE_NEEDS_H

/*
 * Finds everything that a view could look up in a recording's objects: reads the recording in all the ways
 * that views do, and notes every look-up.
 */

#include "symbol/object_needs.h"
#include "symbol/symbolizer.h"

/*
 * `path` is a file, not a pipe. `quiet`: no progress is shown. *search is set to the places where its files
 * were looked for, as `symbols` says. Returns 0, or -1 with err if the recording cannot be read.
 */
int archive_needs_find(const char *path, const struct symbolizer_options *symbols, bool quiet,
		       struct object_needs *needs, struct debug_file_search *search, struct error *err);

#endif
