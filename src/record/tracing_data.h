#ifndef XPROF_RECORD_TRACING_DATA_H
#define XPROF_RECORD_TRACING_DATA_H

/*
 * HEADER_TRACING_DATA: what the fields of the recorded tracepoints are called
 * and where they lie. Readers refuse a file with tracepoints without it. The
 * bytes are those of trace.dat version 0.6 up to its first data
 * (tools/perf/util/trace-event-info.c writes, trace-event-read.c reads them).
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "record/event/event_spec.h"

/* 1 made, 0 no event is a tracepoint, -1 tracefs cannot be read. */
int tracing_data_make(struct strbuf *bytes, const struct event_specs *specs,
		      const struct event_sources *sources, struct error *err);

#endif
