#include "record/ring_lane.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/fake_rings.h"

enum { RINGS = 2, RING_BYTES = 1024, RECORD_BYTES = 64 };

static struct fake_rings fake;
static size_t others, taken_bytes;

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
	taken_bytes += size;
	return 0;
}

static const struct lane_sink sink = { .take = take };
static struct lane_surroundings surroundings;

static int set_up(void **state)
{
	(void)state;
	fake_rings_init(&fake, RINGS, RING_BYTES);
	surroundings = (struct lane_surroundings){
		.rings = fake.rings, .ring_count = RINGS, .time_offset = 16, .look_at_other = count_other
	};
	others = taken_bytes = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fake_rings_fini(&fake);
	return 0;
}

static void put(size_t ring, uint32_t type, size_t count)
{
	uint8_t record[RECORD_BYTES] = { 0 };
	const struct perf_event_header header = { .type = type, .size = sizeof(record) };
	const uint64_t time_ns = 5;

	memcpy(record, &header, sizeof(header));
	memcpy(record + 16, &time_ns, sizeof(time_ns));
	while (count--)
		assert_true(fake_rings_put(&fake, ring, record, sizeof(record)));
}

static void drain(struct ring_lane *lane, size_t ring, bool release)
{
	const struct ring_spans spans = ring_buffer_peek(&fake.rings[ring]);
	struct error err;

	assert_int_equal(ring_lane_drain(lane, ring, &spans, release, &sink, &err), 0);
}

static void room_is_given_back_only_if_that_is_wanted(void **state)
{
	struct ring_lane *lane = ring_lane_create(&surroundings, NULL);
	struct lane_counts counts;

	(void)state;
	put(0, PERF_RECORD_SAMPLE, 3);
	put(0, PERF_RECORD_EXIT, 1);
	drain(lane, 0, false);
	assert_int_equal(ring_buffer_peek(&fake.rings[0]).first_size, 4 * RECORD_BYTES);
	drain(lane, 0, true);
	assert_int_equal(ring_buffer_peek(&fake.rings[0]).first_size, 0);
	counts = ring_lane_take_counts(lane);
	assert_int_equal(counts.samples, 6);
	assert_int_equal(counts.first_sample_ns, 5);
	assert_int_equal(counts.last_sample_ns, 5);
	assert_int_equal(others, 2);
	assert_int_equal(taken_bytes, 8 * RECORD_BYTES);
	ring_lane_destroy(lane);
}

static void a_lane_that_drops_samples_writes_everything_else(void **state)
{
	struct ring_lane *lane = ring_lane_create(&surroundings, NULL);
	struct lane_counts counts;

	(void)state;
	put(1, PERF_RECORD_SAMPLE, 5);
	put(1, PERF_RECORD_FORK, 2);
	ring_lane_set_pressure(lane, LANE_DROPPING);
	drain(lane, 1, true);
	counts = ring_lane_take_counts(lane);
	assert_int_equal(counts.samples, 0);
	assert_int_equal(counts.dropped, 5);
	assert_int_equal(taken_bytes, 2 * RECORD_BYTES);
	ring_lane_set_pressure(lane, LANE_AT_EASE);
	put(1, PERF_RECORD_SAMPLE, 1);
	drain(lane, 1, true);
	assert_int_equal(ring_lane_take_counts(lane).samples, 1);
	ring_lane_destroy(lane);
}

/* Pressure grows in steps, from the least harmful, and ends at once. */
static void pressure_grows_while_a_ring_stays_full(void **state)
{
	struct lane_strain strain = { 0 };

	(void)state;
	put(0, PERF_RECORD_SAMPLE, RING_BYTES / RECORD_BYTES / 2);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 7), LANE_AT_EASE);
	put(0, PERF_RECORD_SAMPLE, 3);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 7), LANE_HURRIED);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 7), LANE_HURRIED);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 7), LANE_HURRIED);
	for (int i = 0; i < 100; i++) /* full, but nothing is lost */
		assert_int_equal(lane_strain_judge(&strain, &surroundings, 7), LANE_CUTTING);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 8), LANE_DROPPING);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 8), LANE_DROPPING);
	ring_buffer_release(&fake.rings[0], ring_buffer_peek(&fake.rings[0]).head);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 8), LANE_AT_EASE);
}

/* Even with losses from the start, stacks are cut first. */
static void samples_are_dropped_only_where_cutting_did_not_help(void **state)
{
	struct lane_strain strain = { 0 };

	(void)state;
	put(0, PERF_RECORD_SAMPLE, RING_BYTES / RECORD_BYTES / 2 + 3);
	for (uint64_t lost = 1; lost < 4; lost++)
		assert_int_equal(lane_strain_judge(&strain, &surroundings, lost), LANE_HURRIED);
	for (uint64_t lost = 4; lost < 8; lost++)
		assert_int_equal(lane_strain_judge(&strain, &surroundings, lost), LANE_CUTTING);
	assert_int_equal(lane_strain_judge(&strain, &surroundings, 8), LANE_DROPPING);
	ring_buffer_release(&fake.rings[0], ring_buffer_peek(&fake.rings[0]).head);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(room_is_given_back_only_if_that_is_wanted),
		TEST(a_lane_that_drops_samples_writes_everything_else),
		TEST(pressure_grows_while_a_ring_stays_full),
		TEST(samples_are_dropped_only_where_cutting_did_not_help),
	};

	return cmocka_run_group_tests_name("record/ring_lane", tests, NULL, NULL);
}
