#ifndef XPROF_REPORT_CONVERT_MOVED_TRACES_H
#define XPROF_REPORT_CONVERT_MOVED_TRACES_H

/*
 * The offsets of AUXTRACE records in a file that is being written, for the section HEADER_AUXTRACE:
 * { u64 nr; struct { u64 file_offset; u64 sz; } entries[nr]; }, auxtrace_index__write(),
 * tools/perf/util/auxtrace.c.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct moved_trace {
	uint64_t file_offset, size; /* of the record, with its trace */
};

struct moved_traces { /* all zero: empty */
	struct moved_trace *items;
	size_t count, capacity;
};

void moved_traces_fini(struct moved_traces *traces);
void moved_traces_note(struct moved_traces *traces, uint64_t file_offset, uint64_t size);

/* Appends the section; `swap`: in the opposite byte order. */
void moved_traces_add_index(const struct moved_traces *traces, struct strbuf *out, bool swap);

#endif
