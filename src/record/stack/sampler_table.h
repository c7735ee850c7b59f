#ifndef XPROF_RECORD_SAMPLER_TABLE_H
#define XPROF_RECORD_SAMPLER_TABLE_H

/*
 * Finds the sampler of a record: if the samplers' records are laid out differently (a tracepoint's have raw
 * data), their first word is the id of the event.
 */

#include "base/hash_table.h"
#include "format/write/perf_writer.h"

struct sampler_id {
	uint64_t id;
	const struct perf_event_attr *layout; /* in sampler_table.layouts */
};

struct sampler_table {
	struct perf_event_attr *layouts; /* the attr of each sampler, with the branch counters of its group */
	/* NULL: look up by id; otherwise all samples have the layout of this attr */
	const struct perf_event_attr *common;
	struct sampler_id *ids;
	size_t count, capacity;
	struct hash_table by_id;
};

/* Copies the attrs. */
void sampler_table_init(struct sampler_table *table, const struct written_event *samplers,
			size_t sampler_count);
void sampler_table_fini(struct sampler_table *table);

/*
 * The attr that describes the layout of a PERF_RECORD_SAMPLE: that of its sampler, or of one with the same layout. Valid as long
 * as the table. NULL: unknown.
 */
const struct perf_event_attr *sampler_table_find(const struct sampler_table *table, const uint8_t *record,
						 size_t size);

#endif
