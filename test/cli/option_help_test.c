#include "cli/option_help.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/greet_command.h"

static const struct help_style plain = { .columns = 80 };
static const struct help_style at_length = { .columns = 80, .at_length = true };

static char *help_of(const struct cli_command *command, const struct help_style *style)
{
	struct strbuf out;

	strbuf_init(&out);
	if (command)
		option_help_command(&out, &greeter, command, style);
	else
		option_help_program(&out, &greeter, style);
	return strbuf_detach(&out);
}

static void short_help_lists_options_under_their_groups(void **state)
{
	char *text = help_of(&cmd_greet, &plain);

	(void)state;
	assert_string_equal(text,
			    "xprof greet - greet somebody\n"
			    "\n"
			    "Usage: xprof greet [-a] [-n NAME] [--] PROGRAM\n"
			    "\n"
			    "Who is greeted\n"
			    "  -n, --name NAME           greet NAME instead of the user\n"
			    "  -e, --event EVENT         greet at EVENT\n"
			    "  -g                        same as --call-graph auto\n"
			    "      --call-graph MODE[,BYTES]\n"
			    "                            how the caller is found\n"
			    "  -s, --sort KEY[,KEY...]   order of greetings\n"
			    "  -P, --percentage[=relative|absolute]\n"
			    "                            relative to [what]: all of it\n"
			    "\n"
			    "How\n"
			    "  -F, --freq N              greet N times\n"
			    "      --number N            a number\n"
			    "      --size SIZE           a size\n"
			    "      --duration TIME       a duration\n"
			    "      --percent-limit PERCENT\n"
			    "                            a number with a point\n"
			    "  -a, --all-capitals        in capitals\n"
			    "      --[no-]children       children too\n"
			    "  -i, --[no-]inherit        but not theirs\n"
			    "  -v, --verbose             say more\n"
			    "      --color[=WHEN]        colour the output: auto (on a terminal; the\n"
			    "                            default), always or never\n"
			    "\n"
			    "Help\n"
			    "  -h, --help                list the options; --help explains them at length\n"
			    "\n"
			    "Examples\n"
			    "  xprof greet -n world\n"
			    "      The classic.\n"
			    "\n"
			    "'xprof help greet' explains all of this at length.\n");
	free(text);
}

static void long_help_has_description_details_and_exit_status(void **state)
{
	char *text = help_of(&cmd_greet, &at_length);

	(void)state;
	assert_non_null(strstr(text, "\nGreets. Don't be shy.\n\nTwice: see --freq.\n"));
	assert_non_null(strstr(text, "\n  -n, --name NAME\n      Greet NAME instead of the user.\n\n"
				     "      It isn't checked.\n\n        verbatim   -x\n        .dots\n\n"
				     "  -e, --event EVENT\n"));
	assert_non_null(strstr(text, "\nExit status\n  0      all is well\n  128+N  signal N\n"));
	free(text);
}

static void long_help_alone_says_which_options_are_accepted(void **state)
{
	char *text = help_of(&cmd_greet, &at_length), *brief = help_of(&cmd_greet, &plain);

	(void)state;
	assert_non_null(strstr(text, "\nOptions of perf that change nothing here\n"
				     "  -B, --no-badges           names come by themselves\n"
				     "      --threads N           one is enough\n"));
	assert_null(strstr(brief, "--no-badges"));
	assert_null(strstr(text, "--gramophone"));
	free(text);
	free(brief);
}

static void long_help_alone_lists_seldom_options(void **state)
{
	char *text = help_of(&cmd_greet, &at_length), *brief = help_of(&cmd_greet, &plain);

	(void)state;
	assert_non_null(strstr(text, "\nSeldom used\n      --bow                 bow too\n"));
	assert_null(strstr(brief, "--bow"));
	free(text);
	free(brief);
}

static void a_table_without_groups_has_one_heading(void **state)
{
	char *text = help_of(&cmd_show, &plain);

	(void)state;
	assert_non_null(strstr(text, "\nOptions\n  -i, --input FILE "));
	assert_null(strstr(text, "\nHelp\n"));
	free(text);
}

static void the_program_lists_its_commands(void **state)
{
	char *text = help_of(NULL, &plain);

	(void)state;
	assert_string_equal(text, "xprof 1.2 - a greeter\n"
				  "\n"
				  "Usage: xprof COMMAND [OPTIONS]\n"
				  "\n"
				  "Commands\n"
				  "  greet   greet somebody\n"
				  "  show    show files\n"
				  "\n"
				  "'xprof COMMAND -h' lists the options of a command, 'xprof help COMMAND' "
				  "explains it.\n");
	free(text);
}

static void no_line_is_wider_than_the_terminal(void **state)
{
	const struct help_style narrow = { .columns = 50, .at_length = false };
	char *text = help_of(&cmd_greet, &narrow), *line;

	(void)state;
	for (line = strtok(strstr(text, "Who is"), "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 50);
	free(text);
}

static void headings_are_coloured_on_request(void **state)
{
	const struct help_style style = { .columns = 80, .color = { .enabled = true } };
	char *text = help_of(&cmd_show, &style);

	(void)state;
	assert_non_null(strstr(text, "\n\033[1mOptions\033[0m\n"));
	free(text);
}

static void lines_are_no_longer_than_is_good_to_read(void **state)
{
	(void)state;
	assert_in_range(help_style_for(-1, (struct color){ false }, false).columns, 80, 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_help_lists_options_under_their_groups),
		cmocka_unit_test(long_help_has_description_details_and_exit_status),
		cmocka_unit_test(long_help_alone_says_which_options_are_accepted),
		cmocka_unit_test(long_help_alone_lists_seldom_options),
		cmocka_unit_test(a_table_without_groups_has_one_heading),
		cmocka_unit_test(the_program_lists_its_commands),
		cmocka_unit_test(no_line_is_wider_than_the_terminal),
		cmocka_unit_test(headings_are_coloured_on_request),
		cmocka_unit_test(lines_are_no_longer_than_is_good_to_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
