#include "cli/option.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/greet_command.h"

enum { MAX_WORDS = 16 };

/* A command line that was parsed with cmd_greet's (or another) table. */
struct line {
	char *argv[MAX_WORDS + 1];
	struct greet_options options;
	int operand_count;
	enum option_result result;
	struct error err;
};

/* Words are separated by single spaces; changes `text`. */
static struct line parse_with(const struct cli_command *command, char *text)
{
	struct line line = { .err.message = "" };
	int argc = 0;

	for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
		line.argv[argc++] = word;
	if (command->defaults)
		memcpy(&line.options, command->defaults, sizeof(line.options));
	line.result = option_parse(command, &line.options, argc, line.argv, &line.operand_count, &line.err);
	return line;
}

#define PARSE(text) parse_with(&cmd_greet, (char[]){ text })

static void assert_wrong(const struct line *line, const char *message)
{
	assert_int_equal(line->result, OPTION_WRONG);
	assert_string_equal(line->err.message, message);
}

static void no_words_leave_the_defaults(void **state)
{
	struct line line = PARSE("");

	(void)state;
	assert_int_equal(line.result, OPTION_PARSED);
	assert_int_equal(line.options.times, 7);
	assert_true(line.options.children);
	assert_int_equal(line.operand_count, 0);
	assert_null(line.argv[0]);
}

static void an_argument_is_in_the_same_or_the_next_word(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-F99").options.times, 99);
	assert_int_equal(PARSE("-F 98").options.times, 98);
	assert_int_equal(PARSE("--freq=97").options.times, 97);
	assert_int_equal(PARSE("--freq 96").options.times, 96);
}

static void letters_are_bundled_and_the_last_takes_the_argument(void **state)
{
	struct line line = PARSE("-agF 5");

	(void)state;
	assert_int_equal(line.result, OPTION_PARSED);
	assert_true(line.options.shout);
	assert_true(line.options.called_back);
	assert_int_equal(line.options.times, 5);
	assert_int_equal(PARSE("-aF5").options.times, 5);
}

static void a_unique_beginning_of_a_long_name_will_do(void **state)
{
	struct line line = PARSE("--fre=3 --verb --no-ch");

	(void)state;
	assert_int_equal(line.result, OPTION_PARSED);
	assert_int_equal(line.options.times, 3);
	assert_int_equal(line.options.verbosity, 1);
	assert_false(line.options.children);
}

static void an_ambiguous_beginning_names_two_candidates(void **state)
{
	struct line line = PARSE("--perc");

	(void)state;
	assert_wrong(&line, "option '--perc' is ambiguous: '--percentage' or '--percent-limit'");
}

static void an_exact_name_wins_over_longer_ones(void **state)
{
	struct line line = parse_with(&cmd_show, (char[]){ "--all" });

	(void)state;
	assert_true(line.options.shout);
}

static void an_unknown_option_suggests_the_nearest(void **state)
{
	struct line line = PARSE("--frq 99");

	(void)state;
	assert_wrong(&line, "unknown option '--frq', did you mean '--freq'?");
	line = PARSE("--callgraph=fp");
	assert_wrong(&line, "unknown option '--callgraph', did you mean '--call-graph'?");
	line = PARSE("--no-childern");
	assert_wrong(&line, "unknown option '--no-childern', did you mean '--no-children'?");
	line = PARSE("--xyzzy");
	assert_wrong(&line, "unknown option '--xyzzy'");
}

static void a_long_name_behind_one_dash_is_recognised(void **state)
{
	struct line line = PARSE("-children");

	(void)state;
	assert_wrong(&line, "unknown option '-children', did you mean '--children'?");
	line = PARSE("-x");
	assert_wrong(&line, "unknown option '-x'");
}

static void a_missing_argument_is_named(void **state)
{
	struct line line = PARSE("-a -F");

	(void)state;
	assert_wrong(&line, "option '--freq' needs an argument: N");
	line = PARSE("--call-graph");
	assert_wrong(&line, "option '--call-graph' needs an argument: MODE[,BYTES]");
}

