#ifndef XPROF_REPORT_IMPORT_IMPORT_FILE_H
#define XPROF_REPORT_IMPORT_IMPORT_FILE_H

/*
 * A profile of another tool, recognised by its contents, not by its name: pprof, speedscope ..., also compressed with gzip. A
 * pipe is only peeked at, so that readers of recordings still get all bytes.
 *
 *	switch (import_file_open(&file, path, err)) {
 *	case IMPORT_NONE_FOUND: return recording_file_open(&recording, path, err);
 *	case IMPORT_FOUND: return import_file_load(&file, &(struct import_request){ .times = &times }, &loaded, err);
 *	...
 */

#include "base/error.h"
#include "format/mapped_file.h"
#include "profile/sample_log.h"
#include "profile/timeline.h"
#include "report/import/import_format.h"
#include "report/load/loaded_profile.h"

enum import_open {
	IMPORT_FAILED = -1,
	IMPORT_NONE_FOUND = 0, /* not a profile of another tool: a recording, an archive, or something else */
	IMPORT_FOUND = 1,
};

struct import_file {
	struct mapped_file map;
	const struct import_format *format;
	const char *path; /* borrowed */
};

/* `path`: "-" is standard input. Nothing is left open unless it returns IMPORT_FOUND. */
enum import_open import_file_open(struct import_file *file, const char *path, struct error *err);
void import_file_close(struct import_file *file);

struct time_ranges;

struct import_request {
	const char *time;          /* argument of --time; NULL: everything */
	struct time_ranges *times; /* receives the parsed argument */
	struct timeline *timeline; /* receives the times of samples; may be NULL */
	struct sample_log *log;    /* receives each sample; may be NULL */
};

/* Loads the complete profile. May be called several times. Returns 0, or -1 with err. */
int import_file_load(const struct import_file *file, const struct import_request *request,
		     struct loaded_profile *loaded, struct error *err);

#endif
