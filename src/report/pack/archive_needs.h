#ifndef XPROF_REPORT_PACK_ARCHIVE_NEEDS_H
#define XPROF_REPORT_PACK_ARCHIVE_NEEDS_H

/*
 * What anybody could ask who has a recording: it is read in all the ways that views read it, and what was asked of its
 * objects on the way is written down.
 */

#include "symbol/object_needs.h"
#include "symbol/symbolizer.h"

/*
 * -1: the recording, which is a file, cannot be read. `quiet`: no progress is shown. *search is where its files were looked
 * for, by `symbols`.
 */
int archive_needs_find(const char *path, const struct symbolizer_options *symbols, bool quiet,
		       struct object_needs *needs, struct debug_file_search *search, struct error *err);

#endif