static void an_argument_for_a_flag_is_refused(void **state)
{
	struct line line = PARSE("--all-capitals=yes");

	(void)state;
	assert_wrong(&line, "option '--all-capitals' takes no argument, but has 'yes'");
	line = PARSE("--no-children=1");
	assert_wrong(&line, "option '--no-children' takes no argument, but has '1'");
}

static void a_bare_g_takes_no_argument_but_call_graph_does(void **state)
{
	struct line line = PARSE("-g fp");

	(void)state;
	assert_true(line.options.called_back);
	assert_null(line.options.call_graph);
	assert_int_equal(line.operand_count, 1);
	assert_string_equal(line.argv[0], "fp");
	assert_string_equal(PARSE("--call-graph dwarf,8192").options.call_graph, "dwarf,8192");
}

static void an_optional_argument_is_taken_from_the_same_word_only(void **state)
{
	struct line line = PARSE("--percentage absolute");

	(void)state;
	assert_string_equal(line.options.style, "relative");
	assert_string_equal(line.argv[0], "absolute");
	assert_string_equal(PARSE("--percentage=absolute").options.style, "absolute");
	assert_string_equal(PARSE("-Pabsolute").options.style, "absolute");
	assert_string_equal(PARSE("-aP").options.style, "relative");
}

static void options_of_a_workload_are_left_alone(void **state)
{
	struct line line = PARSE("-g ls -l --freq=3");

	(void)state;
	assert_int_equal(line.result, OPTION_PARSED);
	assert_int_equal(line.operand_count, 3);
	assert_string_equal(line.argv[0], "ls");
	assert_string_equal(line.argv[1], "-l");
	assert_string_equal(line.argv[2], "--freq=3");
	assert_null(line.argv[3]);
	assert_int_equal(line.options.times, 7);
}

static void two_dashes_end_the_options(void **state)
{
	struct line line = PARSE("-a -- -F --");

	(void)state;
	assert_int_equal(line.operand_count, 2);
	assert_string_equal(line.argv[0], "-F");
	assert_string_equal(line.argv[1], "--");
	assert_null(line.argv[2]);
}

static void files_may_stand_between_options(void **state)
{
	struct line line = parse_with(&cmd_show, (char[]){ "one -a two -i three" });

	(void)state;
	assert_int_equal(line.operand_count, 2);
	assert_string_equal(line.argv[0], "one");
	assert_string_equal(line.argv[1], "two");
	assert_null(line.argv[2]);
	assert_string_equal(line.options.name, "three");
	assert_true(line.options.shout);
}

static void a_single_dash_is_an_operand_or_an_argument(void **state)
{
	struct line line = parse_with(&cmd_show, (char[]){ "- -i -" });

	(void)state;
	assert_int_equal(line.operand_count, 1);
	assert_string_equal(line.argv[0], "-");
	assert_string_equal(line.options.name, "-");
}

static void more_operands_than_the_command_takes_are_refused(void **state)
{
	struct line line = parse_with(&cmd_show, (char[]){ "a b c d" });

	(void)state;
	assert_wrong(&line, "unexpected argument 'c'");
}

static void a_flag_called_no_is_undone_without_it(void **state)
{
	(void)state;
	assert_true(PARSE("-i").options.no_inherit);
	assert_true(PARSE("--no-inherit").options.no_inherit);
	assert_false(PARSE("-i --inherit").options.no_inherit);
}

static void the_last_of_two_wins_and_counts_add_up(void **state)
{
	struct line line = PARSE("-F1 -F2 -vv -v --no-children --children");

	(void)state;
	assert_int_equal(line.options.times, 2);
	assert_int_equal(line.options.verbosity, 3);
	assert_true(line.options.children);
}

