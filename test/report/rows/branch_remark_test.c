#include "report/rows/branch_remark.h"

#include "support/cmocka.h"

static void assert_text(const struct branch_remark *remark, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	branch_remark_add_text(&text, remark);
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

static void predicted_branches_need_no_remark(void **state)
{
	const struct branch_mark predicted = { .predicted = true, .cycles = 9 }, other = { .cycles = 9 };
	struct branch_remark remark = { 0 };

	(void)state;
	assert_text(&remark, "");
	branch_remark_take_to(&remark, &predicted, 2);
	assert_text(&remark, "");
	branch_remark_take_to(&remark, &other, 1);
	assert_text(&remark, " (predicted:66.7%)");
}

static void rare_aborts_are_left_out(void **state)
{
	const struct branch_mark aborted = { .predicted = true, .aborted = true },
				 other = { .predicted = true };
	struct branch_remark remark = { 0 };

	(void)state;
	branch_remark_take_to(&remark, &aborted, 1);
	branch_remark_take_to(&remark, &other, 999);
	assert_text(&remark, " (abort:0.1%)");
	branch_remark_take_to(&remark, &other, 9000);
	assert_text(&remark, "");
}

static void kinds_come_in_the_order_of_perf(void **state)
{
	const struct branch_mark backward = { .predicted = true, .kind = 1, .crosses_4k = true },
				 forward = { .predicted = true, .kind = 1, .forward = true },
				 far_call = { .predicted = true,
					      .kind = 4,
					      .forward = true,
					      .crosses_2m = true },
				 fault = { .predicted = true, .kind = BRANCH_MARK_NEW_KINDS + 1 },
				 unknown = { .crosses_2m = true, .predicted = true };
	struct branch_remark remark = { 0 };

	(void)state;
	branch_remark_take_to(&remark, &unknown, 1);
	assert_text(&remark, "");
	branch_remark_take_to(&remark, &backward, 1);
	assert_text(&remark, " (COND_BWD CROSS_4K)");
	branch_remark_take_to(&remark, &fault, 1);
	branch_remark_take_to(&remark, &far_call, 1);
	branch_remark_take_to(&remark, &forward, 1);
	assert_text(&remark, " (COND_FWD COND_BWD CROSS_4K CROSS_2M CALL FAULT_DATA)");
}

static void cycles_and_iterations_are_means(void **state)
{
	const struct branch_mark loop = { .cycles = 10, .iterations = 3, .iteration_cycles = 60 },
				 once = { .cycles = 5 };
	struct branch_remark remark = { 0 };

	(void)state;
	branch_remark_take_from(&remark, &loop, 2);
	assert_text(&remark, " (cycles:10 iter:3 avg_cycles:20)");
	branch_remark_take_from(&remark, &once, 2);
	assert_text(&remark, " (cycles:7 iter:1 avg_cycles:20)");
	branch_remark_take_from(&remark, &once, 100);
	assert_text(&remark, " (cycles:5)");
}

static void sums_do_not_wrap_around(void **state)
{
	const struct branch_mark large = { .iterations = UINT32_MAX, .iteration_cycles = UINT64_MAX };
	struct branch_remark remark = { 0 };

	(void)state;
	branch_remark_take_from(&remark, &large, UINT64_MAX);
	assert_text(&remark, " (iter:1 avg_cycles:1)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(predicted_branches_need_no_remark),
		cmocka_unit_test(rare_aborts_are_left_out),
		cmocka_unit_test(kinds_come_in_the_order_of_perf),
		cmocka_unit_test(cycles_and_iterations_are_means),
		cmocka_unit_test(sums_do_not_wrap_around),
	};

	return cmocka_run_group_tests_name("report/rows/branch_remark", tests, NULL, NULL);
}
