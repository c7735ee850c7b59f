/*
 * Decodes records of any bytes with attrs of any bits. The input is { u8 flags; u64 sample_type, read_format,
 * branch_sample_type, sample_regs_user; records }. In a whole perf.data, as in the corpus, the header is taken for these.
 */

#include <linux/perf_event.h>

#include "format/event_table.h"
#include "format/record_source.h"
#include "support/event_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void add_events(struct event_table *table, struct byte_reader *r)
{
	struct perf_attr attr = { .type = PERF_TYPE_HARDWARE, .flags = byte_reader_u8(r) };

	/* Bits 0 and 1 of the first byte: byte order, sample_id_all. */
	attr.flags = (attr.flags & 2) ? (uint64_t)1 << PERF_ATTR_SAMPLE_ID_ALL : 0;
	attr.sample_type = byte_reader_u64(r);
	attr.read_format = byte_reader_u64(r);
	attr.branch_sample_type = byte_reader_u64(r);
	attr.sample_regs_user = attr.sample_regs_intr = byte_reader_u64(r);
	for (uint64_t i = 0; i < 2; i++) {
		size_t number = event_table_add(table, &attr);

		event_table_add_ids(table, number, byte_reader_over(&i, sizeof(i), false));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct byte_reader r = byte_reader_over(bytes, size, size && bytes[0] & 1);
	struct event_table table;
	struct record_source source;
	struct event event;
	struct error err;

	event_table_init(&table);
	add_events(&table, &r);
	source = (struct record_source){ .next = r.next, .end = r.end, .swap = r.swap };
	while (record_source_next(&source, &event, &err) == RECORD_OK) {
		size_t number = event_table_of(&table, &event);
		struct sample sample;

		event_walk_record(&event);
		(void)event_walk_sample(
			&event, &event_table_at(&table, number == SIZE_MAX ? 0 : number)->attr, &sample);
	}
	event_table_fini(&table);
	return 0;
}
