#include "profile/dso_builds.h"

#include "support/cmocka.h"

/* A profile with one nameless function, at 0x100, in a DSO with this name and build-id. */
static struct profile *nameless(const char *name, const char *build_id)
{
	struct profile *p = profile_create();
	const uint32_t dso = profile_dso(p, name, name, build_id);

	profile_set_function(p, profile_location(p, dso, 0x110, FRAME_USER),
			     profile_nameless_function(p, dso, 0x100));
	return p;
}

struct one_profile {
	int side;
	const char *name, *build_id;
};

/* The builds of all profiles, up to an entry without a name. */
static struct dso_builds *builds_of(const struct one_profile *profiles)
{
	struct dso_builds *builds = dso_builds_create();

	for (; profiles->name; profiles++) {
		struct profile *profile = nameless(profiles->name, profiles->build_id);

		dso_builds_add(builds, profiles->side, profile);
		profile_destroy(profile);
	}
	return builds;
}

/* Checks whether the builds of "lib.so" agree, asked from either side. */
static void assert_agree(const struct one_profile *profiles, bool before, bool after)
{
	struct dso_builds *builds = builds_of(profiles);

	assert_int_equal(dso_builds_agree(builds, NULL, COMPARE_BEFORE, "lib.so"), before);
	assert_int_equal(dso_builds_agree(builds, NULL, COMPARE_AFTER, "lib.so"), after);
	dso_builds_destroy(builds);
}

#define PROFILES(...) ((const struct one_profile[]){ __VA_ARGS__, { 0 } })

static void offsets_mean_the_same_in_one_build(void **state)
{
	(void)state;
	assert_agree(PROFILES({ COMPARE_BEFORE, "lib.so", "ab" }, { COMPARE_AFTER, "lib.so", "ab" }), true,
		     true);
	assert_agree(PROFILES({ COMPARE_BEFORE, "lib.so", "ab" }, { COMPARE_AFTER, "lib.so", "cd" }), false,
		     false);
}

static void builds_that_are_not_known_are_not_the_same(void **state)
{
	(void)state;
	assert_agree(PROFILES({ COMPARE_BEFORE, "lib.so", "" }, { COMPARE_AFTER, "lib.so", "" }), false,
		     false);
}

static void what_one_side_alone_has_is_told_by_offsets(void **state)
{
	(void)state;
	assert_agree(PROFILES({ COMPARE_BEFORE, "lib.so", "" }, { COMPARE_AFTER, "other.so", "" }), true,
		     false);
}

static void two_builds_on_one_side_do_not_agree(void **state)
{
	(void)state;
	assert_agree(PROFILES({ COMPARE_BEFORE, "lib.so", "ab" }, { COMPARE_BEFORE, "lib.so", "cd" },
			      { COMPARE_AFTER, "lib.so", "ab" }),
		     false, false);
	assert_agree(PROFILES({ COMPARE_BEFORE, "lib.so", "ab" }, { COMPARE_BEFORE, "lib.so", "ab" },
			      { COMPARE_AFTER, "lib.so", "ab" }),
		     true, true);
}

static void renamed_files_are_compared_with_what_they_are_called_now(void **state)
{
	struct dso_builds *builds =
		builds_of(PROFILES({ COMPARE_BEFORE, "old", "ab" }, { COMPARE_AFTER, "new", "cd" }));
	struct name_pairs pairs = { 0 };
	struct error err;

	(void)state;
	assert_true(dso_builds_agree(builds, &pairs, COMPARE_BEFORE, "old"));
	assert_int_equal(name_pairs_parse(&pairs, "old=new", &err), 0);
	assert_false(dso_builds_agree(builds, &pairs, COMPARE_BEFORE, "old"));
	assert_false(dso_builds_agree(builds, &pairs, COMPARE_AFTER, "new"));
	name_pairs_fini(&pairs);
	dso_builds_destroy(builds);
}

static void in_other_builds_functions_without_names_are_dropped(void **state)
{
	struct profile *before = nameless("lib.so", "ab"), *after = nameless("lib.so", "cd");
	struct dso_builds *builds = dso_builds_create();
	const uint32_t named = profile_location(before, 0, 0x210, FRAME_USER);

	(void)state;
	profile_set_function(before, named, profile_function(before, 0, "f", 0x200));
	dso_builds_add(builds, COMPARE_BEFORE, before);
	dso_builds_drop_nameless(builds, NULL, COMPARE_BEFORE, before);
	assert_int_not_equal(profile_location_at(before, 0)->function, PROFILE_NONE); /* only one side */
	dso_builds_add(builds, COMPARE_AFTER, after);
	dso_builds_drop_nameless(builds, NULL, COMPARE_BEFORE, before);
	assert_int_equal(profile_location_at(before, 0)->function, PROFILE_NONE);
	assert_true(profile_location_is_named(before, profile_location_at(before, named)));
	profile_destroy(before);
	profile_destroy(after);
	dso_builds_destroy(builds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_mean_the_same_in_one_build),
		cmocka_unit_test(builds_that_are_not_known_are_not_the_same),
		cmocka_unit_test(what_one_side_alone_has_is_told_by_offsets),
		cmocka_unit_test(two_builds_on_one_side_do_not_agree),
		cmocka_unit_test(renamed_files_are_compared_with_what_they_are_called_now),
		cmocka_unit_test(in_other_builds_functions_without_names_are_dropped),
	};

	return cmocka_run_group_tests_name("profile/dso_builds", tests, NULL, NULL);
}
