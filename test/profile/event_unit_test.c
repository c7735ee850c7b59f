#include "profile/event_unit.h"

#include "support/cmocka.h"

static void clocks_have_names_with_modifiers_or_without(void **state)
{
	(void)state;
	assert_true(event_unit_is_clock("cpu-clock"));
	assert_true(event_unit_is_clock("task-clock:ppp"));
	assert_true(event_unit_is_clock("offcpu-time"));
	assert_true(event_unit_is_clock("wall-clock"));
	assert_false(event_unit_is_clock("cpu-clock-x"));
	assert_false(event_unit_is_clock("cpu-clock_x"));
	assert_false(event_unit_is_clock("cpu-clocks"));
	assert_false(event_unit_is_clock("cycles"));
}

static void a_recordings_unit_follows_from_the_event(void **state)
{
	struct profile *profile = profile_create();
	const uint32_t clock = profile_event(profile, "cpu-clock:u", true, 99),
		       cycles = profile_event(profile, "cycles", true, 99);

	(void)state;
	assert_string_equal(event_unit_of(profile, clock), "nanoseconds");
	assert_string_equal(event_unit_of(profile, cycles), "count");
	assert_false(event_unit_is_imported(profile, clock));
	assert_false(event_unit_is_imported(profile, cycles));
	profile_destroy(profile);
}

static void assert_words(const char *name, const char *unit, const char *expected)
{
	struct profile *profile = profile_create();
	const uint32_t event = profile_event(profile, name, false, 0);
	struct strbuf words;

	strbuf_init(&words);
	profile_set_event_unit(profile, event, unit);
	assert_true(event_unit_is_imported(profile, event));
	assert_string_equal(event_unit_of(profile, event), unit);
	event_unit_add_words(&words, profile, event);
	assert_string_equal(words.bytes, expected);
	strbuf_fini(&words);
	profile_destroy(profile);
}

static void imported_weights_have_their_own_words(void **state)
{
	(void)state;
	assert_words("cpu", "nanoseconds", "nanoseconds");
	assert_words("alloc_space", "bytes", "bytes");
	assert_words("goroutine", "count", "goroutine");
	assert_words("Ir", EVENT_UNIT_UNKNOWN, "Ir (unit unknown)");
	assert_words("cpu-clock", "count", "cpu-clock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_have_names_with_modifiers_or_without),
		cmocka_unit_test(a_recordings_unit_follows_from_the_event),
		cmocka_unit_test(imported_weights_have_their_own_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
