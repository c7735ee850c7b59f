#include "report/flame/flame_command.h"

#include "support/cmocka.h"

static void assert_command(struct flame_options *options, const char *event, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	flame_command_add(&out, options, event);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	flame_options_fini(options);
}

static void the_command_names_the_file_and_the_event(void **state)
{
	(void)state;
	assert_command(
		&(struct flame_options){ .input = "perf.data",
					 .symbols = SYMBOL_OPTION_DEFAULTS,
					 .stacks = UNWIND_OPTION_DEFAULTS },
		"cycles:u",
		"[[\"-s\",\"dso,sym\"],[\"-n\"],[\"--percentage\",\"relative\"],[\"-i\",\"perf.data\"],[\"--event\",\"cycles:u\"]]");
}

static void the_command_has_the_filters(void **state)
{
	struct flame_options options = { .input = "a",
					 .samples.time = "10%/2",
					 .symbols.debuginfod = DEBUGINFOD_OFF,
					 .stacks.max_stack = 8,
					 .stacks.unwind = 1,
					 .samples.hide_idle = true,
					 .stacks.wakers = true,
					 .stacks.guess = true };

	(void)state;
	text_list_parse(&options.samples.comms, "web,a b");
	assert_int_equal(wait_choice_parse(&options.samples.waits, "page fault,futex", NULL), 0);
	assert_int_equal(number_list_parse(&options.samples.cpus, "0-1,5", NULL), 0);
	assert_command(
		&options, "",
		"[[\"-s\",\"dso,sym\"],[\"-n\"],[\"--percentage\",\"relative\"],[\"-i\",\"a\"],"
		"[\"--comms\",\"web,a b\"],[\"--cpu\",\"0,1,5\"],[\"--time\",\"10%/2\"],[\"--wait\",\"futex,page-fault\"],[\"--hide-idle\"],[\"--max-stack\",\"8\"],"
		"[\"--unwind\",\"fp\"],[\"--no-join-stacks\"],[\"--guess\"],[\"--wakers\"],[\"--debuginfod\",\"off\"],[\"--no-demangle\"],[\"--no-inline\"]]");
}

static void hostile_words_stay_strings(void **state)
{
	(void)state;
	assert_command(&(struct flame_options){ .input = "</script>\"\n",
						.symbols = SYMBOL_OPTION_DEFAULTS,
						.stacks = UNWIND_OPTION_DEFAULTS },
		       "",
		       "[[\"-s\",\"dso,sym\"],[\"-n\"],[\"--percentage\",\"relative\"],"
		       "[\"-i\",\"\\u003c/script\\u003e\\u0022?\"]]");
}

static void folded_text_has_no_command(void **state)
{
	(void)state;
	assert_command(&(struct flame_options){ .folded = "out.txt" }, "", "null");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_names_the_file_and_the_event),
		cmocka_unit_test(the_command_has_the_filters),
		cmocka_unit_test(hostile_words_stay_strings),
		cmocka_unit_test(folded_text_has_no_command),
	};

	return cmocka_run_group_tests_name("report/flame/flame_command", tests, NULL, NULL);
}
