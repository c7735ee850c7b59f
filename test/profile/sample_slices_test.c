#include "profile/sample_slices.h"

#include "support/cmocka.h"

enum { MS = 1000000 };

/* Four entries of equal weight, of two samples in turn, are cut into two slices; an unwanted third sample moves no cut. */
static void recordings_are_cut_into_slices_of_equal_weight(void **state)
{
	static const bool wanted[] = { true, true, false };
	struct timeline *timeline = timeline_create(100);
	struct sample_slices slices;

	(void)state;
	timeline_add(timeline, 90 * MS, 0, 5);
	timeline_add(timeline, 10 * MS, 0, 5);
	timeline_add(timeline, 20 * MS, 1, 5);
	timeline_add(timeline, 100 * MS, 1, 5);
	timeline_add(timeline, 30 * MS, 2, 1000);
	timeline_finish(timeline, 1000);
	sample_slices_init(&slices, timeline, wanted, 3, 2);
	assert_int_equal(slices.first[0], 0);
	assert_int_equal(slices.first[1], 2);
	assert_int_equal(slices.first[2], 4);
	assert_int_equal(slices.first[3], 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(slices.items[i].slice, i % 2);
		assert_true(slices.items[i].weight == 5);
	}
	sample_slices_fini(&slices);
	timeline_destroy(timeline);
}

static void what_has_no_times_has_no_slices(void **state)
{
	static const bool wanted[] = { true, false };
	struct timeline *timeline = timeline_create(100);
	struct sample_slices slices;

	(void)state;
	sample_slices_init(&slices, timeline, wanted, 2, 16);
	assert_null(slices.items);
	sample_slices_fini(&slices);
	timeline_add(timeline, MS, 1, 5);
	timeline_finish(timeline, 1000);
	sample_slices_init(&slices, timeline, wanted, 2, 16);
	assert_null(slices.items);
	sample_slices_fini(&slices);
	timeline_destroy(timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_are_cut_into_slices_of_equal_weight),
		cmocka_unit_test(what_has_no_times_has_no_slices),
	};

	return cmocka_run_group_tests_name("profile/sample_slices", tests, NULL, NULL);
}
