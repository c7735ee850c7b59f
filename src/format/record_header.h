#ifndef XPROF_FORMAT_RECORD_HEADER_H
#define XPROF_FORMAT_RECORD_HEADER_H

/* The beginning of every record: struct perf_event_header, linux/perf_event.h. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* `size_bytes` includes this header; its lower 16 bits are written. */
void record_header_add(struct strbuf *out, uint32_t type, uint16_t misc, size_t size_bytes, bool swap);

#endif
