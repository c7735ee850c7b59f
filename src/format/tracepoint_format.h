#ifndef XPROF_FORMAT_TRACEPOINT_FORMAT_H
#define XPROF_FORMAT_TRACEPOINT_FORMAT_H

/*
 * The formats of a recording's tracepoints, from its TRACING_DATA: what the raw
 * bytes of a sample mean, as text. The kernel describes each tracepoint in a
 * small language (/sys/kernel/tracing/events/SYSTEM/EVENT/format), which libtraceevent
 * understands; without that library there are no formats.
 *
 * Layout of TRACING_DATA: tools/perf/util/trace-event-read.c; trace-cmd.dat(5).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/byte_reader.h"
#include "base/error.h"
#include "base/strbuf.h"

struct tracepoint_formats;

/* Was xprof built with the library? */
bool tracepoint_formats_available(void);

/* NULL with err when the library is missing or the bytes are no tracing data. They need not outlive the call. */
struct tracepoint_formats *tracepoint_formats_create(struct byte_reader tracing_data, struct error *err);
void tracepoint_formats_destroy(struct tracepoint_formats *formats);

/* The name of the function at an address of the kernel, for fields that are code; NULL: not known. */
typedef const char *tracepoint_resolve(uint64_t address, void *context);
void tracepoint_formats_set_resolver(struct tracepoint_formats *formats, tracepoint_resolve *resolve,
				     void *context);

/* "sched:sched_switch" for an attr's config; -1 when there is no such tracepoint. */
int tracepoint_formats_name(const struct tracepoint_formats *formats, uint64_t config, struct strbuf *name);

/*
 * Appends a sample's fields as the kernel's own trace shows them. -1 with err when the tracepoint is not known or
 * the bytes are fewer than its fields need.
 */
int tracepoint_formats_print(struct tracepoint_formats *formats, uint64_t config, uint32_t cpu,
			     const uint8_t *raw, size_t raw_size, struct strbuf *out, struct error *err);

#endif
