#ifndef XPROF_FORMAT_TRACEPOINT_FORMAT_H
#define XPROF_FORMAT_TRACEPOINT_FORMAT_H

/*
 * The formats of a recording's tracepoints, from its TRACING_DATA: what the raw
 * bytes of a sample mean, as text. The kernel describes each tracepoint in a
 * small language (/sys/kernel/tracing/events/SYSTEM/EVENT/format), which libtraceevent
 * understands; without that library there are no formats.
 *
 * The library runs in a child process, since files of others can crash it.
 * When the child dies or does not answer there are no formats any more, and
 * nothing else happens.
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
 * NULL with err when the library is missing or the bytes are no tracing data. They need not outlive the call.
 * `resolve` runs in the child, with what this process knows now.
 */
struct tracepoint_formats *tracepoint_formats_create(struct byte_reader tracing_data,
						     tracepoint_resolve *resolve, void *context,
						     struct error *err);
void tracepoint_formats_destroy(struct tracepoint_formats *formats);

/* "sched:sched_switch" for an attr's config; -1 when there is no such tracepoint. Not while answers are to come. */
int tracepoint_formats_name(struct tracepoint_formats *formats, uint64_t config, struct strbuf *name);

/*
 * Asks for a sample's fields as text, as the kernel's own trace shows them. Answers come in the order of the
 * questions. Asking many questions before reading the first answer saves round trips to the child; when it is
 * full, answers must be read first.
 */
void tracepoint_formats_ask(struct tracepoint_formats *formats, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size);
/*
 * The same, where the answer is that text, a NUL, and then each field's name and value, each with a NUL behind it: values
 * as they are in the sample, without what the kernel's own trace makes of them.
 */
void tracepoint_formats_ask_fields(struct tracepoint_formats *formats, uint64_t config, const uint8_t *raw,
				   size_t raw_size);
bool tracepoint_formats_is_full(const struct tracepoint_formats *formats);

/*
 * Appends the next answer. -1 with err when the tracepoint is not known, the bytes are fewer than its fields need,
 * or the child is gone.
 */
int tracepoint_formats_answer(struct tracepoint_formats *formats, struct strbuf *out, struct error *err);

#endif
