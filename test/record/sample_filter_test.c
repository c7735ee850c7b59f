#include "record/sample_filter.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"

enum { RING_BYTES = 128, TIME_OFFSET = 8 + 8 + 8 /* header, ip, pid and tid */ };

/* Two rings in ordinary memory, and a filter for "make". */
struct fixture {
	struct perf_event_mmap_page control[2];
	uint8_t data[2][RING_BYTES];
	struct ring_buffer rings[2];
	struct comm_filter *comms;
	struct sample_filter *filter;
};

static int set_up(void **state)
{
	static const struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_TIME };
	static struct fixture fixture;

	memset(&fixture, 0, sizeof(fixture));
	for (size_t i = 0; i < 2; i++)
		fixture.rings[i] = (struct ring_buffer){ .control = &fixture.control[i],
							 .data = fixture.data[i],
							 .size_bytes = RING_BYTES };
	fixture.comms = comm_filter_create("make", &attr);
	fixture.filter = sample_filter_create(fixture.comms, 2, TIME_OFFSET);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	sample_filter_destroy(fixture->filter);
	comm_filter_destroy(fixture->comms);
	return 0;
}

/* PERF_RECORD_COMM { header; u32 pid, tid; char comm[8]; u64 time; } */
static void put_comm(struct fixture *fixture, size_t ring, uint32_t tid, const char comm[static 8],
		     uint64_t time_ns)
{
	const struct perf_event_header header = { .type = PERF_RECORD_COMM, .size = 32 };
	const uint32_t ids[2] = { tid, tid };
	uint8_t record[32];

	memcpy(record, &header, 8);
	memcpy(record + 8, ids, 8);
	memcpy(record + 16, comm, 8);
	memcpy(record + 24, &time_ns, 8);
	for (size_t i = 0; i < sizeof(record); i++)
		fixture->data[ring][fixture->control[ring].data_head++ % RING_BYTES] = record[i];
}

static bool accepts(const struct fixture *fixture, uint32_t tid, uint64_t time_ns)
{
	const struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = 32 };
	const uint32_t ids[2] = { tid, tid };
	uint8_t sample[32] = { 0 };

	memcpy(sample, &header, 8);
	memcpy(sample + 16, ids, 8);
	memcpy(sample + TIME_OFFSET, &time_ns, 8);
	return sample_filter_accepts(fixture->filter, sample, sizeof(sample));
}

static void names_of_all_rings_are_known(void **state)
{
	struct fixture *fixture = *state;

	put_comm(fixture, 0, 7, "sh\0\0\0\0\0", 100);
	put_comm(fixture, 1, 7, "make\0\0\0", 200);
	assert_false(accepts(fixture, 7, 250));
	sample_filter_note_rings(fixture->filter, fixture->rings);
	assert_false(accepts(fixture, 7, 150));
	assert_true(accepts(fixture, 7, 250));
}

static void rings_are_read_on_from_round_to_round(void **state)
{
	struct fixture *fixture = *state;

	/* Three rounds of a ring of four records; noted records stay in the ring for a while. */
	for (uint32_t round = 0; round < 12; round++) {
		put_comm(fixture, 0, 100 + round, "make\0\0\0", 10 * round);
		sample_filter_note_rings(fixture->filter, fixture->rings);
		assert_true(accepts(fixture, 100 + round, 10 * round));
		sample_filter_end_round(fixture->filter);
		if (round >= 2)
			fixture->control[0].data_tail += 32;
	}
	assert_int_equal(comm_filter_thread_count(fixture->comms), 12);
}

static void a_ring_that_is_not_mapped_is_passed_over(void **state)
{
	struct fixture *fixture = *state;

	fixture->rings[0].control = NULL;
	put_comm(fixture, 1, 7, "make\0\0\0", 200);
	sample_filter_note_rings(fixture->filter, fixture->rings);
	assert_true(accepts(fixture, 7, 250));
}

static void a_sample_that_is_cut_off_is_not_accepted(void **state)
{
	struct fixture *fixture = *state;
	const uint8_t sample[TIME_OFFSET] = { 0 };

	assert_false(sample_filter_accepts(fixture->filter, sample, sizeof(sample)));
}

#define FILTER_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILTER_TEST(names_of_all_rings_are_known),
		FILTER_TEST(rings_are_read_on_from_round_to_round),
		FILTER_TEST(a_ring_that_is_not_mapped_is_passed_over),
		FILTER_TEST(a_sample_that_is_cut_off_is_not_accepted),
	};

	return cmocka_run_group_tests_name("record/sample_filter", tests, NULL, NULL);
}
