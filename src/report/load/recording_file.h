#ifndef XPROF_REPORT_LOAD_RECORDING_FILE_H
#define XPROF_REPORT_LOAD_RECORDING_FILE_H

/*
 * A recording as users name it: a perf.data of any kind, or an archive with a perf.data and the files to read
 * it.
 */

#include "archive/archive_reader.h"
#include "format/perf_file.h"
#include "symbol/symbol_archive.h"

struct recording_file {
	struct perf_file *file;
	struct archive_reader *reader; /* NULL, as all that follows, unless it is an archive */
	struct symbol_archive *archive;
	struct archive_image image; /* of the perf.data in it */
};

/*
 * The path to use if the user names no recording: "-" if standard input is a pipe (as in perf, even if there
 * is a perf.data), otherwise "perf.data".
 */
const char *recording_file_default(void);

/*
 * `path` as for perf_file_open(). An archived recording has its original name. Returns 0, or -1 with err and
 * nothing open.
 */
int recording_file_open(struct recording_file *recording, const char *path, struct error *err);
void recording_file_close(struct recording_file *recording);

#endif
