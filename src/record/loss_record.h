#ifndef XPROF_RECORD_LOSS_RECORD_H
#define XPROF_RECORD_LOSS_RECORD_H

/* Records for losses that the kernel counted without writing a record into a ring. */

#include <stdint.h>

#include "base/error.h"
#include "format/write/perf_writer.h"

/*
 * PERF_RECORD_LOST_SAMPLES { header; u64 lost; sample_id }: `lost` samples of the event with these attributes
 * and this id. Returns 0, or -1 with err.
 */
int loss_record_append_samples(struct perf_writer *writer, const struct perf_event_attr *attr, uint64_t id,
			       uint64_t lost, struct error *err);

/*
 * PERF_RECORD_LOST { header; u64 id; u64 lost; sample_id }: `lost` records of any kind. With it the LOST
 * records of a file add up to all losses, and a reader can tell how many of them were not samples. Returns 0,
 * or -1 with err.
 */
int loss_record_append(struct perf_writer *writer, const struct perf_event_attr *attr, uint64_t id,
		       uint64_t lost, struct error *err);

#endif
