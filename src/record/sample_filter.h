#ifndef XPROF_RECORD_SAMPLE_FILTER_H
#define XPROF_RECORD_SAMPLE_FILTER_H

/*
 * The samples of a recording that are written, where not all are. A round fixes what it takes of the rings, then calls
 * sample_filter_note_rings(), then asks about each sample, then calls sample_filter_end_round().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/process/comm_filter.h"
#include "record/ring_buffer.h"

struct sample_filter;

/* `comms` is borrowed; `time_offset` is that of the time in every sample, in front of which its thread stands. */
struct sample_filter *sample_filter_create(struct comm_filter *comms, size_t ring_count, size_t time_offset);
void sample_filter_destroy(struct sample_filter *filter);

/* Notes the state records that came into the rings since the last call, up to their present ends. */
void sample_filter_note_rings(struct sample_filter *filter, const struct ring_buffer *rings);

/* A whole PERF_RECORD_SAMPLE. May be called by several threads, while nothing is noted. */
bool sample_filter_accepts(const struct sample_filter *filter, const uint8_t *sample, size_t size);

void sample_filter_end_round(struct sample_filter *filter);

#endif
