#ifndef XPROF_REPORT_LOAD_RECORDING_FILE_H
#define XPROF_REPORT_LOAD_RECORDING_FILE_H

/* A recording as users name it: a perf.data of any kind, or an archive that has one with all that is needed to read it. */

#include "archive/archive_reader.h"
#include "format/perf_file.h"
#include "symbol/symbol_archive.h"

struct recording_file {
	struct perf_file *file;
	struct archive_reader *reader; /* NULL, as what follows: it is no archive */
	struct symbol_archive *archive;
	struct archive_image image; /* of the perf.data in it */
};

/*
 * Where no recording is named: "-" if standard input is a pipe, as in perf also where there is a perf.data, else
 * "perf.data".
 */
const char *recording_file_default(void);

/* `path` as perf_file_open() has it. -1: nothing is open then. An archived recording has the name that it had. */
int recording_file_open(struct recording_file *recording, const char *path, struct error *err);
void recording_file_close(struct recording_file *recording);

#endif
