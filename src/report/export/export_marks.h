#ifndef XPROF_REPORT_EXPORT_EXPORT_MARKS_H
#define XPROF_REPORT_EXPORT_EXPORT_MARKS_H

/*
 * Marks of the recording (profile/mark_log.h) by track, in order of time. A thread that leaves its CPU and comes back gives one
 * span. Marks of threads without a track are left out, except losses, which concern a whole CPU: they go to the track of the
 * thread that ran or, if it has none, to the first track.
 */

#include "profile/mark_log.h"
#include "report/export/export_tracks.h"

struct export_mark {
	uint32_t track;
	enum mark_kind kind; /* MARK_OUT: a span of time off the CPU */
	bool is_open;        /* MARK_OUT: the thread's return was not recorded; end_ns equals begin_ns */
	uint64_t begin_ns, end_ns;
	const struct mark *mark; /* for a span the mark at its beginning */
};

struct export_marks {
	const struct mark_log *log;
	struct export_mark *items; /* sorted by track, then by time */
	size_t count, capacity;
	uint64_t first_ns; /* beginning of the first one; UINT64_MAX: there are none */
};

/* Empty if tracks have no times. */
void export_marks_init(struct export_marks *marks, const struct export_tracks *tracks);
void export_marks_fini(struct export_marks *marks);

/* The index of the first mark of a track. Those that follow belong to it as long as their `track` is the same. */
size_t export_marks_of(const struct export_marks *marks, uint32_t track);

#endif
