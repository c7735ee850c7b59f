#include "report/remedy/name_gaps.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/nameless_profile.h"

static struct nameless_profile nameless;
static struct name_gaps gaps;

static int set_up(void **state)
{
	(void)state;
	nameless_profile_init(&nameless);
	gaps = (struct name_gaps){ 0 };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	name_gaps_fini(&gaps);
	nameless_profile_fini(&nameless);
	return 0;
}

static void find(void)
{
	nameless_profile_load(&nameless, NULL);
	name_gaps_find(&gaps, &nameless.loaded, 0);
}

static void a_dso_is_one_gap_and_most_samples_come_first(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_WARM + 0x800, 0, 2);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x900, NAMELESS_HOT + 0x800, 4);
	find();
	assert_int_equal(gaps.count, 2);
	assert_string_equal(gaps.items[0].dso->path, "/bin/hot");
	assert_int_equal(gaps.items[0].self_samples, 7);
	assert_int_equal(gaps.items[0].stack_samples, 7);
	assert_string_equal(gaps.items[1].dso->path, "/bin/warm");
	assert_int_equal(gaps.items[1].self_samples, 2);
}

static void callers_without_a_name_count_for_their_dso(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, NAMELESS_WARM + 0x800, 5);
	find();
	assert_int_equal(gaps.count, 1);
	assert_string_equal(gaps.items[0].dso->path, "/bin/warm");
	assert_int_equal(gaps.items[0].self_samples, 0);
	assert_int_equal(gaps.items[0].stack_samples, 5);
}

static void a_file_that_is_not_there_is_gone(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, NAMELESS_HOT, 0, 1);
	find();
	assert_int_equal(gaps.items[0].reason, NAME_GAP_GONE);
	assert_non_null(strstr(gaps.items[0].why, "/bin/hot"));
}

static void a_file_with_another_build_id_was_replaced(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 3, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	find();
	assert_int_equal(gaps.items[0].reason, NAME_GAP_REPLACED);
}

static void a_file_without_symbols_is_stripped(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, false);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	find();
	assert_int_equal(gaps.items[0].reason, NAME_GAP_STRIPPED);
}

static void what_a_full_symbol_table_leaves_out_cannot_be_mended(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0xf000, 0, 1);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 1);
	find();
	assert_int_equal(gaps.count, 1);
	assert_int_equal(gaps.items[0].reason, NAME_GAP_UNCOVERED);
	assert_int_equal(gaps.items[0].self_samples, 1);
}

static void memory_that_nothing_was_mapped_in_is_a_gap_of_no_dso(void **state)
{
	(void)state;
	nameless_profile_add(&nameless, 0x50000000, 0, 2);
	nameless_profile_elf(&nameless, "bin/hot", 1, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0x50000000, 3); /* a broken chain's caller */
	find();
	assert_int_equal(gaps.count, 1);
	assert_null(gaps.items[0].dso);
	assert_int_equal(gaps.items[0].reason, NAME_GAP_UNMAPPED);
	assert_int_equal(gaps.items[0].stack_samples, 2);
}

static void where_all_have_names_there_is_no_gap(void **state)
{
	(void)state;
	nameless_profile_elf(&nameless, "bin/hot", 1, true);
	nameless_profile_add(&nameless, NAMELESS_HOT + 0x800, 0, 3);
	find();
	assert_int_equal(gaps.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_dso_is_one_gap_and_most_samples_come_first),
		TEST(callers_without_a_name_count_for_their_dso),
		TEST(a_file_that_is_not_there_is_gone),
		TEST(a_file_with_another_build_id_was_replaced),
		TEST(a_file_without_symbols_is_stripped),
		TEST(what_a_full_symbol_table_leaves_out_cannot_be_mended),
		TEST(memory_that_nothing_was_mapped_in_is_a_gap_of_no_dso),
		TEST(where_all_have_names_there_is_no_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
