#include "report/remedy/download_plan.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/nameless_profile.h"

static struct nameless_profile nameless;
static struct download_plan plan;

static int set_up(void **state)
{
	(void)state;
	nameless_profile_init(&nameless);
	plan = (struct download_plan){ 0 };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	download_plan_fini(&plan);
	nameless_profile_fini(&nameless);
	return 0;
}

static void make_plan(double percent, bool lines)
{
	static const char *const no_dirs[] = { NULL };
	const struct debug_file_search search = { .symfs = nameless.tree.root, .debug_dirs = no_dirs };

	nameless_profile_load(&nameless, NULL);
	download_plan_make(&plan, &nameless.loaded, &search, percent, lines);
}

static void most_samples_without_names_come_first(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 2);
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 3);
	make_plan(0, false);
	assert_int_equal(plan.count, 2);
	assert_string_equal(plan.wishes[0].dso->path, "/bin/hot");
	assert_int_equal(plan.wishes[0].samples, 3);
	assert_string_equal(plan.wishes[1].dso->path, "/bin/warm");
}

static void what_is_gone_is_wanted_with_its_debug_file(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 1);
	make_plan(0, false);
	assert_true(plan.wishes[0].executable);
	assert_true(plan.wishes[0].debuginfo);
}

static void of_what_is_stripped_only_the_debug_file_is_wanted(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	make_plan(0, false);
	assert_false(plan.wishes[0].executable);
	assert_true(plan.wishes[0].debuginfo);
}

static void without_a_build_id_nothing_can_be_asked_for(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_UNKNOWN, 0, 1);
	make_plan(0, true);
	assert_int_equal(plan.count, 0);
}

static void a_few_samples_are_not_worth_it(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 98);
	nameless_profile_add(&nameless, NAMELESS_WARM, 0, 2);
	make_plan(2.5, false);
	assert_int_equal(plan.count, 1);
	assert_string_equal(plan.wishes[0].dso->path, "/bin/hot");
}

static void a_kernel_without_a_list_of_its_symbols_has_a_debug_file(void **state)
{
	const uint8_t build_id[] = { 0xab, 0x77 };
	const uint64_t text = 0xffffffff81000000;

	(void)state;
	perf_data_builder_mmap2(nameless.builder, &(struct built_mmap){ .pid = UINT32_MAX,
									.start = text,
									.length = 0x1000000,
									.file_offset = text,
									.prot = 4,
									.build_id = build_id,
									.build_id_size = 2,
									.misc = PERF_RECORD_MISC_KERNEL,
									.path = "[kernel.kallsyms]_text" });
	perf_data_builder_sample(nameless.builder, &(struct built_sample){ .misc = PERF_RECORD_MISC_KERNEL,
									   .ip = text + 0x100,
									   .pid = 7,
									   .tid = 7,
									   .time_ns = 2000,
									   .period = 1 });
	make_plan(0, false);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.wishes[0].dso->kind, DSO_KERNEL);
	assert_int_equal(plan.wishes[0].dso->build_id.bytes[1], 0x77);
	assert_true(plan.wishes[0].debuginfo);
	assert_false(plan.wishes[0].executable);
}

static void source_lines_are_a_wish_of_their_own(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 4);
	make_plan(0, false);
	assert_int_equal(plan.count, 0);
	download_plan_fini(&plan);
	loaded_profile_fini(&nameless.loaded);
	perf_file_close(nameless.file);
	make_plan(0, true);
	assert_int_equal(plan.count, 1);
	assert_false(plan.wishes[0].executable);
	assert_true(plan.wishes[0].debuginfo);
	assert_int_equal(plan.wishes[0].samples, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(most_samples_without_names_come_first),
		TEST(what_is_gone_is_wanted_with_its_debug_file),
		TEST(of_what_is_stripped_only_the_debug_file_is_wanted),
		TEST(without_a_build_id_nothing_can_be_asked_for),
		TEST(a_few_samples_are_not_worth_it),
		TEST(a_kernel_without_a_list_of_its_symbols_has_a_debug_file),
		TEST(source_lines_are_a_wish_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
