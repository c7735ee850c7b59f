#include "record/ring_buffer.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"

enum { RING_BYTES = 64 };

/* A ring in ordinary memory. */
struct fake_ring {
	struct perf_event_mmap_page control;
	uint8_t data[RING_BYTES];
	struct ring_buffer ring;
};

static void fake_ring_init(struct fake_ring *fake, uint64_t position)
{
	memset(fake, 0, sizeof(*fake));
	fake->control.data_head = fake->control.data_tail = position;
	fake->ring = (struct ring_buffer){ .control = &fake->control,
					   .data = fake->data,
					   .size_bytes = RING_BYTES };
}

/* Writes like the kernel: a record of `size` bytes, whose payload is `fill`. */
static void fake_ring_put(struct fake_ring *fake, uint16_t size, uint8_t fill)
{
	struct perf_event_header header = { .type = fill, .size = size };
	uint8_t record[RING_BYTES];

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (uint16_t i = 0; i < size; i++)
		fake->data[fake->control.data_head++ % RING_BYTES] = record[i];
}

struct seen {
	uint32_t types[1024];
	size_t count;
};

static void see(const uint8_t *record, size_t size, void *context)
{
	struct perf_event_header header;
	struct seen *seen = context;

	memcpy(&header, record, sizeof(header));
	assert_int_equal(header.size, size);
	seen->types[seen->count++] = header.type;
}

static uint8_t bounce[RING_RECORD_MAX_BYTES];

/* Reads the contents of a ring run by run. */
struct reading {
	struct ring_walk walk;
	struct seen seen;
	const uint8_t *run;
	size_t size;
};

static struct reading begin_reading(const struct fake_ring *fake)
{
	return (struct reading){ .walk = { .spans = ring_buffer_peek(&fake->ring) } };
}

static int read_run(struct reading *reading)
{
	return ring_walk_next(&reading->walk, bounce, &reading->run, &reading->size, see, &reading->seen);
}

static void assert_run(struct reading *reading, const uint8_t *run, size_t size)
{
	assert_int_equal(read_run(reading), 1);
	assert_ptr_equal(reading->run, run);
	assert_int_equal(reading->size, size);
}

static void records_that_lie_together_come_as_one_run(void **state)
{
	struct fake_ring fake;
	struct reading reading;

	(void)state;
	fake_ring_init(&fake, 0);
	fake_ring_put(&fake, 16, 1);
	fake_ring_put(&fake, 24, 2);
	reading = begin_reading(&fake);
	assert_run(&reading, fake.data, 40);
	assert_int_equal(reading.seen.count, 2);
	assert_int_equal(read_run(&reading), 0);
}

static void a_record_that_wraps_is_put_together_between_the_runs(void **state)
{
	struct fake_ring fake;
	struct reading reading;

	(void)state;
	fake_ring_init(&fake, 24); /* 40 bytes up to the end */
	fake_ring_put(&fake, 24, 1);
	fake_ring_put(&fake, 24, 2); /* 16 before the end, 8 after it */
	fake_ring_put(&fake, 16, 3);
	reading = begin_reading(&fake);

	assert_run(&reading, fake.data + 24, 24);

	assert_run(&reading, bounce, 24);
	for (size_t i = sizeof(struct perf_event_header); i < 24; i++)
		assert_int_equal(bounce[i], 2);

	assert_run(&reading, fake.data + 8, 16);
	assert_int_equal(read_run(&reading), 0);
	assert_int_equal(reading.seen.count, 3);
}

static void a_header_that_wraps_is_read_as_well(void **state)
{
	struct fake_ring fake;
	struct reading reading;

	(void)state;
	fake_ring_init(&fake, 60); /* 4 bytes up to the end */
	fake_ring_put(&fake, 32, 7);
	reading = begin_reading(&fake);
	assert_int_equal(read_run(&reading), 1);
	assert_int_equal(reading.size, 32);
	assert_int_equal(reading.seen.types[0], 7);
	assert_int_equal(read_run(&reading), 0);
}

