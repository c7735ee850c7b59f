#include "profile/frame_table.h"

#include "support/cmocka.h"

static uint32_t located(struct profile *p, uint32_t dso, uint64_t address, const char *name, uint64_t start)
{
	uint32_t location = profile_location(p, dso, address, FRAME_USER);

	profile_set_function(p, location, profile_function(p, dso, name, start));
	return location;
}

static void locations_of_one_function_are_one_frame(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a.out", "/a.out", "");
	uint32_t one = located(p, dso, 0x110, "f", 0x100), other = located(p, dso, 0x120, "f", 0x100);
	struct frame_table table;

	(void)state;
	frame_table_init(&table, p);
	assert_int_equal(table.count, 1);
	assert_int_equal(table.by_location[one], 0);
	assert_int_equal(table.by_location[other], 0);
	assert_string_equal(profile_text(p, table.frames[0].name), "f");
	assert_int_equal(table.frames[0].address, 0x100);
	assert_int_equal(table.frames[0].dso, dso);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void unknown_locations_are_frames_by_address(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a.out", "/a.out", "");
	uint32_t one = profile_location(p, dso, 0x110, FRAME_USER);
	uint32_t other = profile_location(p, dso, 0x120, FRAME_USER);
	struct frame_table table;

	(void)state;
	frame_table_init(&table, p);
	assert_int_equal(table.count, 2);
	assert_int_equal(table.by_location[one], 0);
	assert_int_equal(table.by_location[other], 1);
	assert_int_equal(table.frames[1].name, PROFILE_NONE);
	assert_int_equal(table.frames[1].address, 0x120);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void a_function_without_a_name_is_one_frame_by_its_start(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "libfoo.so", "/lib/libfoo.so", "");
	struct frame_table table;

	(void)state;
	for (uint64_t address = 0x1f48; address < 0x1f58; address += 8)
		profile_set_function(p, profile_location(p, dso, address, FRAME_USER),
				     profile_nameless_function(p, dso, 0x1f40));
	profile_set_function(p, profile_location(p, dso, 0x2008, FRAME_USER),
			     profile_nameless_function(p, dso, 0x2000));
	frame_table_init(&table, p);
	assert_int_equal(table.count, 2);
	assert_int_equal(table.by_location[0], table.by_location[1]);
	assert_string_equal(profile_text(p, table.frames[0].name), "libfoo.so+0x1f40");
	assert_true(table.frames[0].nameless);
	assert_int_equal(table.frames[0].address, 0x1f40);
	assert_string_equal(profile_text(p, table.frames[1].name), "libfoo.so+0x2000");
	frame_table_fini(&table);
	profile_destroy(p);
}

static void a_guess_is_a_frame_of_its_own(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a.out", "/a.out", ""), found, guessed;
	uint32_t one = located(p, dso, 0x110, "f", 0x100);
	struct frame_table table;

	(void)state;
	found = profile_stack(p, PROFILE_NONE, one, FRAME_CFI);
	guessed = profile_stack(p, PROFILE_NONE, one, FRAME_GUESSED);
	frame_table_init(&table, p);
	assert_int_equal(table.count, 2);
	assert_int_equal(frame_table_of_stack(&table, p, found), 0);
	assert_int_equal(frame_table_of_stack(&table, p, guessed), 1);
	assert_false(table.frames[0].guessed);
	assert_true(table.frames[1].guessed);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void functions_of_one_name_at_two_places_stay_two(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a.out", "/a.out", "");
	struct frame_table table;

	(void)state;
	located(p, dso, 0x110, "init", 0x100);
	located(p, dso, 0x210, "init", 0x200);
	frame_table_init(&table, p);
	assert_int_equal(table.count, 2);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void builds_that_share_a_short_name_share_frames(void **state)
{
	struct profile *p = profile_create();
	uint32_t one = profile_dso(p, "libc.so.6", "/lib/libc.so.6", "aa");
	uint32_t other = profile_dso(p, "libc.so.6", "/chroot/lib/libc.so.6", "aa");
	struct frame_table table;

	(void)state;
	located(p, one, 0x110, "read", 0x100);
	located(p, other, 0x120, "read", 0x100);
	frame_table_init(&table, p);
	assert_int_equal(table.count, 1);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void frames_are_numbered_by_dso_name_then_address(void **state)
{
	struct profile *p = profile_create();
	uint32_t z = profile_dso(p, "z.so", "/z.so", ""), a = profile_dso(p, "a.so", "/a.so", "");
	uint32_t in_z = located(p, z, 0x10, "early", 0x10);
	uint32_t nowhere = profile_location(p, PROFILE_NONE, 0x1, FRAME_USER);
	uint32_t high = located(p, a, 0x900, "high", 0x900), low = profile_location(p, a, 0x20, FRAME_USER);
	struct frame_table table;

	(void)state;
	frame_table_init(&table, p);
	assert_int_equal(table.by_location[low], 0);
	assert_int_equal(table.by_location[high], 1);
	assert_int_equal(table.by_location[in_z], 2);
	assert_int_equal(table.by_location[nowhere], 3);
	assert_int_equal(table.frames[3].dso_name, PROFILE_NONE);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void builds_of_one_name_are_numbered_as_one(void **state)
{
	struct profile *p = profile_create();
	uint32_t one = profile_dso(p, "b.so", "/one/b.so", "aa"), a = profile_dso(p, "a.so", "/a.so", "");
	uint32_t other = profile_dso(p, "b.so", "/other/b.so", "bb"), c = profile_dso(p, "c.so", "/c.so", "");
	uint32_t in_c = located(p, c, 0x10, "f", 0x10), third = located(p, one, 0x300, "f", 0x300);
	uint32_t second = located(p, other, 0x200, "f", 0x200), first = located(p, one, 0x100, "f", 0x100);
	uint32_t in_a = located(p, a, 0x900, "f", 0x900);
	struct frame_table table;

	(void)state;
	frame_table_init(&table, p);
	assert_int_equal(table.by_location[in_a], 0);
	assert_int_equal(table.by_location[first], 1);
	assert_int_equal(table.by_location[second], 2);
	assert_int_equal(table.by_location[third], 3);
	assert_int_equal(table.by_location[in_c], 4);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void frames_at_one_address_are_numbered_by_name(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a.so", "/a.so", "");
	uint32_t unknown = profile_location(p, dso, 0x100, FRAME_USER);
	uint32_t inlined = profile_inlined_location(p, dso, 0x120, FRAME_USER, 1);
	uint32_t write = located(p, dso, 0x110, "write", 0x100), read = located(p, dso, 0x120, "read", 0x100);
	struct frame_table table;

	(void)state;
	profile_set_function(p, inlined, profile_inlined_function(p, dso, "read", 0x100));
	profile_stack(p, PROFILE_NONE, read, FRAME_GUESSED);
	frame_table_init(&table, p);
	assert_int_equal(table.count, 5);
	assert_int_equal(table.by_location[read], 0);
	assert_int_equal(table.guessed_by_location[read], 1);
	assert_int_equal(table.by_location[inlined], 2);
	assert_int_equal(table.by_location[write], 3);
	assert_int_equal(table.by_location[unknown], 4);
	frame_table_fini(&table);
	profile_destroy(p);
}

static void an_empty_profile_has_no_frames(void **state)
{
	struct profile *p = profile_create();
	struct frame_table table;

	(void)state;
	frame_table_init(&table, p);
	assert_int_equal(table.count, 0);
	frame_table_fini(&table);
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locations_of_one_function_are_one_frame),
		cmocka_unit_test(unknown_locations_are_frames_by_address),
		cmocka_unit_test(a_function_without_a_name_is_one_frame_by_its_start),
		cmocka_unit_test(a_guess_is_a_frame_of_its_own),
		cmocka_unit_test(functions_of_one_name_at_two_places_stay_two),
		cmocka_unit_test(builds_that_share_a_short_name_share_frames),
		cmocka_unit_test(frames_are_numbered_by_dso_name_then_address),
		cmocka_unit_test(builds_of_one_name_are_numbered_as_one),
		cmocka_unit_test(frames_at_one_address_are_numbered_by_name),
		cmocka_unit_test(an_empty_profile_has_no_frames),
	};

	return cmocka_run_group_tests_name("profile/frame_table", tests, NULL, NULL);
}
