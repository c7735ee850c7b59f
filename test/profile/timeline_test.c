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
	};

	return cmocka_run_group_tests_name("profile/timeline", tests, NULL, NULL);
}
