#ifndef XPROF_REPORT_EXPORT_EXPORT_MARKS_H
#define XPROF_REPORT_EXPORT_EXPORT_MARKS_H

/*
 * Marks of the recording (profile/mark_log.h) track by track, in order of time: a thread that leaves its CPU and comes back makes one
 * span of the two. Marks of threads without a track are left out, but losses, which are of everything that a CPU's ring should have
 * taken: they go to the track of the thread that ran, else to the first one.
 */

#include "profile/mark_log.h"
#include "report/export/export_tracks.h"

struct export_mark {
	uint32_t track;
	enum mark_kind kind; /* MARK_OUT is both ends of the time off a CPU */
	bool is_open; /* MARK_OUT: the recording does not say when it came back, and end_ns is begin_ns */
	uint64_t begin_ns, end_ns;
	const struct mark *mark; /* the first of the two */
};

struct export_marks {
	const struct mark_log *log;
	struct export_mark *items; /* by track, then by time */
	size_t count, capacity;
	uint64_t first_ns; /* when the first begins; UINT64_MAX: there are none */
};

/* None if tracks have no times. */
void export_marks_init(struct export_marks *marks, const struct export_tracks *tracks);
void export_marks_fini(struct export_marks *marks);

/* The first one of a track; those that follow have its number until there is another. */
size_t export_marks_of(const struct export_marks *marks, uint32_t track);

#endif
