#ifndef XPROF_CLI_PROGRAM_H
#define XPROF_CLI_PROGRAM_H

/*
 * The program as a whole: its commands and the contents of its manual page. A constant in main.c, read by parsing, help, manual
 * pages and completion.
 */

#include "cli/option.h"

/* An environment variable or a file, for the manual page. */
struct cli_term {
	const char *term;
	const char *meaning;
};

struct cli_program {
	const char *name;
	const char *version;
	const char *release_date;                  /* YYYY-MM-DD, of the manual pages */
	const char *summary;                       /* one line, no capital, no full stop */
	const char *const *description;            /* paragraphs; NULL-terminated */
	const struct cli_command *const *commands; /* in the order of help; NULL-terminated */
	const struct cli_term *elsewhere;   /* commands of perf that xprof does not have, and what to use
					       instead, as a clause; up to a NULL term; may be NULL */
	const struct cli_example *examples; /* up to a NULL command */
	const struct cli_exit_status *exit_statuses; /* up to a NULL status */
	const struct cli_term *environment;          /* up to a NULL term */
	const struct cli_term *files;                /* up to a NULL term */
};

/* NULL if there is no such command. */
const struct cli_command *cli_program_find(const struct cli_program *program, const char *name);

/* Sets err, which says what to use instead or suggests the nearest command; returns CLI_USAGE. */
int cli_program_unknown_command(const struct cli_program *program, const char *typed, struct error *err);

/* The exit statuses of the command, or else those of all commands; up to a NULL status. */
const struct cli_exit_status *cli_command_exit_statuses(const struct cli_command *command);

#endif
