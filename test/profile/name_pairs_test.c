#include "profile/name_pairs.h"

#include "support/cmocka.h"

static void renamed_programs_are_found_by_either_name(void **state)
{
	struct name_pairs pairs = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(name_pairs_parse(&pairs, "server-of-yesterday=server", &err), 0);
	assert_int_equal(name_pairs_parse(&pairs, "nothing", &err), -1);
	assert_int_equal(name_pairs_parse(&pairs, "=a", &err), -1);
	assert_string_equal(name_pairs_before(&pairs, "server"), "server-of-yesterday");
	assert_string_equal(name_pairs_after(&pairs, "server-of-yesterday"), "server");
	assert_string_equal(name_pairs_after(&pairs, "libc.so.6"), "libc.so.6");
	assert_string_equal(name_pairs_comm_before(&pairs, "server"), "server-of-yeste");
	assert_string_equal(name_pairs_comm_after(&pairs, "server-of-yeste"), "server");
	name_pairs_fini(&pairs);
}

/* A name with less than a twentieth of everything does not count, and two on a side are ambiguous. */
static void a_lone_large_name_of_each_side_is_a_pair(void **state)
{
	struct named_weights before = { 0 }, after = { 0 };
	struct name_pairs pairs = { 0 };

	(void)state;
	named_weights_add(&before, "old", 0.3);
	named_weights_add(&before, "old", 0.3);
	named_weights_add(&before, "libc", 0.36);
	named_weights_add(&before, "small", 0.04);
	named_weights_add(&after, "new", 0.6);
	named_weights_add(&after, "libc", 0.4);
	name_pairs_find(&pairs, &before, &after);
	name_pairs_find(&pairs, &before, &after);
	assert_int_equal(pairs.count, 1);
	assert_string_equal(name_pairs_before(&pairs, "new"), "old");
	assert_true(pairs.list[0].found);
	name_pairs_fini(&pairs);
	named_weights_add(&after, "newer", 0.2);
	name_pairs_find(&pairs, &before, &after);
	assert_int_equal(pairs.count, 0);
	named_weights_fini(&before);
	named_weights_fini(&after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(renamed_programs_are_found_by_either_name),
		cmocka_unit_test(a_lone_large_name_of_each_side_is_a_pair),
	};

	return cmocka_run_group_tests_name("profile/name_pairs", tests, NULL, NULL);
}
