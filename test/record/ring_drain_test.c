#include "record/ring_drain.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/fake_rings.h"

enum { RINGS = 4, LANES = 2, RING_BYTES = 1 << 14, TIME_OFFSET = 16 };

/* { header; u32 pid, tid; u64 time } */
struct record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time;
};

static struct fake_rings fake;
static struct lane_surroundings surroundings;
static size_t others;
static uint64_t bytes_taken;
static size_t lane_of_ring[RINGS] = { 0, 1, 0, 1 };
static cpu_set_t cpus[LANES];
static struct drain_plan plan = { .lane_count = LANES, .lane_of_ring = lane_of_ring, .cpus = cpus };

static void count_other(const uint8_t *record, size_t size, void *context)
{
	(void)record;
	(void)size;
	(void)context;
	others++;
}

static int take(void *context, const uint8_t *records, size_t size, struct error *err)
{
	(void)context;
	(void)records;
	(void)err;
	bytes_taken += size;
	return 0;
}

static const struct lane_sink sink = { take, NULL };

static int set_up(void **state)
{
	(void)state;
	fake_rings_init(&fake, RINGS, RING_BYTES);
	surroundings = (struct lane_surroundings){ .rings = fake.rings,
						   .ring_count = RINGS,
						   .time_offset = TIME_OFFSET,
						   .look_at_other = count_other };
	others = 0;
	bytes_taken = 0;
	plan.at_once = false;
	for (size_t i = 0; i < LANES; i++)
		sched_getaffinity(0, sizeof(cpus[i]), &cpus[i]);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fake_rings_fini(&fake);
	return 0;
}

/*
 * Puts this number of samples into each ring, as far as there is room, and a record of another type before them. Returns the
 * number of all.
 */
static size_t put_samples(size_t samples)
{
	static uint64_t time;
	struct record record = { .header = { .type = PERF_RECORD_COMM, .size = sizeof(record) }, .pid = 7 };
	size_t count = 0;

	for (size_t ring = 0; ring < RINGS; ring++) {
		record.header.type = PERF_RECORD_COMM;
		for (size_t i = 0; i <= samples; i++) {
			record.time = ++time;
			count += fake_rings_put(&fake, ring, &record, sizeof(record));
			record.header.type = PERF_RECORD_SAMPLE;
		}
	}
	return count;
}

/* Does a round, which must read all `put` records. */
static void read_round(struct ring_drain *drain, size_t put)
{
	struct lane_counts counts = { 0 };
	struct error err;

	bytes_taken = others = 0;
	ring_drain_begin(drain, NULL, 0);
	assert_int_equal(ring_drain_bytes(drain), put * sizeof(struct record));
	assert_int_equal(ring_drain_read(drain, &sink, &counts, &err), 0);
	ring_drain_end(drain);
	assert_int_equal(bytes_taken, put * sizeof(struct record));
	assert_int_equal(others, RINGS);
	assert_int_equal(counts.samples, put - RINGS);
	assert_int_equal(counts.dropped, 0);
	assert_true(counts.first_sample_ns > 0 && counts.last_sample_ns > counts.first_sample_ns);
}

static void one_thread_reads_until_a_ring_is_too_full(void **state)
{
	struct ring_drain *drain = ring_drain_create(&surroundings, NULL);

	(void)state;
	ring_drain_plan_threads(drain, &plan, NULL, NULL);
	read_round(drain, put_samples(10));
	assert_int_equal(ring_drain_threads(drain), 1);
	read_round(drain, put_samples(RING_BYTES / sizeof(struct record)));
	assert_int_equal(ring_drain_threads(drain), LANES);
	read_round(drain, put_samples(10));
	assert_int_equal(ring_drain_threads(drain), LANES);
	ring_drain_destroy(drain);
}

static void several_threads_read_at_once_if_that_is_planned(void **state)
{
	struct ring_drain *drain = ring_drain_create(&surroundings, NULL);

	(void)state;
	plan.at_once = true;
	ring_drain_plan_threads(drain, &plan, NULL, NULL);
	read_round(drain, put_samples(10));
	assert_int_equal(ring_drain_threads(drain), LANES);
	ring_drain_destroy(drain);
}

static void without_a_plan_there_is_one_thread(void **state)
{
	struct ring_drain *drain = ring_drain_create(&surroundings, NULL);

	(void)state;
	read_round(drain, put_samples(RING_BYTES / sizeof(struct record)));
	assert_int_equal(ring_drain_threads(drain), 1);
	ring_drain_destroy(drain);
}

static void kept_records_are_read_like_others(void **state)
{
	struct ring_drain *drain = ring_drain_create(&surroundings, NULL);
	const struct record record = { .header = { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) },
				       .pid = 7,
				       .time = 42 };
	struct lane_counts counts = { 0 };
	uint8_t kept[sizeof(record)];
	struct error err;

	(void)state;
	memcpy(kept, &record, sizeof(record));
	assert_int_equal(ring_drain_add(drain, kept, sizeof(kept), &sink, &counts, &err), 0);
	assert_int_equal(counts.samples, 1);
	assert_int_equal(counts.first_sample_ns, 42);
	assert_int_equal(bytes_taken, sizeof(kept));
	ring_drain_destroy(drain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(one_thread_reads_until_a_ring_is_too_full),
		TEST(several_threads_read_at_once_if_that_is_planned),
		TEST(without_a_plan_there_is_one_thread),
		TEST(kept_records_are_read_like_others),
	};

	return cmocka_run_group_tests_name("record/ring_drain", tests, NULL, NULL);
}
