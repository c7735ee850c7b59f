#ifndef XPROF_CLI_OPTION_MAN_H
#define XPROF_CLI_OPTION_MAN_H

/*
 * Makes manual pages in man(7) macros from the option tables: xprof(1), and xprof-NAME(1) for each command. In the prose, words
 * that begin with a dash are bold, and words of the option's placeholder are in italics.
 */

#include "base/strbuf.h"
#include "cli/program.h"

void option_man_command(struct strbuf *out, const struct cli_program *program,
			const struct cli_command *command);
void option_man_program(struct strbuf *out, const struct cli_program *program);

#endif
