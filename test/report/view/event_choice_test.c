#include "report/view/event_choice.h"

#include <stdio.h>

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
			    "--event: 'cycle' was not recorded; recorded events: dummy, cycles:u, faults");
	profile_destroy(p);
}

static void the_event_with_most_samples_is_chosen_and_the_others_are_counted(void **state)
{
	struct profile *p = with_events(), *empty = profile_create();
	uint32_t with_samples;

	(void)state;
	assert_int_equal(event_choice_most(p, &with_samples), 1); /* the first of two with equally many */
	assert_int_equal(with_samples, 2);
	builder_add(p, builder_event(p, "faults"), "web 1/1", "a`f", 1, 1);
	assert_int_equal(event_choice_most(p, &with_samples), 2);
	assert_int_equal(event_choice_most(empty, &with_samples), PROFILE_NONE);
	assert_int_equal(with_samples, 0);
	profile_destroy(p);
	profile_destroy(empty);
}

/* As perf names them on a machine with two kinds of cores; the program ran on both. */
static struct profile *of_a_hybrid_machine(const char *atom, const char *core)
{
	struct profile *p = profile_create();

	builder_add(p, builder_event(p, atom), "web 1/1 0", "a`f", 3, 30);
	builder_add(p, builder_event(p, core), "web 1/1 1", "a`f", 20, 400);
	builder_add(p, builder_event(p, core), "web 1/1 1", "a`g", 1, 10);
	profile_finish(p);
	return p;
}

static void assert_joined(const char *atom, const char *core, const char *wanted, const char *name)
{
	struct profile *p = of_a_hybrid_machine(atom, core);
	const struct profile_event *event;
	struct strbuf said;
	uint32_t with_samples;
	char expected[128];

	strbuf_init(&said);
	event_choice_join(p, wanted, &said);
	assert_int_equal(event_choice_most(p, &with_samples), 0);
	assert_int_equal(with_samples, 1);
	event = profile_event_at(p, 0);
	assert_string_equal(profile_text(p, event->name), name);
	assert_int_equal(event->samples, 24);
	assert_int_equal(event->weight, 440);
	for (uint32_t i = 0; i < profile_sample_count(p); i++)
		assert_int_equal(profile_sample_at(p, i)->event, 0);
	snprintf(expected, sizeof(expected), "%s is %s and %s", name, atom, core);
	assert_string_equal(said.bytes, expected);
	strbuf_fini(&said);
	profile_destroy(p);
}

static void what_several_pmus_of_cores_counted_of_one_event_is_joined(void **state)
{
	(void)state;
	assert_joined("cpu_atom/cycles/", "cpu_core/cycles/", NULL, "cycles");
	assert_joined("cpu_atom/cycles/P", "cpu_core/cycles/P", NULL, "cycles:P");
	assert_joined("cpu_core/cycles:ppp/", "cpu_atom/cycles:ppp/", NULL, "cycles:ppp");
	assert_joined("armv8_cortex_a53/cpu_cycles/", "armv8_cortex_a72/cpu_cycles/", NULL, "cpu_cycles");
	assert_joined("cpu_atom/cycles/", "cpu_core/cycles/", "cycles", "cycles");
}

static void assert_apart(const char *one, const char *other, const char *wanted)
{
	struct profile *p = of_a_hybrid_machine(one, other);
	struct strbuf said;

	strbuf_init(&said);
	event_choice_join(p, wanted, &said);
	assert_int_equal(profile_event_at(p, 0)->samples, 3);
	assert_string_equal(profile_text(p, profile_event_at(p, 0)->name), one);
	assert_string_equal(said.bytes, "");
	strbuf_fini(&said);
	profile_destroy(p);
}

static void other_events_are_not_joined(void **state)
{
	(void)state;
	assert_apart("cpu_atom/cycles/", "cpu_core/instructions/", NULL);
	assert_apart("cpu_atom/cycles/", "cpu_core/cycles/u", NULL);
	assert_apart("cpu_atom/event=0x3c/", "cpu_core/event=0x3c/", NULL);
	assert_apart("uncore_imc_0/reads/", "uncore_imc_1/reads/", NULL);
	assert_apart("cycles", "cpu_core/cycles/", NULL);
	assert_apart("cpu_atom/cycles/", "cpu_core/cycles/", "cpu_core/cycles/");
}

static void the_event_of_one_pmu_is_found_by_its_own_name(void **state)
{
	struct profile *p = of_a_hybrid_machine("cpu_atom/cycles/u", "page-faults");
	uint32_t event;

	(void)state;
	assert_int_equal(event_choice_find(p, "cycles", &event, NULL), 0);
	assert_int_equal(event, 0);
	profile_destroy(p);
}

static void time_on_and_off_the_cpu_is_one_event(void **state)
{
	struct profile *p = profile_create();
	uint32_t event;

	(void)state;
	builder_add(p, builder_event(p, "faults"), "web 1/1", "a`f", 1, 1);
	builder_add(p, builder_event(p, "cpu-clock:u"), "web 1/1", "a`f", 1, 10);
	builder_add(p, builder_event(p, "offcpu-time"), "web 1/1", "a`g", 1, 90);
	profile_finish(p);
	assert_int_equal(event_choice_join_wall(p, &event, NULL), 0);
	assert_int_equal(event, 1);
	assert_string_equal(profile_text(p, profile_event_at(p, 1)->name), "wall-clock");
	assert_int_equal(profile_event_at(p, 1)->weight, 100);
	assert_int_equal(profile_event_at(p, 2)->samples, 0);
	assert_int_equal(profile_event_at(p, 0)->weight, 1);
	profile_destroy(p);
}

static void cycles_are_no_time(void **state)
{
	struct profile *p = with_events();
	struct error err;
	uint32_t event;

	(void)state;
	assert_int_equal(event_choice_join_wall(p, &event, &err), -1);
	assert_string_equal(err.message,
			    "--wall: time off the CPU was not recorded: use 'xprof record --off-cpu'");
	builder_add(p, builder_event(p, "offcpu-time"), "web 1/1", "a`g", 1, 90);
	assert_int_equal(event_choice_join_wall(p, &event, &err), -1);
	assert_string_equal(err.message, "--wall: the event on the CPU does not measure time: use 'xprof "
					 "record -e cpu-clock --off-cpu'");
	profile_destroy(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_is_found_with_and_without_its_modifiers),
		cmocka_unit_test(an_unknown_event_is_an_error_that_lists_the_known),
		cmocka_unit_test(the_event_with_most_samples_is_chosen_and_the_others_are_counted),
		cmocka_unit_test(what_several_pmus_of_cores_counted_of_one_event_is_joined),
		cmocka_unit_test(other_events_are_not_joined),
		cmocka_unit_test(the_event_of_one_pmu_is_found_by_its_own_name),
		cmocka_unit_test(time_on_and_off_the_cpu_is_one_event),
		cmocka_unit_test(cycles_are_no_time),
	};

	return cmocka_run_group_tests_name("report/view/event_choice", tests, NULL, NULL);
}