static void strings_are_collected_in_order(void **state)
{
	struct line line = PARSE("-e cycles -e{a,b} --event=x");

	(void)state;
	assert_int_equal(line.options.events.count, 3);
	assert_string_equal(line.options.events.items[0], "cycles");
	assert_string_equal(line.options.events.items[1], "{a,b}");
	assert_string_equal(line.options.events.items[2], "x");
	free(line.options.events.items);
}

static void values_have_their_units(void **state)
{
	struct line line = PARSE("--number=0x10 --size 2M --duration 1.5 --percent-limit=0.5%");

	(void)state;
	assert_int_equal(line.result, OPTION_PARSED);
	assert_int_equal(line.options.number, 16);
	assert_int_equal(line.options.size_bytes, 2 << 20);
	assert_int_equal(line.options.duration_ns, 1500000000);
	assert_true(line.options.percent == 0.5);
}

static void a_bad_value_is_quoted_behind_the_option_s_name(void **state)
{
	struct line line = PARSE("-F 9x");

	(void)state;
	assert_wrong(&line, "--freq: '9x' is not a whole number");
	line = PARSE("-F 0");
	assert_wrong(&line, "--freq: '0' is out of range: use 1 to 100");
	line = PARSE("-F 101");
	assert_wrong(&line, "--freq: '101' is out of range: use 1 to 100");
	line = PARSE("--duration 1us");
	assert_wrong(&line, "--duration: '1us' is too small");
	line = PARSE("--call-graph bad");
	assert_wrong(&line, "--call-graph: 'bad' is no way to unwind");
}

static void a_choice_is_its_number_and_beginnings_will_do(void **state)
{
	struct line line = PARSE("--color=sometimes");

	(void)state;
	assert_wrong(&line, "--color: 'sometimes' is not one of auto, always, never");
	assert_int_equal(PARSE("--color=never").options.color, COLOR_NEVER);
	assert_int_equal(PARSE("--color=n").options.color, COLOR_NEVER);
	assert_int_equal(PARSE("--color").options.color, COLOR_ALWAYS);
	line = PARSE("--color=a");
	assert_wrong(&line, "--color: 'a' is not one of auto, always, never");
}

static void help_is_every_command_s(void **state)
{
	(void)state;
	assert_int_equal(PARSE("-h").result, OPTION_HELP);
	assert_int_equal(PARSE("-ah").result, OPTION_HELP);
	assert_int_equal(PARSE("--help --xyzzy").result, OPTION_LONG_HELP);
	assert_int_equal(PARSE("ls -h").result, OPTION_PARSED);
}

static void hidden_options_work_but_are_not_walked(void **state)
{
	const struct option *option = NULL;

	(void)state;
	assert_true(PARSE("--secret").options.secret);
	while ((option = option_next(&cmd_greet, option)))
		assert_true(!option->name || strcmp(option->name, "secret") != 0);
}

static void a_hidden_name_may_be_cut_short_where_no_visible_one_begins_so(void **state)
{
	struct line line = PARSE("--sec"), hidden = PARSE("--secr"), several = PARSE("--thr 1");

	(void)state;
	assert_true(line.options.secret);
	assert_true(hidden.options.secret);
	assert_wrong(&several, "option '--thr' is ambiguous: '--threads' or '--through-door'");
	assert_string_equal(PARSE("--n world").err.message,
			    "option '--n' is ambiguous: '--name' or '--number'");
}

static void accepted_options_take_their_argument_and_change_nothing(void **state)
{
	struct line line =
		PARSE("-B --threads 4 --through-door --through-door=2 --no-badges --no-threads ls -l");

	(void)state;
	assert_int_equal(line.result, OPTION_PARSED);
	assert_int_equal(line.operand_count, 2);
	assert_string_equal(line.argv[0], "ls");
	assert_int_equal(line.options.times, 7);
}

