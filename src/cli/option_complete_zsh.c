/*
 * Writes one call of _arguments for each command and one specification for each name of an option,
 * "*--name=[help]:WORD:action" (zshcompsys(1)). add_spec() puts a specification together and quotes it as a whole at the end.
 */
#include "cli/option_complete.h"

#include <stdio.h>
#include <string.h>

#include "cli/option_complete_words.h"

static const char helpers[] =
	"_xprof_cpus() {\n"
	"\tlocal -a cpus=(/sys/devices/system/cpu/cpu<->(N:t))\n"
	"\t_sequence compadd - ${cpus#cpu}\n"
	"}\n"
	"\n"
	"# Arguments: names that are always there. Tracepoints can be listed by root only.\n"
	"_xprof_events() {\n"
	"\tlocal -a names files\n"
	"\twhile (( $# )) && [[ $1 != -* ]]; do names+=($1); shift; done\n"
	"\tfiles=(/sys/bus/event_source/devices/*/events/*~*.(scale|unit|snapshot|per-pkg)(N))\n"
	"\tnames+=(${${files#/sys/bus/event_source/devices/}/\\/events\\///}/)\n"
	"\tfiles=(/sys/kernel/tracing/events/*/*/id(N:h))\n"
	"\tnames+=(${${files#/sys/kernel/tracing/events/}/\\//:})\n"
	"\t_sequence compadd - ${names:#/}\n"
	"}\n"
	"\n";

/* Adds text for the `[...]` of an _arguments specification, with brackets, colons and backslashes escaped. */
static void add_explained(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("[]\\:", *text))
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
}

static void add_choices(struct strbuf *out, const struct option *option)
{
	for (size_t i = 0; option->choices && option->choices[i]; i++) {
		strbuf_addc(out, ' ');
		add_explained(out, option->choices[i]);
	}
}

/* Adds ":message:action" for an option's argument. */
static void add_argument(struct strbuf *out, const struct option *option)
{
	static const char *const actions[] = {
		[OPTION_COMPLETES_NOTHING] = " ",
		[OPTION_COMPLETES_FILE] = "_files",
		[OPTION_COMPLETES_PID] = "_sequence _pids",
		[OPTION_COMPLETES_EVENT] = "_xprof_events",
		[OPTION_COMPLETES_COMMAND] = "_command_names -e",
		[OPTION_COMPLETES_USER] = "_users",
		[OPTION_COMPLETES_CPU] = "_xprof_cpus",
	};

	strbuf_adds(out, option->argument_optional ? "::" : ":");
	add_explained(out, option->placeholder ? option->placeholder :
			   option->name        ? option->name :
						 "argument");
	strbuf_addc(out, ':');
	if (option->completes != OPTION_COMPLETES_NOTHING || !option->choices) {
		strbuf_adds(out, actions[option->completes]);
		if (option->completes == OPTION_COMPLETES_EVENT)
			add_choices(out, option);
	} else if (option->comma_list) {
		strbuf_adds(out, "_sequence compadd -");
		add_choices(out, option);
	} else {
		strbuf_addc(out, '(');
		add_choices(out, option);
		strbuf_addc(out, ')');
	}
}

/* Adds one specification: "*--pid=[help]:PID:action". All may be repeated, because the last one wins. */
static void add_spec(struct strbuf *out, const struct option *option, const char *dashed)
{
	bool is_long = dashed[1] == '-';
	struct strbuf spec = STRBUF_INIT;

	strbuf_addf(&spec, "*%s", dashed);
	if (option_takes_argument(option)) {
		strbuf_adds(&spec, is_long ? "=" : option->argument_optional ? "" : "+");
		strbuf_adds(&spec, option->argument_optional ? "-" : "");
	}
	strbuf_addc(&spec, '[');
	add_explained(&spec, option->help);
	strbuf_addc(&spec, ']');
	if (option_takes_argument(option))
		add_argument(&spec, option);

	strbuf_adds(out, " \\\n\t\t\t");
	complete_add_quoted(out, spec.bytes, COMPLETE_QUOTE_POSIX);
	strbuf_fini(&spec);
}

static void add_option(struct strbuf *out, const struct option *option)
{
	struct complete_names names = complete_names_of(option);
	char dashed[COMPLETE_NAME_SIZE + 3] = { '-', option->letter, '\0' };

	if (option->letter)
		add_spec(out, option, dashed);
	for (unsigned i = 0; i < names.count; i++) {
		snprintf(dashed, sizeof(dashed), "--%s", names.texts[i]);
		add_spec(out, option, dashed);
	}
}

static void add_command(struct strbuf *out, const struct cli_command *command)
{
	strbuf_addf(out, "\t%s)\n\t\t_arguments -s -S", command->name);
	for (const struct option *option = NULL; (option = option_next(command, option));)
		if (option->kind != OPTION_KIND_GROUP)
			add_option(out, option);
	if (command->operands == CLI_OPERANDS_WORKLOAD)
		strbuf_adds(out, " \\\n\t\t\t'(-)1:program:_command_names -e' '*::argument:_normal'");
	else if (command->operands == CLI_OPERANDS_FILES)
		strbuf_adds(out, " \\\n\t\t\t'*:file:_files'");
	else if (command->operands == CLI_OPERANDS_TOPICS)
		strbuf_adds(out, " \\\n\t\t\t'1:command:_xprof_commands'");
	strbuf_adds(out, "\n\t\t;;\n");
}

void option_complete_zsh(struct strbuf *out, const struct cli_program *program)
{
	strbuf_addf(out, "#compdef %s\n# zsh completion for %s; written by '%s help --completion=zsh'\n\n",
		    program->name, program->name, program->name);
	strbuf_adds(out, "_xprof_commands() {\n\tlocal -a commands=(");
	for (size_t i = 0; program->commands[i]; i++) {
		struct strbuf described = STRBUF_INIT;

		strbuf_addf(&described, "%s:%s", program->commands[i]->name, program->commands[i]->summary);
		strbuf_adds(out, "\n\t\t");
		complete_add_quoted(out, described.bytes, COMPLETE_QUOTE_POSIX);
		strbuf_fini(&described);
	}
	strbuf_adds(out, "\n\t)\n\t_describe -t commands 'xprof command' commands\n}\n\n");
	strbuf_adds(out, helpers);
	strbuf_adds(out, "_xprof() {\n"
			 "\tif (( CURRENT == 2 )); then\n\t\t_xprof_commands\n\t\treturn\n\tfi\n"
			 "\tlocal command=$words[2]\n\tshift words\n\t(( CURRENT-- ))\n"
			 "\tcase $command in\n");
	for (size_t i = 0; program->commands[i]; i++)
		add_command(out, program->commands[i]);
	strbuf_adds(
		out,
		"\tesac\n}\n\n"
		"# Works both in a directory of $fpath and when it is sourced.\n"
		"if [[ $funcstack[1] = _xprof ]]; then\n\t_xprof \"$@\"\nelse\n\tcompdef _xprof xprof\nfi\n");
}
