#include "report/waits/wait_choice.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/waiting_sample.h"

static bool keeps(const char *names, enum off_cpu_state state, enum off_cpu_kind kind)
{
	const struct off_cpu_wait wait = { .state = state, .kind = kind };
	struct wait_choice choice;
	struct sample sample;
	struct strbuf raw;
	bool kept;

	assert_int_equal(wait_choice_parse(&choice, names, NULL), 0);
	strbuf_init(&raw);
	sample = waiting_sample_make(&wait, &raw);
	kept = wait_choice_keeps(&choice, "offcpu-time", &sample);
	strbuf_fini(&raw);
	return kept;
}

static void a_state_or_a_kind_is_enough(void **state)
{
	(void)state;
	assert_true(keeps("futex", OFF_CPU_SLEEPING, OFF_CPU_KIND_FUTEX));
	assert_true(keeps("sleeping", OFF_CPU_SLEEPING, OFF_CPU_KIND_FUTEX));
	assert_true(keeps("pipe,futex", OFF_CPU_SLEEPING, OFF_CPU_KIND_FUTEX));
	assert_false(keeps("pipe", OFF_CPU_SLEEPING, OFF_CPU_KIND_FUTEX));
	assert_false(keeps("runqueue", OFF_CPU_SLEEPING, OFF_CPU_KIND_FUTEX));
	assert_true(keeps("disk", OFF_CPU_DISK, OFF_CPU_KIND_PAGE_FAULT));
	assert_true(keeps("disk", OFF_CPU_SLEEPING, OFF_CPU_KIND_DISK));
}

static void names_may_be_written_as_people_write_them(void **state)
{
	(void)state;
	assert_true(keeps("page fault", OFF_CPU_DISK, OFF_CPU_KIND_PAGE_FAULT));
	assert_true(keeps("page-fault", OFF_CPU_DISK, OFF_CPU_KIND_PAGE_FAULT));
	assert_true(keeps("run queue", OFF_CPU_RUNQUEUE, OFF_CPU_KIND_NONE));
	assert_true(keeps("poll, Kernel_Lock ,", OFF_CPU_SLEEPING, OFF_CPU_KIND_LOCK));
}

static void samples_on_a_CPU_are_kept_only_by_name(void **state)
{
	const struct sample sample = { .raw = NULL };
	struct wait_choice choice = { 0 };

	(void)state;
	assert_true(wait_choice_keeps(&choice, "cpu-clock", &sample));
	assert_int_equal(wait_choice_parse(&choice, "sleeping", NULL), 0);
	assert_false(wait_choice_keeps(&choice, "cpu-clock", &sample));
	assert_int_equal(wait_choice_parse(&choice, "on-cpu", NULL), 0);
	assert_true(wait_choice_keeps(&choice, "cpu-clock", &sample));
	assert_true(wait_choice_keeps(&choice, NULL, &sample));
	assert_false(wait_choice_keeps(&choice, "offcpu-time", &sample)); /* its raw data cannot be read */
}

static void an_unknown_name_gives_the_list(void **state)
{
	static const char *const wrong[] = { "futx", "futex,run", "", ",", " ", "fut", "futexes", NULL };
	struct wait_choice choice = { .kinds = 4 };
	struct error err;

	(void)state;
	for (size_t i = 0; wrong[i]; i++) {
		assert_int_equal(wait_choice_parse(&choice, wrong[i], &err), -1);
		for (size_t name = 0; wait_choice_names[name]; name++)
			assert_non_null(strstr(err.message, wait_choice_names[name]));
	}
	assert_int_equal(wait_choice_parse(&choice, "futex,run", &err), -1);
	assert_non_null(strstr(err.message, "'run' is not a kind of wait"));
	assert_int_equal(choice.kinds, 4);
}

static void assert_choosable(const char *name)
{
	struct wait_choice choice;

	assert_int_equal(wait_choice_parse(&choice, name, NULL), 0);
}

static void every_name_of_a_report_can_be_chosen(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < OFF_CPU_STATES; i++)
		assert_choosable(off_cpu_state_name(i));
	for (unsigned int i = 0; i < OFF_CPU_KINDS; i++)
		assert_choosable(off_cpu_kind_name(i));
}

/* If the list lacked a name, the text would lack it, too. */
static void the_list_has_every_name_and_makes_the_same_choice_again(void **state)
{
	struct wait_choice all = { .states = (1U << OFF_CPU_STATES) - 1,
				   .kinds = (1U << OFF_CPU_KINDS) - 1,
				   .has_running = true },
			   again;
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	wait_choice_add_text(&text, &all);
	assert_int_equal(wait_choice_parse(&again, text.bytes, NULL), 0);
	assert_int_equal(again.states, all.states);
	assert_int_equal(again.kinds, all.kinds);
	assert_true(again.has_running);
	strbuf_reset(&text);
	assert_int_equal(wait_choice_parse(&again, "page fault,futex", NULL), 0);
	wait_choice_add_text(&text, &again);
	assert_string_equal(text.bytes, "futex,page-fault");
	strbuf_fini(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_state_or_a_kind_is_enough),
		cmocka_unit_test(names_may_be_written_as_people_write_them),
		cmocka_unit_test(samples_on_a_CPU_are_kept_only_by_name),
		cmocka_unit_test(an_unknown_name_gives_the_list),
		cmocka_unit_test(every_name_of_a_report_can_be_chosen),
		cmocka_unit_test(the_list_has_every_name_and_makes_the_same_choice_again),
	};

	return cmocka_run_group_tests_name("report/waits/wait_choice", tests, NULL, NULL);
}