static void the_walk_of_accepted_options_has_no_others(void **state)
{
	const struct option *option = option_next_accepted(&cmd_greet, NULL);

	(void)state;
	assert_string_equal(option->name, "no-badges");
	option = option_next_accepted(&cmd_greet, option);
	assert_string_equal(option->name, "threads");
	option = option_next_accepted(&cmd_greet, option);
	assert_string_equal(option->name, "through-door");
	assert_null(option_next_accepted(&cmd_greet, option));
}

static void a_refused_option_says_what_to_use(void **state)
{
	struct line line = PARSE("--gramophone=1 ls"), letter = PARSE("-aG"), cut = PARSE("--gram");
	struct line undone = PARSE("--no-gramophone ls");

	(void)state;
	assert_wrong(&line, "--gramophone: greetings are not recorded: use --name");
	assert_wrong(&letter, "--gramophone: greetings are not recorded: use --name");
	assert_wrong(&cut, "--gramophone: greetings are not recorded: use --name");
	assert_int_equal(undone.result, OPTION_PARSED);
}

static void flags_and_counts_are_undone_by_no(void **state)
{
	struct line line = PARSE("-a -vv --no-all-capitals --no-verbose");
	struct line argument = PARSE("--no-all-capitals=1");

	(void)state;
	assert_false(line.options.shout);
	assert_int_equal(line.options.verbosity, 0);
	assert_wrong(&argument, "option '--no-all-capitals' takes no argument, but has '1'");
}

static void the_walk_ends_with_a_group_for_help(void **state)
{
	const struct option *option = NULL, *last = NULL, *before = NULL;

	(void)state;
	while ((option = option_next(&cmd_greet, option))) {
		before = last;
		last = option;
	}
	assert_true(before && before->kind == OPTION_KIND_GROUP);
	assert_true(last && last->letter == 'h');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_words_leave_the_defaults),
		cmocka_unit_test(an_argument_is_in_the_same_or_the_next_word),
		cmocka_unit_test(letters_are_bundled_and_the_last_takes_the_argument),
		cmocka_unit_test(a_unique_beginning_of_a_long_name_will_do),
		cmocka_unit_test(an_ambiguous_beginning_names_two_candidates),
		cmocka_unit_test(an_exact_name_wins_over_longer_ones),
		cmocka_unit_test(an_unknown_option_suggests_the_nearest),
		cmocka_unit_test(a_long_name_behind_one_dash_is_recognised),
		cmocka_unit_test(a_missing_argument_is_named),
		cmocka_unit_test(an_argument_for_a_flag_is_refused),
		cmocka_unit_test(a_bare_g_takes_no_argument_but_call_graph_does),
		cmocka_unit_test(an_optional_argument_is_taken_from_the_same_word_only),
		cmocka_unit_test(options_of_a_workload_are_left_alone),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(files_may_stand_between_options),
		cmocka_unit_test(a_single_dash_is_an_operand_or_an_argument),
		cmocka_unit_test(more_operands_than_the_command_takes_are_refused),
		cmocka_unit_test(a_flag_called_no_is_undone_without_it),
		cmocka_unit_test(the_last_of_two_wins_and_counts_add_up),
		cmocka_unit_test(strings_are_collected_in_order),
		cmocka_unit_test(values_have_their_units),
		cmocka_unit_test(a_bad_value_is_quoted_behind_the_option_s_name),
		cmocka_unit_test(a_choice_is_its_number_and_beginnings_will_do),
		cmocka_unit_test(help_is_every_command_s),
		cmocka_unit_test(hidden_options_work_but_are_not_walked),
		cmocka_unit_test(a_hidden_name_may_be_cut_short_where_no_visible_one_begins_so),
		cmocka_unit_test(accepted_options_take_their_argument_and_change_nothing),
		cmocka_unit_test(the_walk_of_accepted_options_has_no_others),
		cmocka_unit_test(a_refused_option_says_what_to_use),
		cmocka_unit_test(flags_and_counts_are_undone_by_no),
		cmocka_unit_test(the_walk_ends_with_a_group_for_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
