#ifndef XPROF_REPORT_DUMP_DUMP_SUMMARY_H
#define XPROF_REPORT_DUMP_DUMP_SUMMARY_H

/* Counts records and bytes by type, and damaged records. */

#include "base/hash_table.h"
#include "format/perf_file.h"
#include "report/dump/dump_out.h"

struct record_tally {
	uint32_t type;
	uint64_t count, bytes;
	uint64_t first_offset;
};

struct dump_summary {
	struct record_tally *tallies; /* in order of appearance */
	size_t tally_count, tally_capacity;
	struct hash_table tally_index;                 /* by type */
	uint64_t compressed_records, compressed_bytes; /* of the COMPRESSED records that gave some */
	uint64_t last_compressed_offset;
	uint64_t damaged_records; /* records of which some fields could not be read */
	uint64_t first_damaged_offset;
	char first_damage[200];
	uint64_t limit; /* where reading was stopped on purpose; 0: it was not */
};

void dump_summary_init(struct dump_summary *summary);
void dump_summary_fini(struct dump_summary *summary);
void dump_summary_count(struct dump_summary *summary, const struct event *event);
void dump_summary_damage(struct dump_summary *summary, const struct event *event, const char *reason);
void dump_summary_write(struct dump_out *out, const struct dump_summary *summary,
			const struct perf_file *file);

#endif
