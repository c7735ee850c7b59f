#include "report/rows/row_totals.h"

#include "support/cmocka.h"

enum { F, G, H };

static void add(struct row_totals *totals, uint32_t row, uint32_t number, uint64_t weight)
{
	const struct row_sample sample = { .count = 1, .weight = weight, .number = number };

	row_totals_add(totals, row, &sample);
}

static void assert_total(const struct row_totals *totals, uint32_t row, uint64_t count, uint64_t weight)
{
	assert_int_equal(totals->rows[row].count, count);
	assert_int_equal(totals->rows[row].weight, weight);
	assert_int_equal(totals->rows[row].open, 0);
}

static void a_call_has_the_samples_of_the_calls_from_it(void **state)
{
	struct row_totals totals;

	(void)state;
	row_totals_init(&totals, false);
	row_totals_enter(&totals, 0, F);
	row_totals_enter(&totals, 1, G);
	add(&totals, G, 7, 1);
	row_totals_leave(&totals, 0);
	row_totals_enter(&totals, 2, H);
	add(&totals, H, 3, 2);
	row_totals_leave(&totals, UINT32_MAX);
	assert_total(&totals, F, 2, 3);
	assert_total(&totals, G, 1, 1);
	assert_total(&totals, H, 1, 2);
	assert_int_equal(totals.rows[F].first_sample, 3);
	assert_int_equal(totals.rows[G].first_sample, 7);
	row_totals_fini(&totals);
}

static void a_row_that_is_open_already_gets_a_sample_once(void **state)
{
	struct row_totals totals;

	(void)state;
	row_totals_init(&totals, false);
	row_totals_enter(&totals, 0, F);
	row_totals_enter(&totals, 1, G);
	row_totals_enter(&totals, 2, F);
	add(&totals, F, 0, 1);
	row_totals_leave(&totals, 1);
	add(&totals, F, 1, 2); /* inlined there, by its row */
	add(&totals, H, 2, 4);
	row_totals_leave(&totals, UINT32_MAX);
	assert_total(&totals, F, 3, 7);
	assert_total(&totals, G, 3, 7);
	assert_total(&totals, H, 1, 4);
	row_totals_fini(&totals);
}

/* F calls G, which calls F, and H. */
static void make_heights(struct row_totals *totals, bool from_leaf)
{
	row_totals_init(totals, from_leaf);
	row_totals_enter(totals, 0, F);
	row_totals_enter(totals, 1, G);
	row_totals_enter(totals, 2, F);
	row_totals_leave(totals, 0);
	row_totals_enter(totals, 3, H);
	row_totals_leave(totals, UINT32_MAX);
}

static void heights_are_told_from_either_end(void **state)
{
	struct row_totals totals;

	(void)state;
	make_heights(&totals, false);
	assert_int_equal(totals.rows[F].height, 3);
	assert_int_equal(totals.rows[G].height, 2);
	assert_int_equal(totals.rows[H].height, 2);
	row_totals_fini(&totals);
	make_heights(&totals, true);
	assert_int_equal(totals.rows[F].height, 3);
	assert_int_equal(totals.rows[G].height, 2);
	assert_int_equal(totals.rows[H].height, 1);
	row_totals_fini(&totals);
}

static void a_sample_in_no_call_is_in_its_row_alone(void **state)
{
	struct row_totals totals;

	(void)state;
	row_totals_init(&totals, true);
	add(&totals, G, 5, UINT64_MAX);
	add(&totals, G, 4, 1);
	assert_total(&totals, G, 2, UINT64_MAX);
	assert_int_equal(totals.rows[G].first_sample, 4);
	assert_int_equal(totals.rows[G].height, 0);
	assert_total(&totals, F, 0, 0);
	row_totals_fini(&totals);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_has_the_samples_of_the_calls_from_it),
		cmocka_unit_test(a_row_that_is_open_already_gets_a_sample_once),
		cmocka_unit_test(heights_are_told_from_either_end),
		cmocka_unit_test(a_sample_in_no_call_is_in_its_row_alone),
	};

	return cmocka_run_group_tests_name("report/rows/row_totals", tests, NULL, NULL);
}
