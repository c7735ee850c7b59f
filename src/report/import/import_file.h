#ifndef XPROF_REPORT_IMPORT_IMPORT_FILE_H
#define XPROF_REPORT_IMPORT_IMPORT_FILE_H

/*
 * A file that another tool wrote, recognised by what is in it and not by its name: a pprof, a speedscope, ... profile, also
 * compressed by gzip. A pipe is looked at without taking anything out of it, so that whoever reads recordings can read it.
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
	IMPORT_NONE_FOUND = 0, /* no profile of another tool: a recording, an archive, or something else */
	IMPORT_FOUND = 1,
};

struct import_file {
	struct mapped_file map;
	const struct import_format *format;
	const char *path; /* borrowed */
};

/* `path`: "-" is standard input. Only IMPORT_FOUND leaves something open. */
enum import_open import_file_open(struct import_file *file, const char *path, struct error *err);
void import_file_close(struct import_file *file);

struct time_ranges;

struct import_request {
	const char *time;          /* --time's text; NULL: everything */
	struct time_ranges *times; /* gets what it means */
	struct timeline *timeline; /* gets when samples were taken; may be NULL */
	struct sample_log *log;    /* gets each sample; may be NULL */
};

/* The profile, complete. May be called again. */
int import_file_load(const struct import_file *file, const struct import_request *request,
		     struct loaded_profile *loaded, struct error *err);

#endif
