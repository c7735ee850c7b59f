/* Turns main()'s arguments into an exit status: see program_run.h. */
#include "cli/program_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "cli/color.h"
#include "cli/option_help.h"
#include "cli/pager.h"

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

static int fail(const struct cli_program *program, const struct error *err, FILE *errors)
{
	fprintf(errors, "%s: %s\n", program->name, err->message);
	return EXIT_FAILED;
}

/* Prints the message and where to find the right usage. After a question ("did you mean ...?") that is a sentence of its own. */
static int fail_usage(const struct cli_program *program, const struct cli_command *command,
		      const struct error *err, FILE *errors)
{
	size_t length = strlen(err->message);
	bool asks = length && err->message[length - 1] == '?';

	fprintf(errors, "%s: %s%s '%s %s%s'\n", program->name, err->message, asks ? " See" : "; see",
		program->name, command ? command->name : "help", command ? " -h" : "");
	return EXIT_USAGE;
}

static void print_help(const struct cli_program *program, const struct cli_command *command, bool at_length)
{
	struct color color = color_init(COLOR_AUTO, stdout);
	struct help_style style = help_style_for(STDOUT_FILENO, color, at_length);
	struct strbuf text = STRBUF_INIT;
	struct pager *pager;

	if (command)
		option_help_command(&text, program, command, &style);
	else
		option_help_program(&text, program, &style);
	pager = pager_start(at_length);
	fwrite(text.bytes, 1, text.size, stdout);
	pager_finish(pager);
	strbuf_fini(&text);
}

static int run_command(const struct cli_program *program, const struct cli_command *command, int argc,
		       char **argv, FILE *errors)
{
	struct error err = { .message = "" };
	void *options = xcalloc(1, command->options_size + 1);
	enum option_result parsed;
	int operand_count, status = 0;

	if (command->defaults)
		memcpy(options, command->defaults, command->options_size);
	parsed = option_parse(command, options, argc, argv, &operand_count, &err);
	if (parsed == OPTION_PARSED)
		status = command->run(options, operand_count, argv, &err);
	else if (parsed == OPTION_WRONG)
		status = CLI_USAGE;
	else
		print_help(program, command, parsed == OPTION_LONG_HELP);
	free(options);

	if (status == CLI_USAGE)
		return fail_usage(program, command, &err, errors);
	return status < 0 ? fail(program, &err, errors) : status;
}

/* `xprof --version` is `xprof version`, and so on; other words are names of commands. */
static const char *command_name(const char *word)
{
	if (!strcmp(word, "-h") || !strcmp(word, "--help"))
		return "help";
	if (!strcmp(word, "-V") || !strcmp(word, "--version"))
		return "version";
	return word;
}

/* Without a command, prints the help of the program. For scripts that is wrong usage. */
static int fail_without_command(const struct cli_program *program, FILE *errors)
{
	struct help_style style = help_style_for(fileno(errors), color_init(COLOR_AUTO, errors), false);
	struct strbuf text = STRBUF_INIT;

	option_help_program(&text, program, &style);
	fwrite(text.bytes, 1, text.size, errors);
	strbuf_fini(&text);
	return EXIT_USAGE;
}

static int run(const struct cli_program *program, int argc, char **argv, FILE *errors)
{
	const struct cli_command *command;
	struct error err;

	if (argc < 2)
		return fail_without_command(program, errors);
	command = cli_program_find(program, command_name(argv[1]));
	if (!command) {
		cli_program_unknown_command(program, argv[1], &err);
		return fail_usage(program, NULL, &err, errors);
	}
	return run_command(program, command, argc - 2, argv + 2, errors);
}

/*
 * If xprof is started with >&- or 2>&-, the next file that it opens, such as a recording, would become standard output or error,
 * and messages would be written into it. With a read-only descriptor in that place the write fails instead.
 */
static void hold_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/dev/null", O_RDONLY); /* the lowest free number is fd */
}

int cli_program_run(const struct cli_program *program, int argc, char **argv, FILE *errors)
{
	struct error err;
	int status;

	hold_standard_files();
	status = run(program, argc, argv, errors);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	error_set_errno(&err, errno, "cannot write to standard output");
	fail(program, &err, errors);
	return status ? status : EXIT_FAILED;
}
