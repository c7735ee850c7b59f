#include "report/flame/flame_measures.h"

#include "support/cmocka.h"

static void a_recording_has_no_measures(void **state)
{
	struct profile *profile = profile_create();
	const uint32_t event = profile_event(profile, "cycles", true, 99);
	struct flame_measures measures;

	(void)state;
	flame_measures_init(&measures);
	flame_measures_find(&measures, profile, event);
	assert_int_equal(measures.json.size, 0);
	assert_int_equal(measures.own.size, 0);
	flame_measures_fini(&measures);
	profile_destroy(profile);
}

static void each_imported_event_has_its_words(void **state)
{
	struct profile *profile = profile_create();
	const uint32_t objects = profile_event(profile, "alloc_objects", false, 0),
		       space = profile_event(profile, "a \"b\"\n", false, 0);
	struct flame_measures measures;

	(void)state;
	profile_set_event_unit(profile, objects, "count");
	profile_set_event_unit(profile, space, "bytes");
	flame_measures_init(&measures);
	flame_measures_find(&measures, profile, PROFILE_NONE);
	assert_string_equal(measures.json.bytes,
			    "{\"alloc_objects\":\"alloc_objects\",\"a \\u0022b\\u0022?\":\"bytes\"}");
	assert_int_equal(measures.own.size, 0);
	flame_measures_find(&measures, profile, space);
	assert_string_equal(measures.own.bytes, "bytes");
	flame_measures_fini(&measures);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_has_no_measures),
		cmocka_unit_test(each_imported_event_has_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