static void a_full_ring_is_read_from_end_to_end(void **state)
{
	struct fake_ring fake;
	struct ring_spans spans;

	(void)state;
	fake_ring_init(&fake, 32);
	fake_ring_put(&fake, 32, 1);
	fake_ring_put(&fake, 32, 2);
	spans = ring_buffer_peek(&fake.ring);
	assert_int_equal(spans.first_size, 32);
	assert_int_equal(spans.second_size, 32);
	assert_ptr_equal(spans.second, fake.data);
}

static void released_bytes_are_the_kernels_again(void **state)
{
	struct fake_ring fake;
	struct ring_spans spans;

	(void)state;
	fake_ring_init(&fake, 1000);
	fake_ring_put(&fake, 16, 1);
	spans = ring_buffer_peek(&fake.ring);
	ring_buffer_release(&fake.ring, spans.head);
	assert_int_equal(fake.control.data_tail, 1016);
	assert_int_equal(ring_buffer_peek(&fake.ring).first_size, 0);
}

static void what_comes_before_an_impossible_size_is_kept(void **state)
{
	struct fake_ring fake;
	struct reading reading;

	(void)state;
	fake_ring_init(&fake, 0);
	fake_ring_put(&fake, 16, 1);
	fake_ring_put(&fake, 16, 2);
	fake.data[16 + 6] = 4; /* perf_event_header.size, smaller than the header */
	reading = begin_reading(&fake);
	assert_int_equal(read_run(&reading), 1);
	assert_int_equal(reading.size, 16);
	assert_int_equal(read_run(&reading), -1);
	fake.data[16 + 6] = 48; /* larger than the rest */
	assert_int_equal(read_run(&reading), -1);
	assert_int_equal(reading.seen.count, 1);
}

/* Writes like the kernel with attr.write_backward: before the previous record. */
static void fake_ring_put_backward(struct fake_ring *fake, uint16_t size, uint8_t fill)
{
	struct perf_event_header header = { .type = fill, .size = size };
	uint8_t record[RING_BYTES];

	memset(record, fill, sizeof(record));
	memcpy(record, &header, sizeof(header));
	fake->control.data_head -= size;
	for (uint16_t i = 0; i < size; i++)
		fake->data[(fake->control.data_head + i) % RING_BYTES] = record[i];
}

/* Compares the types of the collected records ("1 2 3"), each of which must have its own bytes. */
static void assert_collected(struct fake_ring *fake, const char *expected)
{
	struct perf_event_header header;
	struct strbuf records, types;

	strbuf_init(&records);
	strbuf_init(&types);
	ring_buffer_collect_backward(&fake->ring, &records);
	for (size_t at = 0; at < records.size; at += header.size) {
		memcpy(&header, records.bytes + at, sizeof(header));
		strbuf_addf(&types, "%s%u", at ? " " : "", header.type);
		for (size_t i = sizeof(header); i < header.size; i++)
			assert_int_equal(records.bytes[at + i], header.type);
	}
	assert_string_equal(types.size ? types.bytes : "", expected);
	strbuf_fini(&records);
	strbuf_fini(&types);
}

static void a_ring_that_is_written_backwards_is_collected_oldest_first(void **state)
{
	struct fake_ring fake;

	(void)state;
	fake_ring_init(&fake, 0);
	assert_collected(&fake, "");
	fake_ring_put_backward(&fake, 16, 1);
	fake_ring_put_backward(&fake, 24, 2);
	assert_collected(&fake, "1 2");
}

static void records_that_are_overwritten_in_part_are_left_out(void **state)
{
	struct fake_ring fake;

	(void)state;
	fake_ring_init(&fake, 0);
	fake_ring_put_backward(&fake, 24, 1);
	fake_ring_put_backward(&fake, 24, 2);
	fake_ring_put_backward(&fake, 24, 3); /* overwrites the end of 1 */
	assert_collected(&fake, "2 3");
	fake_ring_put_backward(&fake, 40, 4);
	fake_ring_put_backward(&fake, 24, 5); /* fits exactly */
	assert_collected(&fake, "4 5");
}

