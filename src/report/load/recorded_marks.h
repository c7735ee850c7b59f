#ifndef XPROF_REPORT_LOAD_RECORDED_MARKS_H
#define XPROF_REPORT_LOAD_RECORDED_MARKS_H

/*
 * Turns records and samples of a recording into marks of threads (profile/mark_log.h).
 */

#include "profile/mark_log.h"
#include "report/load/sample_stream.h"

struct recorded_marks {
	struct mark_log *log; /* NULL: marks are not wanted */
	/* Would a sample of the mark's thread and time be kept? NULL: all marks are kept. */
	bool (*keep)(const struct sample *at, void *context);
	void *context;
};

/*
 * Adds a mark for PERF_RECORD_LOST, SWITCH and SWITCH_CPU_WIDE records that have a time. LOST_SAMPLES gets
 * none: it is a sum of the whole recording.
 */
void recorded_marks_see_record(const struct recorded_marks *marks, const struct perf_file *file,
			       const struct event *event);

/* Adds a mark for a sample of time off the CPU that says when the thread waited. */
void recorded_marks_see_sample(const struct recorded_marks *marks, const struct stream_sample *sample);

#endif
