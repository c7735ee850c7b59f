/*
 * An array of counts, with a hash table to find a type's. MAX_TALLIES bounds both: further types are added to the last
 * entry.
 */
#include "report/dump/dump_summary.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/dump/dump_record.h"

enum { MAX_TALLIES = 4096 }; /* a damaged file can have as many types as records */

void dump_summary_init(struct dump_summary *summary)
{
	*summary = (struct dump_summary){ .last_compressed_offset = UINT64_MAX };
}

void dump_summary_fini(struct dump_summary *summary)
{
	free(summary->tallies);
	hash_table_fini(&summary->tally_index);
}

static bool is_of_type(const void *items, uint32_t item, const void *key)
{
	const struct record_tally *tallies = items;

	return tallies[item].type == *(const uint32_t *)key;
}

static struct record_tally *tally_of(struct dump_summary *summary, const struct event *event)
{
	uint32_t item = hash_table_find(&summary->tally_index, hash_u64(event->type), is_of_type,
					summary->tallies, &event->type);

	if (item != HASH_TABLE_NONE)
		return &summary->tallies[item];
	if (summary->tally_count == MAX_TALLIES)
		return &summary->tallies[MAX_TALLIES - 1];
	summary->tallies = array_grow(summary->tallies, &summary->tally_capacity, summary->tally_count + 1,
				      sizeof(summary->tallies[0]));
	hash_table_insert(&summary->tally_index, hash_u64(event->type), (uint32_t)summary->tally_count);
	summary->tallies[summary->tally_count] =
		(struct record_tally){ .type = event->type, .first_offset = event->file_offset };
	return &summary->tallies[summary->tally_count++];
}

void dump_summary_count(struct dump_summary *summary, const struct event *event)
{
	struct record_tally *tally = tally_of(summary, event);

	tally->count++;
	tally->bytes += event->size;
	if (event->compressed_size && event->file_offset != summary->last_compressed_offset) {
		summary->last_compressed_offset = event->file_offset;
		summary->compressed_records++;
		summary->compressed_bytes += event->compressed_size;
	}
}

void dump_summary_damage(struct dump_summary *summary, const struct event *event, const char *reason)
{
	char name[24];

	if (summary->damaged_records++)
		return;
	summary->first_damaged_offset = event->file_offset;
	snprintf(summary->first_damage, sizeof(summary->first_damage), "%s: %s",
		 dump_record_name(event->type, name), reason);
}

static void write_tallies(struct dump_out *out, const struct dump_summary *summary)
{
	char name[24];

	dump_rows(out, "types");
	for (size_t i = 0; i < summary->tally_count; i++) {
		const struct record_tally *tally = &summary->tallies[i];

		dump_row(out);
		dump_word(out, "type", dump_record_name(tally->type, name));
		dump_unsigned(out, "count", tally->count);
		dump_unsigned(out, "bytes", tally->bytes);
		dump_hex(out, "first", tally->first_offset);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

/* One row for records that the file layer skipped, one for records that did not decode. */
static void write_damage(struct dump_out *out, const struct dump_summary *summary,
			 const struct perf_file_damage *damage)
{
	dump_rows(out, "damage");
	if (damage->first_reason[0]) {
		dump_row(out);
		dump_hex(out, "offset", damage->first_offset);
		dump_string(out, "reason", damage->first_reason);
		dump_unsigned(out, "skipped_records", damage->skipped_records);
		dump_unsigned(out, "skipped_bytes", damage->skipped_bytes);
		dump_row_end(out);
	}
	if (summary->damaged_records) {
		dump_row(out);
		dump_hex(out, "offset", summary->first_damaged_offset);
		dump_string(out, "reason", summary->first_damage);
		dump_unsigned(out, "damaged_records", summary->damaged_records);
		dump_row_end(out);
	}
	dump_rows_end(out);
}

void dump_summary_write(struct dump_out *out, const struct dump_summary *summary,
			const struct perf_file *file)
{
	const struct perf_file_damage *damage = perf_file_damage(file);
	uint64_t count = 0, bytes = 0;

	for (size_t i = 0; i < summary->tally_count; i++) {
		count += summary->tallies[i].count;
		bytes += summary->tallies[i].bytes;
	}
	dump_entry(out, "summary", "summary");
	dump_unsigned(out, "records", count);
	dump_unsigned(out, "bytes", bytes);
	if (summary->compressed_records) {
		dump_unsigned(out, "compressed_records", summary->compressed_records);
		dump_unsigned(out, "compressed_bytes", summary->compressed_bytes);
	}
	if (summary->limit)
		dump_unsigned(out, "stopped_by_limit", summary->limit);
	dump_bool(out, "truncated", damage->truncated);
	write_tallies(out, summary);
	if (damage->first_reason[0] || summary->damaged_records)
		write_damage(out, summary, damage);
	dump_entry_end(out);
}
