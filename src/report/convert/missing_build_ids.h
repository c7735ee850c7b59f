#ifndef XPROF_REPORT_CONVERT_MISSING_BUILD_IDS_H
#define XPROF_REPORT_CONVERT_MISSING_BUILD_IDS_H

/*
 * The build-ids that a recording lacks and that this machine can tell (perf inject -b).
 * Files are asked if the recording is of this host, or does not say of which, and only those that
 * still have the inode that was recorded (a recording that names no host must have recorded one).
 * The kernel and its modules are asked if it is of this host and of the release that runs now.
 */

#include "format/event.h"
#include "format/perf_features.h"
#include "format/write/feature_encode.h"

struct missing_build_ids;

struct missing_build_id_counts {
	size_t added;
	size_t absent;  /* no such file here, or one without a build-id */
	size_t changed; /* another file has taken the path since */
	size_t foreign; /* recorded on another machine: nothing here can tell */
};

/* `features` of the recording are borrowed, and are asked again as they become known. */
struct missing_build_ids *missing_build_ids_create(const struct perf_features *features);
void missing_build_ids_destroy(struct missing_build_ids *missing);

/*
 * Looks at a record of the recording. Returns true, and *found, when it maps code whose build-id the
 * recording does not tell and this machine does: once for every such file. found->path lives as long
 * as `missing`.
 */
bool missing_build_ids_look(struct missing_build_ids *missing, const struct event *event,
			    struct written_build_id *found);

struct missing_build_id_counts missing_build_id_counts(const struct missing_build_ids *missing);

#endif
