/*
 * Writes one "complete" line for each name of each option, with a condition that tests the command. Commands that run a
 * workload also get a list of the options whose argument is the next word, so that no argument is taken for the workload.
 */
#include "cli/option_complete.h"

#include "cli/option_complete_words.h"

static const char helpers[] =
	"# Is $argv[1] the command, and has no workload begun? The rest: options whose argument is the next word.\n"
	"function __fish_xprof_in\n"
	"\tset -l tokens (commandline -opc)\n"
	"\ttest (count $tokens) -ge 2; and test \"$tokens[2]\" = \"$argv[1]\"; or return 1\n"
	"\tset -l skip 0\n"
	"\tfor token in $tokens[3..-1]\n"
	"\t\tif test $skip = 1\n"
	"\t\t\tset skip 0\n"
	"\t\telse if test \"$token\" = --\n"
	"\t\t\treturn 1\n"
	"\t\telse if contains -- $token $argv[2..-1]\n"
	"\t\t\tset skip 1\n"
	"\t\telse if not string match -q -- '-*' $token\n"
	"\t\t\treturn 1\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"\n"
	"function __fish_xprof_is\n"
	"\tset -l tokens (commandline -opc)\n"
	"\ttest (count $tokens) -ge 2; and test \"$tokens[2]\" = \"$argv[1]\"\n"
	"end\n"
	"\n"
	"# Completes the item after the last comma.\n"
	"function __fish_xprof_list\n"
	"\tset -l kept (string replace -rf -- '(^--[^=]*=)?(.*,).*' '$2' (commandline -ct))\n"
	"\tprintf '%s\\n' $kept$argv\n"
	"end\n"
	"\n"
	"function __fish_xprof_cpus\n"
	"\t__fish_xprof_list (string replace -rf '.*/cpu([0-9]+)$' '$1' /sys/devices/system/cpu/cpu*)\n"
	"end\n"
	"\n"
	"# Arguments: names that are always there. Tracepoints can be listed by root only.\n"
	"function __fish_xprof_events\n"
	"\tset -l names $argv\n"
	"\tset -a names (string replace -rf '.*/devices/([^/]*)/events/([^.]*)$' '$1/$2/' "
	"/sys/bus/event_source/devices/*/events/*)\n"
	"\tset -a names (string replace -rf '.*/events/([^/]*)/([^/]*)/id$' '$1:$2' /sys/kernel/tracing/events/*/*/id)\n"
	"\t__fish_xprof_list $names\n"
	"end\n"
	"\n";

static void add_condition(struct strbuf *out, const struct cli_command *command)
{
	bool has_workload = command->operands == CLI_OPERANDS_WORKLOAD;

	strbuf_addf(out, "complete -c xprof -n '__fish_xprof_%s %s", has_workload ? "in" : "is",
		    command->name);
	if (has_workload)
		strbuf_addf(out, " $__fish_xprof_%s_takes", command->name);
	strbuf_addc(out, '\'');
}

/* The shell code that prints the candidates for an argument. */
static void add_candidates(struct strbuf *out, const struct option *option)
{
	bool has_choices = option->choices && option->choices[0];
	struct strbuf code = STRBUF_INIT;

	switch (option->completes) {
	case OPTION_COMPLETES_PID: strbuf_adds(&code, "(__fish_complete_pids)"); break;
	case OPTION_COMPLETES_USER: strbuf_adds(&code, "(__fish_complete_users)"); break;
	case OPTION_COMPLETES_COMMAND: strbuf_adds(&code, "(__fish_complete_command)"); break;
	case OPTION_COMPLETES_CPU: strbuf_adds(&code, "(__fish_xprof_cpus)"); break;
	default:
		if (option->completes == OPTION_COMPLETES_EVENT)
			strbuf_adds(&code, "(__fish_xprof_events");
		else if (option->comma_list)
			strbuf_adds(&code, "(__fish_xprof_list");
		for (size_t i = 0; has_choices && option->choices[i]; i++)
			strbuf_addf(&code, "%s%s", i || code.size ? " " : "", option->choices[i]);
		if (option->completes == OPTION_COMPLETES_EVENT || option->comma_list)
			strbuf_addc(&code, ')');
	}
	complete_add_quoted(out, code.size ? code.bytes : "", COMPLETE_QUOTE_FISH);
	strbuf_fini(&code);
}

