#include "record/unsampled_maps.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/strbuf.h"
#include "support/cmocka.h"

enum { RING_BYTES = 4096, TIME_OFFSET = 8 + 8 + 8 /* header, ip, pid and tid */ };

/* A ring in ordinary memory, and records that were read from it. */
struct fixture {
	struct perf_event_mmap_page control;
	uint8_t data[RING_BYTES];
	struct ring_buffer ring;
	struct strbuf read;
	struct unsampled_maps *maps;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	memset(&fixture, 0, sizeof(fixture));
	fixture.ring = (struct ring_buffer){ .control = &fixture.control,
					     .data = fixture.data,
					     .size_bytes = RING_BYTES };
	strbuf_init(&fixture.read);
	fixture.maps = unsampled_maps_create(&fixture.ring, 1, TIME_OFFSET);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	unsampled_maps_destroy(fixture->maps);
	strbuf_fini(&fixture->read);
	return 0;
}

static struct strbuf made;

/* A record of four u32, whose meaning depends on the type. */
static const struct strbuf *record(uint32_t type, uint32_t first, uint32_t second, uint32_t third,
				   uint32_t fourth)
{
	const struct perf_event_header header = { .type = type, .size = 32 };
	const uint32_t words[6] = { first, second, third, fourth, 0, 0 };

	strbuf_reset(&made);
	strbuf_add(&made, &header, sizeof(header));
	strbuf_add(&made, words, sizeof(words));
	return &made;
}

static const struct strbuf *fork_of(uint32_t pid, uint32_t parent, uint32_t tid)
{
	return record(PERF_RECORD_FORK, pid, parent, tid, parent);
}

static const struct strbuf *end_of(uint32_t pid, uint32_t tid)
{
	return record(PERF_RECORD_EXIT, pid, 1, tid, 1);
}

static const struct strbuf *mapping_of(uint32_t pid)
{
	return record(PERF_RECORD_MMAP2, pid, pid, 0, 0);
}

static const struct strbuf *sample_of(uint32_t pid)
{
	return record(PERF_RECORD_SAMPLE, 0, 0, pid, pid); /* ip; pid, tid */
}

static void add(struct fixture *fixture, const struct strbuf *bytes)
{
	strbuf_add(&fixture->read, bytes->bytes, bytes->size);
}

static void put_into_ring(struct fixture *fixture, const struct strbuf *bytes)
{
	for (size_t i = 0; i < bytes->size; i++)
		fixture->data[fixture->control.data_head++ % RING_BYTES] = (uint8_t)bytes->bytes[i];
}

/* How many mappings are left in the records, which are forgotten then. */
static size_t mappings_left(struct fixture *fixture)
{
	struct strbuf *read = &fixture->read;
	struct perf_event_header header;
	size_t count = 0;

	read->size = unsampled_maps_remove(fixture->maps, (uint8_t *)read->bytes, read->size);
	for (size_t at = 0; at < read->size; at += header.size) {
		memcpy(&header, read->bytes + at, sizeof(header));
		count += header.type == PERF_RECORD_MMAP2;
	}
	strbuf_reset(read);
	return count;
}

static void only_mappings_of_a_process_without_samples_are_left_out(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf rest;

	strbuf_init(&rest);
	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, sample_of(8));
	add(fixture, mapping_of(7));
	add(fixture, end_of(7, 7));
	strbuf_add(&rest, fork_of(7, 1, 7)->bytes, 32);
	strbuf_add(&rest, sample_of(8)->bytes, 32);
	strbuf_add(&rest, end_of(7, 7)->bytes, 32);
	assert_int_equal(unsampled_maps_remove(fixture->maps, (uint8_t *)fixture->read.bytes,
					       fixture->read.size),
			 rest.size);
	assert_memory_equal(fixture->read.bytes, rest.bytes, rest.size);
	strbuf_fini(&rest);
}

