#ifndef XPROF_RECORD_LOSS_RECORD_H
#define XPROF_RECORD_LOSS_RECORD_H

/* Records of losses that no record in the rings told. */

#include <stdint.h>

#include "base/error.h"
#include "format/write/perf_writer.h"

/* PERF_RECORD_LOST_SAMPLES { header; u64 lost; sample_id }: samples of the event with these attributes and this id. */
int loss_record_append_samples(struct perf_writer *writer, const struct perf_event_attr *attr, uint64_t id,
			       uint64_t lost, struct error *err);

/*
 * PERF_RECORD_LOST { header; u64 id; u64 lost; sample_id }: records of every kind. With it LOST records say how many were
 * lost in all, and a reader knows how many of them were no samples.
 */
int loss_record_append(struct perf_writer *writer, const struct perf_event_attr *attr, uint64_t id,
		       uint64_t lost, struct error *err);

#endif
