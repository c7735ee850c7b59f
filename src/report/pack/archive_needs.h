#ifndef XPROF_REPORT_PACK_ARCHIVE_NEEDS_H
#define XPROF_REPORT_PACK_ARCHIVE_NEEDS_H

/*
 * Finds everything that any view could ask of a recording's objects: reads the recording in each of the
 * views' ways and notes every question.
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
