/*
 * render() is the whole command: the options choose one of the walks of the program's table (help text, manual page,
 * completion script, list of names), which writes into a buffer. Only help that people read goes through the pager.
 */
#include "cli/cmd_help.h"

#include <unistd.h>

#include "base/strbuf.h"
#include "cli/color.h"
#include "cli/option_complete.h"
#include "cli/option_help.h"
#include "cli/pager.h"

static const char *const help_shells[] = { "bash", "zsh", "fish", NULL };

typedef void complete_shell(struct strbuf *out, const struct cli_program *program);

static complete_shell *const complete_shells[] = {
	option_complete_bash,
	option_complete_zsh,
	option_complete_fish,
};

const struct option help_option_table[] = {
	{ OPTION_FLAG(struct help_options, man), .name = "man",
	  .help = "print the manual page, as man(1) reads it" },
	{ OPTION_CHOICE(struct help_options, shell), .name = "completion", .choices = help_shells,
	  .help = "print the completion script of a shell",
	  .details = "To try it without installing anything:\n\n"
		     "  bash   source <(xprof help --completion=bash)\n"
		     "  zsh    source <(xprof help --completion=zsh)\n"
		     "  fish   xprof help --completion=fish | source" },
	{ OPTION_FLAG(struct help_options, commands), .name = "commands", .hidden = true,
	  .help = "print the names of all commands, for scripts" },
	OPTION_END,
};

const char *const help_usage[] = { "[COMMAND]", "--man [COMMAND]", "--completion=bash|zsh|fish", NULL };

const char *const help_description[] = {
	"Explains a command at length, or lists all commands. The same text is in the manual pages, "
	"and 'xprof COMMAND -h' gives the short form.",
	NULL,
};

const struct cli_example help_examples[] = {
	{ "xprof help record", "Everything about recording." },
	{ "xprof help --man record | man -l -",
	  "The same as a manual page, also where it is not installed." },
	{ NULL, NULL },
};

static void add_command_names(struct strbuf *out, const struct cli_program *program)
{
	for (size_t i = 0; program->commands[i]; i++)
		strbuf_addf(out, "%s\n", program->commands[i]->name);
}

static void render(struct strbuf *out, const struct help_options *options, const struct cli_command *topic)
{
	struct help_style style = help_style_for(STDOUT_FILENO, color_init(COLOR_AUTO, stdout), true);

	if (options->commands)
		add_command_names(out, options->program);
	else if (options->shell != HELP_NO_SHELL)
		complete_shells[options->shell](out, options->program);
	else if (options->man && topic)
		option_man_command(out, options->program, topic);
	else if (options->man)
		option_man_program(out, options->program);
	else if (topic)
		option_help_command(out, options->program, topic, &style);
	else
		option_help_program(out, options->program, &style);
}

int help_run(void *parsed, int operand_count, char **operands, struct error *err)
{
	const struct help_options *options = parsed;
	const struct cli_command *topic = NULL;
	struct strbuf text = STRBUF_INIT;
	struct pager *pager;

	if (options->shell != HELP_NO_SHELL && (options->man || operand_count))
		return cli_usage_error(
			err,
			"--completion takes neither a command nor --man: one script completes all commands");
	if (operand_count) {
		topic = cli_program_find(options->program, operands[0]);
		if (!topic)
			return cli_program_unknown_command(options->program, operands[0], err);
	}
	render(&text, options, topic);
	pager = pager_start(!options->man && !options->commands && options->shell == HELP_NO_SHELL);
	fwrite(text.bytes, 1, text.size, stdout);
	pager_finish(pager);
	strbuf_fini(&text);
	return 0;
}
