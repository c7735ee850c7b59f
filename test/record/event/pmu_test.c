#include "record/event/pmu.h"

#include "support/cmocka.h"

static void bits_of_a_value_go_where_the_format_says_lowest_first(void **state)
{
	struct event_spec spec = { 0 };

	(void)state;
	assert_int_equal(pmu_format_apply(&spec, "config:0-7,32-35\n", 0xabc, NULL), 0);
	assert_true(spec.config == (UINT64_C(0xbc) | UINT64_C(0xa) << 32));
	assert_int_equal(pmu_format_apply(&spec, "config1:63\n", 1, NULL), 0);
	assert_true(spec.config1 == UINT64_C(1) << 63);
	assert_int_equal(pmu_format_apply(&spec, "config2:0-63", UINT64_MAX, NULL), 0);
	assert_true(spec.config2 == UINT64_MAX);
}

static void a_later_value_replaces_an_earlier_one(void **state)
{
	struct event_spec spec = { .config = 0xffff };

	(void)state;
	assert_int_equal(pmu_format_apply(&spec, "config:4-7\n", 0x2, NULL), 0);
	assert_true(spec.config == 0xff2f);
}

static void values_and_formats_that_do_not_fit_are_refused(void **state)
{
	static const char *const formats[] = { "config9:0-7", "config:",     "config",     "",
					       "config:7-0",  "config:0-64", "config:0-7x" };
	struct event_spec spec = { 0 };

	(void)state;
	assert_int_equal(pmu_format_apply(&spec, "config:0-3\n", 16, NULL), -1);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		assert_int_equal(pmu_format_apply(&spec, formats[i], 1, NULL), -1);
}

static void a_name_that_leaves_the_directory_is_no_event(void **state)
{
	struct event_spec spec = { 0 };

	(void)state;
	assert_int_equal(pmu_find_cpu_event(&spec, "/sys/bus/event_source/devices", "../type", NULL), 0);
	assert_int_equal(pmu_parse_terms(&spec, "/sys/bus/event_source/devices", "..", "config=1", NULL), -1);
}

static void a_pmu_is_on_the_cpus_of_its_list(void **state)
{
	(void)state;
	assert_true(pmu_has_cpu("2-5,7\n", 2) && pmu_has_cpu("2-5,7\n", 5) && pmu_has_cpu("2-5,7\n", 7));
	assert_false(pmu_has_cpu("2-5,7\n", 1) || pmu_has_cpu("2-5,7\n", 6) || pmu_has_cpu("0\n", 10));
	assert_true(pmu_has_cpu(NULL, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bits_of_a_value_go_where_the_format_says_lowest_first),
		cmocka_unit_test(a_later_value_replaces_an_earlier_one),
		cmocka_unit_test(values_and_formats_that_do_not_fit_are_refused),
		cmocka_unit_test(a_name_that_leaves_the_directory_is_no_event),
		cmocka_unit_test(a_pmu_is_on_the_cpus_of_its_list),
	};

	return cmocka_run_group_tests_name("record/event/pmu", tests, NULL, NULL);
}
