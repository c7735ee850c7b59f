#ifndef XPROF_RECORD_SAMPLE_FILTER_H
#define XPROF_RECORD_SAMPLE_FILTER_H

/*
 * Decides which samples are written if not all are. Each round fixes the part of the rings that it takes,
 * then calls sample_filter_note_rings(), sample_filter_accepts() for each sample, and
 * sample_filter_end_round().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/process/comm_filter.h"
#include "record/ring_buffer.h"

struct sample_filter;

/*
 * `comms` is borrowed. `time_offset` is the byte offset of the time in every sample; pid and tid are the 8
 * bytes before it.
 */
struct sample_filter *sample_filter_create(struct comm_filter *comms, size_t ring_count, size_t time_offset);
void sample_filter_destroy(struct sample_filter *filter);

/* Notes the state records that came into the rings since the last call. */
void sample_filter_note_rings(struct sample_filter *filter, const struct ring_buffer *rings);

/* Is this whole PERF_RECORD_SAMPLE to be written? Thread-safe, except against sample_filter_note_rings(). */
bool sample_filter_accepts(const struct sample_filter *filter, const uint8_t *sample, size_t size);

void sample_filter_end_round(struct sample_filter *filter);

#endif
