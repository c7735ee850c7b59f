#include "profile/timeline.h"

#include "support/cmocka.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

static void equals(const struct timeline *timeline, size_t number, struct timeline_entry expected)
{
	const struct timeline_entry *entry = timeline_at(timeline, number);

	assert_int_equal(entry->slot, expected.slot);
	assert_int_equal(entry->sample, expected.sample);
	assert_int_equal(entry->count, expected.count);
	assert_int_equal(entry->weight, expected.weight);
}

static void nothing_has_no_entries(void **state)
{
	struct timeline *timeline = timeline_create(10);

	(void)state;
	timeline_finish(timeline, 10);
	assert_int_equal(timeline_count(timeline), 0);
	timeline_destroy(timeline);
}

static void samples_of_one_slot_are_added_up_and_slots_are_in_order(void **state)
{
	struct timeline *timeline = timeline_create(100);

	(void)state;
	timeline_add(timeline, 10 * SECOND + 40 * MS, 7, 5);
	timeline_add(timeline, 3 * SECOND, 2, 1);
	timeline_add(timeline, 10 * SECOND + 59 * MS, 7, 6);
	timeline_add(timeline, 10 * SECOND + 59 * MS, 1, 3);
	timeline_finish(timeline, 1000);
	assert_int_equal(timeline_slot_ns(timeline), 20 * MS);
	assert_int_equal(timeline_count(timeline), 3);
	equals(timeline, 0, (struct timeline_entry){ 150, 2, 1, 1 });
	equals(timeline, 1, (struct timeline_entry){ 502, 1, 1, 3 });
	equals(timeline, 2, (struct timeline_entry){ 502, 7, 2, 11 });
	timeline_destroy(timeline);
}

static void a_short_recording_has_columns_of_a_tenth_of_a_second(void **state)
{
	struct timeline *timeline = timeline_create(100);

	(void)state;
	timeline_add(timeline, 10 * SECOND, 1, 1);
	timeline_add(timeline, 12 * SECOND, 1, 1);
	timeline_finish(timeline, 1000);
	assert_int_equal(timeline_slot_ns(timeline), 2 * MS);
	timeline_destroy(timeline);
}

static void a_long_recording_has_no_more_columns_than_asked_for(void **state)
{
	struct timeline *timeline = timeline_create(100);

	(void)state;
	timeline_add(timeline, 0, 1, 1);
	timeline_add(timeline, 3600 * SECOND, 1, 1);
	timeline_finish(timeline, 400); /* 361 columns of ten seconds */
	assert_int_equal(timeline_slot_ns(timeline), 200 * MS);
	timeline_destroy(timeline);
}

static void more_entries_than_there_is_room_for_make_slots_coarser(void **state)
{
	struct timeline *timeline = timeline_create(10);
	uint64_t count = 0, weight = 0;
	size_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		timeline_add(timeline, i * 10 * MS, (uint32_t)(i % 2), 3);
	timeline_finish(timeline, 1000);
	assert_true(timeline_count(timeline) <= 10);
	for (i = 0; i < timeline_count(timeline); i++) {
		count += timeline_at(timeline, i)->count;
		weight += timeline_at(timeline, i)->weight;
	}
	assert_int_equal(count, 1000);
	assert_int_equal(weight, 3000);
	timeline_destroy(timeline);
}

/* Without room for all of them, each new sample would cause a sort of the others, and no slot length would help. */
static void room_grows_with_different_samples(void **state)
{
	struct timeline *timeline = timeline_create(10);
	size_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		timeline_add(timeline, i * 2 * MS, (uint32_t)i, 3);
	timeline_finish(timeline, 1000);
	assert_int_equal(timeline_slot_ns(timeline), 2 * MS);
	assert_int_equal(timeline_count(timeline), 100);
	for (i = 0; i < 100; i++)
		equals(timeline, i, (struct timeline_entry){ i, (uint32_t)i, 1, 3 });
	timeline_destroy(timeline);
}

static void renumbered_samples_that_became_one_are_added_up(void **state)
{
	struct timeline *timeline = timeline_create(100);

	(void)state;
	timeline_add(timeline, 0, 0, 1);
	timeline_add(timeline, 0, 1, 2);
	timeline_renumber(timeline, (const uint32_t[]){ 4, 4 });
	timeline_finish(timeline, 10);
	assert_int_equal(timeline_count(timeline), 1);
	equals(timeline, 0, (struct timeline_entry){ 0, 4, 2, 3 });
	timeline_destroy(timeline);
}

static void a_cleared_one_is_as_it_was_created(void **state)
{
	struct timeline *timeline = timeline_create(100);

	(void)state;
	timeline_add(timeline, SECOND, 7, 5);
	timeline_clear(timeline);
	timeline_add(timeline, 2 * SECOND, 8, 3);
	timeline_finish(timeline, 1000);
	assert_int_equal(timeline_count(timeline), 1);
	assert_int_equal(timeline_at(timeline, 0)->sample, 8);
	timeline_destroy(timeline);
}

/* A day, 2 samples in each slot of 20 ms, of three kinds in turn; every third of them weighs more. */
static struct timeline *busy_day(size_t most_entries)
{
	struct timeline *timeline = timeline_create_thinning(most_entries, 100000);
	const uint64_t samples = UINT64_C(86400) * 100;

