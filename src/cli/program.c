/* Lookups in the program's table. A mistyped command is compared with `elsewhere` first, then with all names. */
#include "cli/program.h"

#include <string.h>

#include "cli/suggest.h"

static const struct cli_exit_status common_exit_statuses[] = {
	{ "0", "success" },
	{ "1", "it failed; the reason is on standard error" },
	{ "2", "wrong usage" },
	{ NULL, NULL },
};

const struct cli_exit_status *cli_command_exit_statuses(const struct cli_command *command)
{
	return command->exit_statuses ? command->exit_statuses : common_exit_statuses;
}

const struct cli_command *cli_program_find(const struct cli_program *program, const char *name)
{
	for (size_t i = 0; program->commands[i]; i++)
		if (!strcmp(program->commands[i]->name, name))
			return program->commands[i];
	return NULL;
}

int cli_program_unknown_command(const struct cli_program *program, const char *typed, struct error *err)
{
	const char *kind = typed[0] == '-' ? "option" : "command";
	struct suggestion suggestion;

	for (const struct cli_term *other = program->elsewhere; other && other->term; other++)
		if (!strcmp(other->term, typed))
			return cli_usage_error(err, "%s has no '%s': %s", program->name, typed,
					       other->meaning);
	suggestion_init(&suggestion, typed);
	for (size_t i = 0; program->commands[i]; i++)
		suggestion_offer(&suggestion, program->commands[i]->name);
	if (suggestion.nearest[0])
		return cli_usage_error(err, "unknown %s '%s', did you mean '%s'?", kind, typed,
				       suggestion.nearest);
	return cli_usage_error(err, "unknown %s '%s'", kind, typed);
}
