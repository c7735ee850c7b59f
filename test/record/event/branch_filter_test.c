#include "record/event/branch_filter.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"

static uint64_t filter_of(const char *text)
{
	uint64_t filter;
	struct error err;

	if (branch_filter_parse(&filter, text, &err) != 0)
		fail_msg("%s", err.message);
	return filter;
}

static void filters_are_the_bits_of_the_kernel(void **state)
{
	(void)state;
	assert_int_equal(filter_of("any"), 1 << 3);
	assert_int_equal(filter_of("any_call,any_ret,ind_call,ind_jmp,call,cond"),
			 1 << 4 | 1 << 5 | 1 << 6 | 1 << 12 | 1 << 13 | 1 << 10);
	assert_int_equal(filter_of("stack,u,no_cycles,no_flags,hw_index"),
			 1 << 11 | 1 << 0 | 1 << 15 | 1 << 14 | 1 << 17);
	assert_int_equal(filter_of("any,save_type,priv,counter"), 1 << 3 | 1 << 16 | 1 << 18 | 1 << 19);
	assert_int_equal(filter_of("abort_tx,in_tx,no_tx"), 1 << 7 | 1 << 8 | 1 << 9);
}

static void call_stacks_have_perfs_name_and_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(filter_of("stack,u"), 1 << 11 | 1 << 0);
	assert_int_equal(filter_of("call_stack,u"), 1 << 11 | 1 << 0);
	assert_string_equal(branch_filter_name(1 << 11), "stack");
	assert_string_equal(branch_filter_name(1 << 17), "hw_index");
	assert_string_equal(branch_filter_name(3), "?");
}

static void without_a_kind_any_branch_is_meant(void **state)
{
	(void)state;
	assert_int_equal(filter_of("u"), 1 << 0 | 1 << 3);
	assert_int_equal(filter_of("k,hv,save_type"), 1 << 1 | 1 << 2 | 1 << 16 | 1 << 3);
}

static void other_words_are_refused(void **state)
{
	static const char *const texts[] = { "", "anyone", "an", "any,", ",any", "any;u", "U" };
	uint64_t filter;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(branch_filter_parse(&filter, texts[i], NULL), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(filters_are_the_bits_of_the_kernel),
		cmocka_unit_test(call_stacks_have_perfs_name_and_the_kernels),
		cmocka_unit_test(without_a_kind_any_branch_is_meant),
		cmocka_unit_test(other_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
