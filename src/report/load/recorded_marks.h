#ifndef XPROF_REPORT_LOAD_RECORDED_MARKS_H
#define XPROF_REPORT_LOAD_RECORDED_MARKS_H

/*
 * Records and samples of a recording -> marks of threads (profile/mark_log.h).
 */

#include "profile/mark_log.h"
#include "report/load/sample_stream.h"

struct recorded_marks {
	struct mark_log *log; /* NULL: marks are not wanted */
	bool (*keep)(const struct sample *at,
		     void *context); /* of a sample at the mark's time; NULL: all are kept */
	void *context;
};

/*
 * PERF_RECORD_LOST, SWITCH and SWITCH_CPU_WIDE make a mark if they have a time. LOST_SAMPLES makes none: it is a sum of the whole
 * recording.
 */
void recorded_marks_see_record(const struct recorded_marks *marks, const struct perf_file *file,
			       const struct event *event);

/* A sample of time off the CPU makes a mark if it says when the thread waited. */
void recorded_marks_see_sample(const struct recorded_marks *marks, const struct stream_sample *sample);

#endif
