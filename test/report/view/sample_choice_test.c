#include "report/view/sample_choice.h"

#include <string.h>

#include "format/off_cpu_wait.h"
#include "support/cmocka.h"

struct words {
	int before;
	struct sample_choice samples;
};

static const struct option table[] = {
	SAMPLE_CHOICE_EVENT(struct words, samples),
	SAMPLE_CHOICE_OPTIONS(struct words, samples, 'c'),
	SAMPLE_CHOICE_DSOS(struct words, samples),
	SAMPLE_CHOICE_CGROUPS(struct words, samples),
	SAMPLE_CHOICE_STACK(struct words, samples),
	SAMPLE_CHOICE_CPUS(struct words, samples),
	SAMPLE_CHOICE_TIME(struct words, samples),
	SAMPLE_CHOICE_WAITS(struct words, samples),
	OPTION_END,
};

static void what_was_typed_becomes_a_filter(void **state)
{
	const struct cli_command command = { .name = "x",
					     .options = table,
					     .options_size = sizeof(struct words) };
	char *typed[] = { (char[]){ "-cmake,cc1" }, (char[]){ "-dlibc.so.6" },
			  (char[]){ "-Sread" },     (char[]){ "--cgroups=/a,/b" },
			  (char[]){ "--pid=1" },    (char[]){ "--tid=2,3" },
			  (char[]){ "-C0-1" },      NULL };
	struct words words = { 0 };
	struct filter filter;
	int operand_count;

	(void)state;
	assert_int_equal(option_parse(&command, &words, 7, typed, &operand_count, NULL), OPTION_PARSED);
	filter = sample_choice_filter(&words.samples);
	assert_string_equal(filter.comms[1], "cc1");
	assert_string_equal(filter.dsos[0], "libc.so.6");
	assert_string_equal(filter.symbols[0], "read");
	assert_string_equal(filter.cgroups[1], "/b");
	assert_int_equal(filter.pids[filter.pid_count - 1], 1);
	assert_int_equal(filter.tids[filter.tid_count - 1], 3);
	assert_int_equal(filter.cpus[filter.cpu_count - 1], 1);
	assert_null(filter.stacks);
	sample_choice_fini(&words.samples);
}

static void waits_go_by_names(void **state)
{
	const struct cli_command command = { .name = "x",
					     .options = table,
					     .options_size = sizeof(struct words) };
	char *typed[] = { (char[]){ "--wait=futex" }, NULL }, *wrong[] = { (char[]){ "--wait=futx" }, NULL };
	struct words words = { 0 };
	struct error err;
	int operand_count;

	(void)state;
	assert_int_equal(option_parse(&command, &words, 1, typed, &operand_count, NULL), OPTION_PARSED);
	assert_int_equal(words.samples.waits.kinds, 1U << OFF_CPU_KIND_FUTEX);
	assert_int_equal(option_parse(&command, &words, 1, wrong, &operand_count, &err), OPTION_WRONG);
	assert_non_null(strstr(err.message, "--wait"));
	assert_non_null(strstr(err.message, "page-fault"));
}

static void nothing_typed_lets_everything_pass(void **state)
{
	const struct sample_choice choice = { 0 };
	const struct filter filter = sample_choice_filter(&choice);

	(void)state;
	assert_null(filter.comms);
	assert_null(filter.dsos);
	assert_null(filter.symbols);
	assert_null(filter.cgroups);
	assert_int_equal(filter.pid_count + filter.tid_count + filter.cpu_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_typed_becomes_a_filter),
		cmocka_unit_test(waits_go_by_names),
		cmocka_unit_test(nothing_typed_lets_everything_pass),
	};

	return cmocka_run_group_tests_name("report/view/sample_choice", tests, NULL, NULL);
}