static void collected_records_are_not_collected_again(void **state)
{
	struct fake_ring fake;

	(void)state;
	fake_ring_init(&fake, 0);
	fake_ring_put_backward(&fake, 16, 1);
	assert_collected(&fake, "1");
	assert_collected(&fake, "");
	fake_ring_put_backward(&fake, 16, 2);
	assert_collected(&fake, "2");
	for (uint8_t i = 3; i < 12; i++)
		fake_ring_put_backward(&fake, 16, i);
	assert_collected(&fake, "8 9 10 11");
}

static void marked_records_are_gone_when_they_are_overwritten_or_collected(void **state)
{
	struct fake_ring fake;

	(void)state;
	fake_ring_init(&fake, 0);
	assert_true(ring_buffer_is_past_mark(&fake.ring)); /* there was none */
	fake_ring_put_backward(&fake, 16, 1);
	ring_buffer_mark_backward(&fake.ring);
	assert_false(ring_buffer_is_past_mark(&fake.ring));
	for (uint8_t i = 2; i < 5; i++)
		fake_ring_put_backward(&fake, 16, i);
	assert_false(ring_buffer_is_past_mark(&fake.ring));
	fake_ring_put_backward(&fake, 16, 5);
	assert_true(ring_buffer_is_past_mark(&fake.ring));
	ring_buffer_mark_backward(&fake.ring);
	assert_false(ring_buffer_is_past_mark(&fake.ring));
	assert_collected(&fake, "2 3 4 5");
	assert_true(ring_buffer_is_past_mark(&fake.ring));
	fake_ring_put_backward(&fake, 16, 6);
	assert_true(ring_buffer_is_past_mark(&fake.ring)); /* it came after the mark */
}

static void a_long_run_ends_early_so_that_its_room_can_be_given_back(void **state)
{
	enum { RECORD = 1024, RECORDS = 1024 };
	static uint8_t data[RECORD * RECORDS];
	const struct perf_event_header header = { .type = 1, .size = RECORD };
	struct ring_walk walk = { .spans = { .first = data, .first_size = sizeof(data) } };
	struct seen seen = { .count = 0 };
	const uint8_t *run;
	size_t size, total = 0;

	(void)state;
	for (size_t i = 0; i < RECORDS; i++)
		memcpy(data + i * RECORD, &header, sizeof(header));
	while (ring_walk_next(&walk, bounce, &run, &size, see, &seen) == 1) {
		assert_ptr_equal(run, data + total);
		assert_int_equal(size, RING_RUN_BYTES);
		total += size;
		seen.count = 0;
	}
	assert_int_equal(total, sizeof(data));
}

static void a_ring_is_pressed_when_more_than_five_eighths_are_full(void **state)
{
	struct fake_ring fake;

	(void)state;
	fake_ring_init(&fake, 40);
	fake_ring_put(&fake, 40, 1);
	assert_false(ring_buffer_is_pressed(&fake.ring));
	fake_ring_put(&fake, 8, 2);
	assert_true(ring_buffer_is_pressed(&fake.ring));
	ring_buffer_release(&fake.ring, 80);
	assert_false(ring_buffer_is_pressed(&fake.ring));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_that_lie_together_come_as_one_run),
		cmocka_unit_test(a_record_that_wraps_is_put_together_between_the_runs),
		cmocka_unit_test(a_header_that_wraps_is_read_as_well),
		cmocka_unit_test(a_full_ring_is_read_from_end_to_end),
		cmocka_unit_test(released_bytes_are_the_kernels_again),
		cmocka_unit_test(a_long_run_ends_early_so_that_its_room_can_be_given_back),
		cmocka_unit_test(a_ring_is_pressed_when_more_than_five_eighths_are_full),
		cmocka_unit_test(what_comes_before_an_impossible_size_is_kept),
		cmocka_unit_test(a_ring_that_is_written_backwards_is_collected_oldest_first),
		cmocka_unit_test(records_that_are_overwritten_in_part_are_left_out),
		cmocka_unit_test(collected_records_are_not_collected_again),
		cmocka_unit_test(marked_records_are_gone_when_they_are_overwritten_or_collected),
	};

	return cmocka_run_group_tests_name("record/ring_buffer", tests, NULL, NULL);
}
