#ifndef XPROF_RECORD_TRACING_DATA_H
#define XPROF_RECORD_TRACING_DATA_H

/*
 * HEADER_TRACING_DATA: names and offsets of the fields of the recorded tracepoints. Readers refuse a file
 * that has tracepoints but not this section. Its format is the beginning of trace.dat, version 0.6
 * (tools/perf/util/trace-event-info.c writes it, trace-event-read.c reads it).
 */

#include "base/error.h"
#include "base/strbuf.h"
#include "record/event/event_spec.h"

/*
 * Returns 1 with the section in `bytes`, 0 if no event is a tracepoint, -1 with err if tracefs cannot be
 * read.
 */
int tracing_data_make(struct strbuf *bytes, const struct event_specs *specs,
		      const struct event_sources *sources, struct error *err);

#endif
