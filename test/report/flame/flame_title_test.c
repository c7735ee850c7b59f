#include "report/flame/flame_title.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"

enum { MOST_WORDS = 16 };

/* `line` is the recorder's command line, words separated by blanks. */
static void assert_title(const char *line, const char *expected)
{
	char text[512];
	const char *words[MOST_WORDS];
	struct profile_facts facts = { .hostname = "build-7", .command_line = words };
	struct strbuf out;
	char *rest = NULL;

	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		words[facts.command_line_count++] = word;
	strbuf_init(&out);
	flame_title_add(&out, &facts, "cycles", "perf.data");
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void a_title_names_the_command_that_was_recorded(void **state)
{
	(void)state;
	assert_title("xprof record -g -- ./server --port 80",
		     "./server --port 80 on build-7: cycles, perf.data");
	assert_title("/usr/bin/perf record -e cycles -F97 -c 4000 --call-graph dwarf ./a.out x",
		     "./a.out x on build-7: cycles, perf.data");
	assert_title("perf record -ge cycles --freq=99 -o out ls -a", "ls -a on build-7: cycles, perf.data");
	assert_title("simpleperf record -f 4000 --duration 3 ls", "ls on build-7: cycles, perf.data");
}

static void a_title_says_that_the_whole_system_was_recorded(void **state)
{
	(void)state;
	assert_title("perf record -a -g", "whole system on build-7: cycles, perf.data");
	assert_title("perf record -agF 99 -- sleep 10",
		     "whole system (sleep 10) on build-7: cycles, perf.data");
	assert_title("xprof record", "whole system on build-7: cycles, perf.data");
	assert_title("perf record -a -C 0-3 sleep 1", "CPUs 0-3 (sleep 1) on build-7: cycles, perf.data");
}

static void a_title_names_processes_and_threads(void **state)
{
	(void)state;
	assert_title("perf record -p 4711", "process 4711 on build-7: cycles, perf.data");
	assert_title("perf record --pid=1,2 sleep 1",
		     "processes 1,2 (sleep 1) on build-7: cycles, perf.data");
	assert_title("perf record -t 5 -g", "thread 5 on build-7: cycles, perf.data");
	assert_title("xprof record -u nobody", "user nobody on build-7: cycles, perf.data");
	assert_title("simpleperf record --app com.example -g", "com.example on build-7: cycles, perf.data");
}

static void words_of_other_commands_say_nothing(void **state)
{
	(void)state;
	assert_title("perf inject -i perf.data", "cycles, perf.data of build-7");
	assert_title("", "cycles, perf.data of build-7");
}

static void a_file_that_knows_nothing_is_called_by_its_name(void **state)
{
	const struct profile_facts nothing = { .path = NULL };
	struct strbuf out;

	(void)state;
	strbuf_init(&out);
	flame_title_add(&out, &nothing, "", "perf.data");
	assert_string_equal(out.bytes, "perf.data");
	strbuf_fini(&out);
}

static void a_long_command_is_cut(void **state)
{
	char line[300], expected[300];

	(void)state;
	snprintf(line, sizeof(line), "perf record -- ./%0200d", 0);
	snprintf(expected, sizeof(expected), "./%085d... on build-7: cycles, perf.data", 0);
	assert_title(line, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_title_names_the_command_that_was_recorded),
		cmocka_unit_test(a_title_says_that_the_whole_system_was_recorded),
		cmocka_unit_test(a_title_names_processes_and_threads),
		cmocka_unit_test(words_of_other_commands_say_nothing),
		cmocka_unit_test(a_file_that_knows_nothing_is_called_by_its_name),
		cmocka_unit_test(a_long_command_is_cut),
	};

	return cmocka_run_group_tests_name("report/flame/flame_title", tests, NULL, NULL);
}
