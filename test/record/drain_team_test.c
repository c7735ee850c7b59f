#include "record/drain_team.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>

#include "base/strbuf.h"
#include "support/cmocka.h"
#include "support/fake_rings.h"

enum { RINGS = 24, LANES = 3, RING_BYTES = 1 << 16, TIME_OFFSET = 16 };

/* { header; u32 pid, tid; u64 time; u64 ring } */
struct record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t time, ring;
};

static struct fake_rings fake;
static atomic_size_t others, sampled;

static void count_other(const uint8_t *record, size_t size, void *context)
{
	(void)record;
	(void)size;
	(void)context;
	others++;
}

static void count_sampled(uint32_t pid, void *context)
{
	(void)context;
	assert_int_equal(pid, 7);
	sampled++;
}

static struct lane_surroundings surroundings;

static int set_up(void **state)
{
	(void)state;
	fake_rings_init(&fake, RINGS, RING_BYTES);
	surroundings = (struct lane_surroundings){ .rings = fake.rings,
						   .ring_count = RINGS,
						   .time_offset = TIME_OFFSET,
						   .look_at_other = count_other,
						   .sampled = count_sampled };
	others = sampled = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fake_rings_fini(&fake);
	return 0;
}

static bool put(size_t ring, uint32_t type, uint64_t time)
{
	const struct record record = { .header = { .type = type, .size = sizeof(record) },
				       .pid = 7,
				       .tid = 8,
				       .time = time,
				       .ring = ring };

	return fake_rings_put(&fake, ring, &record, sizeof(record));
}

static size_t lane_of_ring[RINGS];
static cpu_set_t cpus[LANES];

static struct drain_plan plan_of_lanes(void)
{
	for (size_t i = 0; i < RINGS; i++)
		lane_of_ring[i] = i % LANES;
	for (size_t i = 0; i < LANES; i++)
		sched_getaffinity(0, sizeof(cpus[i]), &cpus[i]);
	return (struct drain_plan){ .lane_count = LANES, .lane_of_ring = lane_of_ring, .cpus = cpus };
}

static void peek_all(struct ring_spans *round)
{
	for (size_t i = 0; i < RINGS; i++)
		round[i] = ring_buffer_peek(&fake.rings[i]);
}

/* The records that a sink received: the time of the last one of each ring, and their number. */
struct taken {
	uint64_t last[RINGS];
	size_t records, calls, fail_after;
};

static int take(void *context, const uint8_t *records, size_t size, struct error *err)
{
	struct taken *taken = context;
	struct record record;

	if (taken->fail_after && taken->calls == taken->fail_after)
		return error_set(err, "the disk is full");
	taken->calls++;
	for (size_t at = 0; at < size; at += sizeof(record)) {
		assert_in_range(sizeof(record), 1, size - at);
		memcpy(&record, records + at, sizeof(record));
		assert_int_equal(record.header.size, sizeof(record));
		assert_true(record.time > taken->last[record.ring]);
		taken->last[record.ring] = record.time;
		taken->records++;
	}
	return 0;
}

/* Fills all rings to the end; every 16th record is not a sample. Returns the number of records. */
static size_t fill(uint64_t *time)
{
	size_t count = 0;

	for (size_t ring = 0; ring < RINGS; ring++)
		while (put(ring, count % 16 ? PERF_RECORD_SAMPLE : PERF_RECORD_COMM, ++*time))
			count++;
	return count;
}

