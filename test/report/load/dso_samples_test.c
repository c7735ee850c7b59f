#include "report/load/dso_samples.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

static struct profile *profile;
static struct dso_samples samples;

static int set_up(void **state)
{
	(void)state;
	profile = profile_create();
	samples = (struct dso_samples){ 0 };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	dso_samples_fini(&samples);
	profile_destroy(profile);
	return 0;
}

static void add(const char *stack, uint64_t count)
{
	builder_add(profile, builder_event(profile, "cycles"), "web 1/1 0", stack, count, count);
}

static uint32_t dso(const char *name)
{
	for (uint32_t i = 0; i < profile_dso_count(profile); i++)
		if (strcmp(profile_text(profile, profile_dso_at(profile, i)->name), name) == 0)
			return i;
	fail_msg("no DSO %s", name);
	return 0;
}

static void a_sample_counts_once_for_each_dso_of_its_stack(void **state)
{
	(void)state;
	add("web`main;libc.so`read;web`callback;libc.so`memcpy", 5);
	dso_samples_count(&samples, profile, false);
	assert_int_equal(samples.stack[dso("web")], 5);
	assert_int_equal(samples.stack[dso("libc.so")], 5);
	assert_int_equal(samples.self[dso("web")], 0);
	assert_int_equal(samples.self[dso("libc.so")], 5);
}

static void stacks_that_share_callers_are_added_up(void **state)
{
	(void)state;
	add("web`main;libc.so`read", 2);
	add("web`main;libz.so`inflate;libc.so`memcpy", 3);
	add("web`main", 4);
	dso_samples_count(&samples, profile, false);
	assert_int_equal(samples.stack[dso("web")], 9);
	assert_int_equal(samples.stack[dso("libc.so")], 5);
	assert_int_equal(samples.stack[dso("libz.so")], 3);
}

static void functions_without_a_name_are_counted_alone(void **state)
{
	(void)state;
	add("web`0x10;libc.so`read;web`0x20;web`main", 2);
	add("web`main;web`0x30", 3);
	dso_samples_count(&samples, profile, true);
	assert_int_equal(samples.stack[dso("web")], 5);
	assert_int_equal(samples.self[dso("web")], 3);
	assert_int_equal(samples.stack[dso("libc.so")], 0);
}

static void what_lies_in_no_dso_is_counted_behind_them(void **state)
{
	(void)state;
	add("web`main;`0x1234", 6);
	dso_samples_count(&samples, profile, true);
	assert_int_equal(samples.self[samples.none], 6);
	assert_int_equal(samples.stack[samples.none], 6);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sample_counts_once_for_each_dso_of_its_stack),
		TEST(stacks_that_share_callers_are_added_up),
		TEST(functions_without_a_name_are_counted_alone),
		TEST(what_lies_in_no_dso_is_counted_behind_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