static void add_option(struct strbuf *out, const struct cli_command *command, const struct option *option)
{
	struct complete_names names = complete_names_of(option);

	/* A negation has no letter, so it gets a line of its own. */
	for (unsigned i = 0; i < (names.count ? names.count : 1); i++) {
		add_condition(out, command);
		if (option->letter && i == 0)
			strbuf_addf(out, " -s %c", option->letter);
		if (names.count)
			strbuf_addf(out, " -l %s", names.texts[i]);
		if (option_takes_argument(option) && !option->argument_optional)
			strbuf_adds(out, " -r");
		if (option->completes == OPTION_COMPLETES_FILE) {
			strbuf_adds(out, " -F");
		} else {
			strbuf_adds(out, " -f");
			if (complete_has_arguments(option)) {
				strbuf_adds(out, " -a ");
				add_candidates(out, option);
			}
		}
		strbuf_adds(out, " -d ");
		complete_add_quoted(out, option->help, COMPLETE_QUOTE_FISH);
		strbuf_addc(out, '\n');
	}
}

/* Lists the options that take the next word, so that the word is not mistaken for the workload. */
static void add_takes(struct strbuf *out, const struct cli_command *command)
{
	strbuf_addf(out, "set -g __fish_xprof_%s_takes", command->name);
	for (const struct option *option = NULL; (option = option_next(command, option));) {
		if (!option_takes_argument(option) || option->argument_optional)
			continue;
		if (option->letter)
			strbuf_addf(out, " -%c", option->letter);
		if (option->name)
			strbuf_addf(out, " --%s", option->name);
	}
	strbuf_addc(out, '\n');
}

static void add_operands(struct strbuf *out, const struct cli_program *program,
			 const struct cli_command *command)
{
	strbuf_addf(out, "complete -c xprof -n '__fish_xprof_is %s' ", command->name);
	switch (command->operands) {
	case CLI_OPERANDS_WORKLOAD:
		strbuf_addf(out, "-f -a '(__fish_complete_subcommand --fcs-skip=2 $__fish_xprof_%s_takes)'\n",
			    command->name);
		return;
	case CLI_OPERANDS_FILES: strbuf_adds(out, "-F\n"); return;
	case CLI_OPERANDS_TOPICS:
		strbuf_adds(out, "-f -a '");
		for (size_t i = 0; program->commands[i]; i++)
			strbuf_addf(out, "%s%s", i ? " " : "", program->commands[i]->name);
		strbuf_adds(out, "'\n");
		return;
	default: strbuf_adds(out, "-f\n");
	}
}

void option_complete_fish(struct strbuf *out, const struct cli_program *program)
{
	strbuf_addf(out, "# fish completion for %s; written by '%s help --completion=fish'\n\n",
		    program->name, program->name);
	strbuf_adds(out, helpers);
	for (size_t i = 0; program->commands[i]; i++) {
		const struct cli_command *command = program->commands[i];

		strbuf_addf(out, "complete -c xprof -n __fish_use_subcommand -f -a %s -d ", command->name);
		complete_add_quoted(out, command->summary, COMPLETE_QUOTE_FISH);
		strbuf_addc(out, '\n');
	}
	for (size_t i = 0; program->commands[i]; i++) {
		const struct cli_command *command = program->commands[i];

		strbuf_addc(out, '\n');
		if (command->operands == CLI_OPERANDS_WORKLOAD)
			add_takes(out, command);
		for (const struct option *option = NULL; (option = option_next(command, option));)
			if (option->kind != OPTION_KIND_GROUP)
				add_option(out, command, option);
		add_operands(out, program, command);
	}
}
