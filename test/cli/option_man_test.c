#include "cli/option_help.h"

#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/greet_command.h"

static char *man_of(const struct cli_command *command)
{
	struct strbuf out;

	strbuf_init(&out);
	if (command)
		option_man_command(&out, &greeter, command);
	else
		option_man_program(&out, &greeter);
	return strbuf_detach(&out);
}

static void assert_page_has(const struct cli_command *command, const char *part)
{
	char *page = man_of(command);

	if (!strstr(page, part))
		print_error("%s", page);
	assert_non_null(strstr(page, part));
	free(page);
}

static void a_page_has_its_title_name_and_synopsis(void **state)
{
	(void)state;
	assert_page_has(&cmd_greet, ".TH XPROF\\-GREET 1 2026-01-02 \"xprof 1.2\" \"xprof manual\"\n"
				    ".nh\n.ad l\n.SH NAME\nxprof\\-greet \\- greet somebody\n"
				    ".SH SYNOPSIS\n.B xprof greet\n"
				    "[\\fB\\-a\\fR]\n[\\fB\\-n\\fR\n\\fINAME\\fR]\n"
				    "[\\fB\\-\\-\\fR]\n\\fIPROGRAM\\fR\n"
				    ".SH DESCRIPTION\nGreets.\nDon\\(aqt be shy.\n"
				    ".PP\nTwice: see \\fB\\-\\-freq\\fR.\n");
}

static void options_hang_below_their_group_with_their_details(void **state)
{
	(void)state;
	assert_page_has(&cmd_greet, ".SS Who is greeted\n.TP\n"
				    "\\fB\\-n\\fR, \\fB\\-\\-name\\fR=\\fINAME\\fR\n"
				    "Greet \\fINAME\\fR instead of the user.\n"
				    ".IP\nIt isn\\(aqt checked.\n"
				    ".IP\n.nf\n  verbatim   \\-x\n  .dots\n.fi\n");
}

static void tags_show_optional_arguments_choices_and_negation(void **state)
{
	(void)state;
	assert_page_has(&cmd_greet, ".TP\n\\fB\\-P\\fR, \\fB\\-\\-percentage\\fR[=\\fBrelative\\fR|"
				    "\\fBabsolute\\fR]\n");
	assert_page_has(&cmd_greet, ".TP\n\\fB\\-\\-\\fR[\\fBno\\-\\fR]\\fBchildren\\fR\n");
	assert_page_has(&cmd_greet, ".TP\n\\fB\\-g\\fR\nSame as \\fB\\-\\-call\\-graph\\fR auto.\n");
	assert_page_has(&cmd_greet, "\\fIWHEN\\fR is one of auto, always, never.\n");
}

static void seldom_and_accepted_options_are_paragraphs(void **state)
{
	(void)state;
	assert_page_has(&cmd_greet, ".SS Seldom used\n\\fB\\-\\-bow\\fR\nBow too.\n");
	assert_page_has(&cmd_greet, ".SS Options of perf that change nothing here\n"
				    "\\fB\\-B, \\-\\-no\\-badges\\fR\nNames come by themselves.\n"
				    ".PP\n\\fB\\-\\-threads N\\fR\nOne is enough.\n");
}

static void exit_status_examples_and_see_also_come_last(void **state)
{
	(void)state;
	assert_page_has(&cmd_greet, ".SH EXIT STATUS\n.TP\n\\fB0\\fR\nAll is well.\n"
				    ".TP\n\\fB128+N\\fR\nSignal N.\n"
				    ".SH EXAMPLES\n.TP\n\\fBxprof greet \\-n world\\fR\nThe classic.\n"
				    ".SH SEE ALSO\n.BR xprof (1),\n.BR xprof\\-show (1),\n"
				    ".BR perf\\-record (1)\n");
}

static void the_program_has_a_page_too(void **state)
{
	(void)state;
	assert_page_has(NULL, ".TH XPROF 1 ");
	assert_page_has(NULL, ".SH COMMANDS\n.TP\n\\fBgreet\\fR\nGreet somebody.\n");
	assert_page_has(NULL, ".SH ENVIRONMENT\n.TP\n\\fBPAGER\\fR\nThe pager.\n");
}

static void source_lines_stay_short(void **state)
{
	char *page = man_of(&cmd_greet);

	(void)state;
	for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
	free(page);
}

static void long_lists_without_spaces_may_be_broken_behind_their_commas(void **state)
{
	(void)state;
	assert_page_has(
		&cmd_greet,
		"Of one,two and\ngood_morning_to_you,\\:good_afternoon_to_you,\\:good_evening_to_you.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_has_its_title_name_and_synopsis),
		cmocka_unit_test(options_hang_below_their_group_with_their_details),
		cmocka_unit_test(tags_show_optional_arguments_choices_and_negation),
		cmocka_unit_test(seldom_and_accepted_options_are_paragraphs),
		cmocka_unit_test(exit_status_examples_and_see_also_come_last),
		cmocka_unit_test(the_program_has_a_page_too),
		cmocka_unit_test(source_lines_stay_short),
		cmocka_unit_test(long_lists_without_spaces_may_be_broken_behind_their_commas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
