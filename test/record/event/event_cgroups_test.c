#include "record/event/event_cgroups.h"

#include <string.h>

#include "record/event/event_parser.h"
#include "support/cmocka.h"

/* Applies a command line given as words: "-e" and "-G", each with its argument, up to NULL. */
static int apply(struct event_specs *specs, const char *const *words, struct error *err)
{
	struct event_cgroups cgroups = { 0 };
	size_t events = 0;
	int result = 0;

	*specs = (struct event_specs){ 0 };
	for (const char *const *word = words; *word; word += 2)
		if (strcmp(*word, "-e") == 0)
			events++;
		else
			event_cgroups_add(&cgroups, word[1], events);
	events = 0;
	result = event_cgroups_apply(&cgroups, 0, specs, err);
	for (const char *const *word = words; *word && result == 0; word += 2)
		if (strcmp(*word, "-e") == 0) {
			assert_int_equal(event_specs_parse(specs, word[1], &event_sources_system, NULL), 0);
			result = event_cgroups_apply(&cgroups, ++events, specs, err);
		}
	event_cgroups_fini(&cgroups);
	return result;
}

/* `expected` has the cgroup of each event, "" if it has none. */
static void assert_cgroups(const char *const *words, const char *const *expected)
{
	struct event_specs specs;
	struct error err = { 0 };

	if (apply(&specs, words, &err) < 0)
		fail_msg("%s", err.message);
	for (size_t i = 0; i < specs.count; i++)
		assert_string_equal(specs.items[i].cgroup ? specs.items[i].cgroup : "", expected[i]);
	event_specs_fini(&specs);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void one_name_is_for_all_events_in_front_of_it(void **state)
{
	(void)state;
	assert_cgroups(WORDS("-e", "cpu-clock,page-faults", "-G", "web"), WORDS("web", "web"));
	assert_cgroups(WORDS("-e", "cpu-clock", "-G", "web", "-e", "page-faults"), WORDS("web", ""));
}

static void of_several_names_each_is_for_one_event(void **state)
{
	(void)state;
	assert_cgroups(WORDS("-e", "cpu-clock,page-faults", "-G", "web,mail"), WORDS("web", "mail"));
	assert_cgroups(WORDS("-e", "cpu-clock", "-e", "page-faults", "-G", "a/b,c"), WORDS("a/b", "c"));
}

static void names_are_counted_over_all_lists(void **state)
{
	(void)state;
	assert_cgroups(WORDS("-e", "cpu-clock", "-G", "web", "-e", "page-faults", "-G", "mail"),
		       WORDS("web", "mail"));
}

static void an_empty_name_leaves_its_event_alone(void **state)
{
	(void)state;
	assert_cgroups(WORDS("-e", "cpu-clock,page-faults,task-clock", "-G", ",web,"), WORDS("", "web", ""));
}

static void more_names_than_events_are_an_error(void **state)
{
	struct event_specs specs;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(apply(&specs, WORDS("-e", "cpu-clock", "-G", "web,mail"), &err), -1);
	assert_string_equal(err.message, "-G web,mail: 'mail' is for event 2, and there is only 1 before it");
	event_specs_fini(&specs);
	assert_int_equal(apply(&specs, WORDS("-G", "web", "-e", "cpu-clock"), &err), -1);
	assert_string_equal(err.message, "-G web: there is no event before it; give -G after -e");
	event_specs_fini(&specs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_name_is_for_all_events_in_front_of_it),
		cmocka_unit_test(of_several_names_each_is_for_one_event),
		cmocka_unit_test(names_are_counted_over_all_lists),
		cmocka_unit_test(an_empty_name_leaves_its_event_alone),
		cmocka_unit_test(more_names_than_events_are_an_error),
	};

	return cmocka_run_group_tests_name("record/event/event_cgroups", tests, NULL, NULL);
}
