#include "record/machine/host_features.h"

#include "support/cmocka.h"

static const char cpuinfo[] =
	"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 158\n"
	"model name\t: Intel(R) Core(TM) i7: fast\nstepping\t: 9\n\nprocessor\t: 1\nmodel\t\t: 1\n";

static void assert_field(const char *key, const char *expected)
{
	struct strbuf value;

	strbuf_init(&value);
	host_features_find_field(&value, cpuinfo, key);
	assert_string_equal(value.bytes, expected);
	strbuf_fini(&value);
}

static void a_field_is_found_by_its_whole_name_and_the_first_one_counts(void **state)
{
	(void)state;
	assert_field("model", "158");
	assert_field("model name", "Intel(R) Core(TM) i7: fast");
	assert_field("vendor_id", "GenuineIntel");
}

static void a_field_that_is_not_there_is_empty(void **state)
{
	(void)state;
	assert_field("cpu", "");
	assert_field("flags", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_is_found_by_its_whole_name_and_the_first_one_counts),
		cmocka_unit_test(a_field_that_is_not_there_is_empty),
	};

	return cmocka_run_group_tests_name("record/machine/host_features", tests, NULL, NULL);
}
