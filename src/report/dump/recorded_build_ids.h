#ifndef XPROF_REPORT_DUMP_RECORDED_BUILD_IDS_H
#define XPROF_REPORT_DUMP_RECORDED_BUILD_IDS_H

/* The files of a recording and their build-ids, from its header or from the records of mappings. */

#include <stddef.h>

#include "base/error.h"
#include "elf/build_id.h"
#include "format/perf_file.h"

struct recorded_build_id {
	struct build_id id;
	char *path; /* malloc()ed */
};

struct recorded_build_ids {
	struct recorded_build_id *items; /* each path and build-id once, in the order of the recording */
	size_t count, capacity;
};

/*
 * Reads the records if the header has no list, or (in a pipe) not yet. Returns 0, or -1 with err if the file
 * cannot be read.
 */
int recorded_build_ids_read(struct recorded_build_ids *ids, struct perf_file *file, struct error *err);
void recorded_build_ids_fini(struct recorded_build_ids *ids);

/* Adds a file unless it is in the list. */
void recorded_build_ids_add(struct recorded_build_ids *ids, const struct build_id *id, const char *path);

#endif