static void all_records_come_and_those_of_a_ring_in_order(void **state)
{
	const struct drain_plan plan = plan_of_lanes();
	struct drain_team *team = drain_team_create(&surroundings, &plan, NULL);
	static struct taken taken;
	const struct lane_sink sink = { take, &taken };
	struct ring_spans round[RINGS];
	struct lane_counts counts = { 0 };
	uint64_t time = 0;
	size_t put_count = 0;
	struct error err;

	(void)state;
	taken = (struct taken){ 0 };
	for (int i = 0; i < 20; i++) {
		put_count += fill(&time);
		peek_all(round);
		assert_int_equal(drain_team_round(team, round, LANE_AT_EASE, &sink, &err), 0);
	}
	assert_int_equal(taken.records, put_count);
	for (size_t i = 0; i < LANES; i++) {
		const struct lane_counts added = drain_team_take_counts(team, i);

		lane_counts_add(&counts, added);
		assert_true(added.first_sample_ns > 0 && added.last_sample_ns <= time);
	}
	assert_int_equal(counts.samples + others, put_count);
	assert_int_equal(sampled, counts.samples);
	assert_int_equal(counts.dropped, 0);
	assert_int_equal(drain_team_take_counts(team, 0).samples, 0);
	for (size_t i = 0; i < RINGS; i++)
		assert_int_equal(ring_buffer_peek(&fake.rings[i]).first_size, 0);
	drain_team_destroy(team);
}

static void a_failing_sink_ends_the_round_and_blocks_no_lane(void **state)
{
	const struct drain_plan plan = plan_of_lanes();
	struct drain_team *team = drain_team_create(&surroundings, &plan, NULL);
	static struct taken taken;
	const struct lane_sink sink = { take, &taken };
	struct ring_spans round[RINGS];
	uint64_t time = 0;
	struct error err;

	(void)state;
	taken = (struct taken){ .fail_after = 1 };
	fill(&time);
	peek_all(round);
	assert_int_equal(drain_team_round(team, round, LANE_AT_EASE, &sink, &err), -1);
	assert_string_equal(err.message, "the disk is full");
	assert_int_equal(taken.calls, 1);
	drain_team_destroy(team);
}

static void a_record_of_impossible_size_is_an_error(void **state)
{
	const struct drain_plan plan = plan_of_lanes();
	struct drain_team *team = drain_team_create(&surroundings, &plan, NULL);
	const struct perf_event_header broken = { .type = PERF_RECORD_SAMPLE, .size = 3 };
	static struct taken taken;
	const struct lane_sink sink = { take, &taken };
	struct ring_spans round[RINGS];
	struct error err;

	(void)state;
	taken = (struct taken){ 0 };
	put(0, PERF_RECORD_SAMPLE, 1);
	fake_rings_put(&fake, 5, &broken, sizeof(broken));
	peek_all(round);
	assert_int_equal(drain_team_round(team, round, LANE_AT_EASE, &sink, &err), -1);
	assert_int_equal(taken.records, 1);
	drain_team_destroy(team);
}

static void under_the_worst_pressure_samples_are_dropped_and_nothing_else(void **state)
{
	const struct drain_plan plan = plan_of_lanes();
	struct drain_team *team = drain_team_create(&surroundings, &plan, NULL);
	static struct taken taken;
	const struct lane_sink sink = { take, &taken };
	struct ring_spans round[RINGS];
	uint64_t time = 0;
	size_t count, dropped = 0;
	struct error err;

	(void)state;
	taken = (struct taken){ 0 };
	count = fill(&time);
	peek_all(round);
	assert_int_equal(drain_team_round(team, round, LANE_DROPPING, &sink, &err), 0);
	for (size_t i = 0; i < LANES; i++)
		dropped += drain_team_take_counts(team, i).dropped;
	assert_int_equal(taken.records, others);
	assert_int_equal(dropped + others, count);
	assert_true(others > 0 && dropped > 0);
	drain_team_destroy(team);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(all_records_come_and_those_of_a_ring_in_order),
		TEST(a_failing_sink_ends_the_round_and_blocks_no_lane),
		TEST(a_record_of_impossible_size_is_an_error),
		TEST(under_the_worst_pressure_samples_are_dropped_and_nothing_else),
	};

	return cmocka_run_group_tests_name("record/drain_team", tests, NULL, NULL);
}
