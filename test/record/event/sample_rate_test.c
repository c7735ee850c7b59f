#include "record/event/sample_rate.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static struct temp_tree tree;
static char limit_path[128];

static int set_up(void **state)
{
	(void)state;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "limit", "3000\n");
	snprintf(limit_path, sizeof(limit_path), "%s/limit", tree.root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	temp_tree_remove(&tree);
	return 0;
}

static void assert_limited(struct sample_rate rate, uint64_t frequency, const char *notice)
{
	struct strbuf notices;

	strbuf_init(&notices);
	sample_rate_limit(&rate, limit_path, &notices);
	assert_int_equal(rate.frequency, frequency);
	assert_string_equal(notices.bytes, notice);
	strbuf_fini(&notices);
}

static void a_rate_above_the_kernels_limit_is_lowered_and_said(void **state)
{
	(void)state;
	assert_limited((struct sample_rate){ .frequency = 999, .given = true }, 999, "");
	assert_limited((struct sample_rate){ .frequency = 5000, .given = true }, 3000,
		       "5000 Hz is more than the kernel allows: sampling at 3000 Hz; "
		       "'sysctl kernel.perf_event_max_sample_rate=5000' raises the limit\n");
}

static void the_default_rate_is_limited_too(void **state)
{
	(void)state;
	assert_limited((struct sample_rate){ 0 }, 3000,
		       "4000 Hz is more than the kernel allows: sampling at 3000 Hz; "
		       "'sysctl kernel.perf_event_max_sample_rate=4000' raises the limit\n");
}

static void max_is_the_kernels_limit(void **state)
{
	(void)state;
	assert_limited((struct sample_rate){ .given = true, .maximum = true }, 3000,
		       "-F max is 3000 Hz here (kernel.perf_event_max_sample_rate)\n");
}

static void numbers_and_max_are_read_and_nothing_else(void **state)
{
	struct sample_rate rate;

	(void)state;
	assert_int_equal(sample_rate_parse(&rate, "99", NULL), 0);
	assert_true(rate.given && rate.frequency == 99 && !rate.maximum);
	assert_int_equal(sample_rate_parse(&rate, "max", NULL), 0);
	assert_true(rate.maximum);
	assert_int_equal(sample_rate_parse(&rate, "0", NULL), -1);
	assert_int_equal(sample_rate_parse(&rate, "fast", NULL), -1);
	assert_int_equal(sample_rate_parse(&rate, "-1", NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_above_the_kernels_limit_is_lowered_and_said),
		cmocka_unit_test(the_default_rate_is_limited_too),
		cmocka_unit_test(max_is_the_kernels_limit),
		cmocka_unit_test(numbers_and_max_are_read_and_nothing_else),
	};

	return cmocka_run_group_tests_name("record/event/sample_rate", tests, set_up, tear_down);
}
