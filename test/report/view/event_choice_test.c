#include "report/view/event_choice.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

static struct profile *with_events(void)
{
	struct profile *p = profile_create();

	builder_event(p, "dummy");
	builder_add(p, builder_event(p, "cycles:u"), "web 1/1", "a`f", 1, 1);
	builder_add(p, builder_event(p, "faults"), "web 1/1", "a`f", 1, 1);
	return p;
}

static void an_event_is_found_with_and_without_its_modifiers(void **state)
{
	struct profile *p = with_events();
	uint32_t event;

	(void)state;
	assert_int_equal(event_choice_find(p, "cycles", &event, NULL), 0);
	assert_int_equal(event, 1);
	assert_int_equal(event_choice_find(p, "cycles:u", &event, NULL), 0);
	assert_int_equal(event, 1);
	profile_destroy(p);
}

static void an_unknown_event_is_an_error_that_lists_the_known(void **state)
{
	struct profile *p = with_events();
	struct error err;
	uint32_t event;

	(void)state;
	assert_int_equal(event_choice_find(p, "cycle", &event, &err), -1);
	assert_string_equal(err.message,
			    "--event: 'cycle' was not recorded; there is dummy, cycles:u, faults");
	profile_destroy(p);
}

static void the_first_event_with_samples_is_chosen_and_the_others_are_counted(void **state)
{
	struct profile *p = with_events(), *empty = profile_create();
	uint32_t with_samples;

	(void)state;
	assert_int_equal(event_choice_first(p, &with_samples), 1);
	assert_int_equal(with_samples, 2);
	assert_int_equal(event_choice_first(empty, &with_samples), PROFILE_NONE);
	assert_int_equal(with_samples, 0);
	profile_destroy(p);
	profile_destroy(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_found_with_and_without_its_modifiers),
		cmocka_unit_test(an_unknown_event_is_an_error_that_lists_the_known),
		cmocka_unit_test(the_first_event_with_samples_is_chosen_and_the_others_are_counted),
	};

	return cmocka_run_group_tests_name("report/view/event_choice", tests, NULL, NULL);
}
