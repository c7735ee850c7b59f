#ifndef XPROF_TEST_KERNEL_RECORD_BYTES_H
#define XPROF_TEST_KERNEL_RECORD_BYTES_H

/* Builds records as the kernel lays them out for an event: exactly with the fields that its attr asks for. */

#include <linux/perf_event.h>

#include "base/strbuf.h"
#include "kernel/play_script.h"

struct record_shape {
	const struct perf_event_attr *attr;
	uint64_t id;
	const uint64_t *group_ids; /* of the group's events, the leader's first */
	size_t group_size;
	uint64_t running_ns;   /* how long it was enabled, and counted */
	size_t branch_entries; /* number that the machine keeps */
	bool counts_branches;  /* it, or another event of its group, asks for counters */
};

/* Appends the record, a multiple of 8 bytes below 64 KiB, to `bytes`. */
void record_bytes_add(struct strbuf *bytes, const struct play_record *record,
		      const struct record_shape *shape);

/* Appends the counts that read() of an event returns, and that a sample with PERF_SAMPLE_READ has. */
void record_bytes_add_counts(struct strbuf *bytes, const struct record_shape *shape, const uint64_t *counts,
			     size_t count);

#endif
