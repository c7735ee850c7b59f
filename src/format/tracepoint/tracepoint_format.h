#ifndef XPROF_FORMAT_TRACEPOINT_FORMAT_H
#define XPROF_FORMAT_TRACEPOINT_FORMAT_H

/*
 * Prints the raw bytes of samples as text, by the formats of tracepoints in a recording's TRACING_DATA. The
 * kernel describes each tracepoint in a small language (/sys/kernel/tracing/events/SYSTEM/EVENT/format),
 * which libtraceevent understands; without that library there are no formats.
 *
 * The library runs in a child process, since untrusted files can crash it. If the child dies or does not
 * answer, all later calls fail; there is no other harm.
 *
 * Layout of TRACING_DATA: tools/perf/util/trace-event-read.c; trace-cmd.dat(5).
 *
 *     formats = tracepoint_formats_create(tracing_data, resolve, context, &err);
 *     tracepoint_formats_ask(formats, attr->config, sample.cpu, sample.raw, sample.raw_size);
 *     if (tracepoint_formats_answer(formats, &text, &err) == 0)
 *             puts(text.bytes);    ("prev_comm=bash prev_pid=211 ...")
 */

#include "format/tracepoint/tracepoint_parser.h"

struct tracepoint_formats;

/*
 * Returns NULL with err set if the library is missing or the bytes are not tracing data. The bytes need not
 * outlive the call. `resolve` runs in the child, with a copy of this process's present memory.
 */
struct tracepoint_formats *tracepoint_formats_create(struct byte_reader tracing_data,
						     tracepoint_resolve *resolve, void *context,
						     struct error *err);
void tracepoint_formats_destroy(struct tracepoint_formats *formats);

/*
 * Appends the name of a tracepoint, "sched:sched_switch", by its attr's config. Returns -1 if there is no such
 * tracepoint. Must not be called while answers are outstanding.
 */
int tracepoint_formats_name(struct tracepoint_formats *formats, uint64_t config, struct strbuf *name);

/*
 * Requests a sample's fields as text, in the form of the kernel's own trace. Answers come in the order of
 * requests. Many requests before the first answer save round trips to the child; if
 * tracepoint_formats_is_full(), answers must be read first.
 */
void tracepoint_formats_ask(struct tracepoint_formats *formats, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size);
/*
 * The same, but the answer is that text and a NUL, followed by the name and value of each field, each with a NUL behind
 * it. These values are raw, not in the form of the kernel's trace.
 */
void tracepoint_formats_ask_fields(struct tracepoint_formats *formats, uint64_t config, const uint8_t *raw,
				   size_t raw_size);
bool tracepoint_formats_is_full(const struct tracepoint_formats *formats);

/*
 * Appends the next answer. Returns -1 with err set if the tracepoint is unknown, the bytes are too few for its
 * fields, or the child has ended.
 */
int tracepoint_formats_answer(struct tracepoint_formats *formats, struct strbuf *out, struct error *err);

#endif
