#ifndef XPROF_CLI_CMD_HELP_H
#define XPROF_CLI_CMD_HELP_H

/*
 * The parts of the help command, which shows the program's own table in several forms. main.c defines the
 * command itself, because it has the table, with `.defaults = &(const struct help_options){ .program = ...
 * }`.
 */

#include "cli/program.h"

struct help_options {
	const struct cli_program *program;
	bool man;
	bool commands;
	int shell; /* a number in help_shells, or HELP_NO_SHELL */
};

enum { HELP_NO_SHELL = -1 };

extern const struct option help_option_table[];
extern const char *const help_usage[];
extern const char *const help_description[];
extern const struct cli_example help_examples[];

int help_run(void *parsed, int operand_count, char **operands, struct error *err);

#endif
