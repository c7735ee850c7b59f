#ifndef XPROF_REPORT_CONVERT_MISSING_BUILD_IDS_H
#define XPROF_REPORT_CONVERT_MISSING_BUILD_IDS_H

/*
 * Finds build-ids that a recording lacks in the files of this machine (perf inject -b). Files are
 * used only if the recording is of this host or names none, and if they still have the recorded inode
 * (required if the recording names no host). The kernel and its modules are used if the recording is of
 * this host and of the running kernel release.
 */

#include "format/event.h"
#include "format/perf_features.h"
#include "format/write/feature_encode.h"

struct missing_build_ids;

struct missing_build_id_counts {
	size_t added;
	size_t absent;  /* no such file here, or one without a build-id */
	size_t changed; /* another file has taken the path since */
	size_t foreign; /* recorded on another machine */
};

/* `features` of the recording are borrowed; in a pipe they become known over time. */
struct missing_build_ids *missing_build_ids_create(const struct perf_features *features);
void missing_build_ids_destroy(struct missing_build_ids *missing);

/*
 * Looks at a record of the recording. If it maps a file whose build-id the recording lacks and this machine
 * has, returns true with *found, once per file. found->path is valid as long as `missing`.
 */
bool missing_build_ids_look(struct missing_build_ids *missing, const struct event *event,
			    struct written_build_id *found);

struct missing_build_id_counts missing_build_id_counts(const struct missing_build_ids *missing);

#endif