	for (uint64_t i = 0; i < samples; i++)
		timeline_add(timeline, i * 10 * MS, (uint32_t)(i % 3), i % 3 == 2 ? 5 : 1);
	timeline_finish(timeline, 100000);
	return timeline;
}

static void slots_of_a_thinned_day_stay_short_and_have_all_counts(void **state)
{
	struct timeline *timeline = busy_day(100000);
	uint64_t first;
	size_t count;
	const uint32_t *counts = timeline_slot_counts(timeline, &first, &count);

	(void)state;
	assert_int_equal(timeline_slot_ns(timeline), 20 * MS);
	assert_int_equal(first, 0);
	assert_int_equal(count, 86400 * 50);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(counts[i], 2);
	timeline_destroy(timeline);
}

/* Chance decides which are kept: each kind has its share within five standard deviations. */
static void kept_samples_stand_for_all(void **state)
{
	struct timeline *timeline = busy_day(100000);
	double kept[3] = { 0 };

	(void)state;
	assert_in_range(timeline_every(timeline), 128, 256);
	assert_in_range(timeline_count(timeline), 20000, 100000);
	for (size_t i = 0; i < timeline_count(timeline); i++) {
		const struct timeline_entry *entry = timeline_at(timeline, i);

		assert_int_equal(entry->weight, entry->sample == 2 ? 5 * entry->count : entry->count);
		kept[entry->sample] += entry->count;
	}
	for (size_t i = 0; i < 3; i++) {
		const double expected = 86400.0 * 100 / 3 / timeline_every(timeline);

		assert_true((kept[i] - expected) * (kept[i] - expected) < 25 * expected);
	}
	timeline_destroy(timeline);
}

static void it_can_be_thinned_further(void **state)
{
	struct timeline *timeline = busy_day(100000);
	const uint32_t every = timeline_every(timeline);

	(void)state;
	timeline_thin(timeline, 5000);
	assert_in_range(timeline_count(timeline), 1000, 5000);
	assert_in_range(timeline_every(timeline), 4 * every, 64 * every);
	timeline_destroy(timeline);
}

static void entries_of_many_samples_are_thinned_by_sample(void **state)
{
	struct timeline *timeline = timeline_create_thinning(100, 100000);

	(void)state;
	for (int i = 0; i < 100000; i++)
		timeline_add(timeline, 0, 1, 3);
	for (uint32_t i = 0; i < 120; i++)
		timeline_add(timeline, SECOND, i + 2, 1);
	timeline_finish(timeline, 1000);
	assert_in_range(timeline_every(timeline), 2, 8);
	assert_int_equal(timeline_at(timeline, 0)->sample, 1);
	assert_int_equal(timeline_at(timeline, 0)->weight, 3 * timeline_at(timeline, 0)->count);
	assert_in_range(timeline_at(timeline, 0)->count * timeline_every(timeline), 97000, 103000);
	timeline_destroy(timeline);
}

static void one_with_room_for_all_is_not_thinned(void **state)
{
	struct timeline *timeline = timeline_create_thinning(1000, 100000);

	(void)state;
	for (uint32_t i = 0; i < 900; i++)
		timeline_add(timeline, i * SECOND, i % 7, 1);
	timeline_finish(timeline, 100000);
	assert_int_equal(timeline_every(timeline), 1);
	assert_int_equal(timeline_count(timeline), 900);
	timeline_destroy(timeline);
}

/* A year: more slots of 20 ms than columns have room for. */
static void a_thinned_one_has_no_more_columns_than_asked_for(void **state)
{
	struct timeline *timeline = timeline_create_thinning(1000, 1000);
	uint64_t first;
	size_t count;

	(void)state;
	for (uint64_t day = 0; day < 365; day++)
		timeline_add(timeline, day * 86400 * SECOND, 0, 1);
	timeline_finish(timeline, 1000);
	(void)timeline_slot_counts(timeline, &first, &count);
	assert_in_range(count, 2, 1000 * TIMELINE_COLUMN_SLOTS);
	timeline_destroy(timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_has_no_entries),
		cmocka_unit_test(samples_of_one_slot_are_added_up_and_slots_are_in_order),
		cmocka_unit_test(a_short_recording_has_columns_of_a_tenth_of_a_second),
		cmocka_unit_test(a_long_recording_has_no_more_columns_than_asked_for),
		cmocka_unit_test(more_entries_than_there_is_room_for_make_slots_coarser),
		cmocka_unit_test(a_cleared_one_is_as_it_was_created),
		cmocka_unit_test(room_grows_with_different_samples),
		cmocka_unit_test(renumbered_samples_that_became_one_are_added_up),
		cmocka_unit_test(slots_of_a_thinned_day_stay_short_and_have_all_counts),
		cmocka_unit_test(kept_samples_stand_for_all),
		cmocka_unit_test(it_can_be_thinned_further),
		cmocka_unit_test(entries_of_many_samples_are_thinned_by_sample),
		cmocka_unit_test(one_with_room_for_all_is_not_thinned),
		cmocka_unit_test(a_thinned_one_has_no_more_columns_than_asked_for),
	};

	return cmocka_run_group_tests_name("profile/timeline", tests, NULL, NULL);
}
