#include "cli/cmd_help.h"

#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"
#include "support/greet_command.h"

enum { MAX_TEXT = 1 << 16 };

/* The output of help_run() with these options on standard output, which is no terminal. */
static const char *help_text(struct help_options options, char *topic)
{
	static char text[MAX_TEXT];
	char *operands[] = { topic, NULL };
	int saved = dup(STDOUT_FILENO), result;
	FILE *file = tmpfile();
	size_t size;

	options.program = &greeter;
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	result = help_run(&options, topic ? 1 : 0, operands, NULL);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_int_equal(result, 0);

	rewind(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	return text;
}

static int wrong_usage(struct help_options options, char *topic, struct error *err)
{
	char *operands[] = { topic, NULL };

	options.program = &greeter;
	return help_run(&options, topic ? 1 : 0, operands, err);
}

static void assert_begins(const char *text, const char *beginning)
{
	assert_memory_equal(text, beginning, strlen(beginning));
}

static const struct help_options none = { .shell = HELP_NO_SHELL };

static void a_topic_is_explained_at_length(void **state)
{
	const char *text = help_text(none, "greet");

	(void)state;
	assert_begins(text, "xprof greet - greet somebody\n");
	assert_non_null(strstr(text, "\nExit status\n"));
}

static void without_a_topic_all_commands_are_listed(void **state)
{
	(void)state;
	assert_non_null(strstr(help_text(none, NULL), "\nCommands\n  greet   greet somebody\n"));
}

static void pages_are_those_of_the_topic_or_the_program(void **state)
{
	const struct help_options man = { .man = true, .shell = HELP_NO_SHELL };

	(void)state;
	assert_non_null(strstr(help_text(man, "show"), ".TH XPROF\\-SHOW 1 "));
	assert_non_null(strstr(help_text(man, NULL), ".TH XPROF 1 "));
}

static void shells_are_numbered_as_their_names_are_listed(void **state)
{
	(void)state;
	assert_begins(help_text((struct help_options){ .shell = 0 }, NULL), "# bash completion for xprof;");
	assert_begins(help_text((struct help_options){ .shell = 1 }, NULL), "#compdef xprof\n");
	assert_begins(help_text((struct help_options){ .shell = 2 }, NULL), "# fish completion for xprof;");
}

static void names_of_commands_are_for_scripts(void **state)
{
	const struct help_options commands = { .commands = true, .shell = HELP_NO_SHELL };

	(void)state;
	assert_string_equal(help_text(commands, NULL), "greet\nshow\n");
}

static void what_cannot_be_explained_is_wrong_usage(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(wrong_usage(none, "shwo", &err), CLI_USAGE);
	assert_string_equal(err.message, "unknown command 'shwo', did you mean 'show'?");
	assert_int_equal(wrong_usage((struct help_options){ .shell = 0 }, "show", &err), CLI_USAGE);
	assert_string_equal(
		err.message,
		"--completion takes neither a command nor --man: one script completes all commands");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_topic_is_explained_at_length),
		cmocka_unit_test(without_a_topic_all_commands_are_listed),
		cmocka_unit_test(pages_are_those_of_the_topic_or_the_program),
		cmocka_unit_test(shells_are_numbered_as_their_names_are_listed),
		cmocka_unit_test(names_of_commands_are_for_scripts),
		cmocka_unit_test(what_cannot_be_explained_is_wrong_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