static void a_sample_keeps_them(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, end_of(7, 7));
	add(fixture, sample_of(7)); /* of another ring */
	assert_int_equal(mappings_left(fixture), 1);
}

static void a_sample_that_is_still_in_a_ring_keeps_them(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, end_of(7, 7));
	put_into_ring(fixture, end_of(9, 9));
	put_into_ring(fixture, sample_of(7));
	assert_int_equal(mappings_left(fixture), 1);
}

/* How many are left of a process whose sample was written before its other records, with some ends of rounds between. */
static size_t left_after_rounds(struct fixture *fixture, int rounds)
{
	add(fixture, sample_of(7));
	assert_int_equal(mappings_left(fixture), 0);
	for (int i = 0; i < rounds; i++) {
		unsampled_maps_end_round(fixture->maps);
		if (i + 1 < rounds)
			assert_int_equal(mappings_left(fixture), 0);
	}
	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, end_of(7, 7));
	return mappings_left(fixture);
}

static void a_sample_that_was_flushed_before_keeps_them(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(left_after_rounds(fixture, 0), 1); /* a flush in the middle of a round */
	assert_int_equal(left_after_rounds(fixture, 1), 1);
	assert_int_equal(left_after_rounds(fixture, 2), 1);
	assert_int_equal(left_after_rounds(fixture, 3), 0); /* another process with the number */
}

static void a_child_keeps_them(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, fork_of(8, 7, 8));
	add(fixture, end_of(7, 7));
	assert_int_equal(mappings_left(fixture), 1);

	add(fixture, fork_of(9, 1, 9));
	add(fixture, mapping_of(9));
	add(fixture, end_of(9, 9));
	put_into_ring(fixture, fork_of(8, 9, 8));
	assert_int_equal(mappings_left(fixture), 1);
}

static void they_stay_if_the_process_began_before_or_goes_on(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, mapping_of(7));
	add(fixture, end_of(7, 7));
	add(fixture, fork_of(8, 1, 8));
	add(fixture, mapping_of(8));
	add(fixture, mapping_of(9));
	assert_int_equal(mappings_left(fixture), 3);
	add(fixture, end_of(8, 8)); /* began before the last flush */
	add(fixture, mapping_of(8));
	assert_int_equal(mappings_left(fixture), 1);
}

static void a_process_ends_with_its_last_thread(void **state)
{
	struct fixture *fixture = *state;

	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, fork_of(7, 7, 17));
	add(fixture, end_of(7, 7));
	assert_int_equal(mappings_left(fixture), 1);

	add(fixture, end_of(7, 17)); /* of another ring, so it is in front */
	add(fixture, fork_of(7, 1, 7));
	add(fixture, mapping_of(7));
	add(fixture, fork_of(7, 7, 17));
	add(fixture, end_of(7, 7));
	assert_int_equal(mappings_left(fixture), 0);
}

static void many_processes_are_told_apart(void **state)
{
	struct fixture *fixture = *state;

	for (uint32_t pid = 1000; pid < 2000; pid++) {
		add(fixture, fork_of(pid, 1, pid));
		add(fixture, mapping_of(pid));
		if (pid % 10 == 0)
			add(fixture, sample_of(pid));
		add(fixture, end_of(pid, pid));
	}
	assert_int_equal(mappings_left(fixture), 100);
}

static int free_made(void **state)
{
	(void)state;
	strbuf_fini(&made);
	return 0;
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_fixture(only_mappings_of_a_process_without_samples_are_left_out),
		with_fixture(a_sample_keeps_them),
		with_fixture(a_sample_that_is_still_in_a_ring_keeps_them),
		with_fixture(a_sample_that_was_flushed_before_keeps_them),
		with_fixture(a_child_keeps_them),
		with_fixture(they_stay_if_the_process_began_before_or_goes_on),
		with_fixture(a_process_ends_with_its_last_thread),
		with_fixture(many_processes_are_told_apart),
	};

	return cmocka_run_group_tests_name("record/unsampled_maps", tests, NULL, free_made);
}
