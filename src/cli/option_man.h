#ifndef XPROF_CLI_OPTION_MAN_H
#define XPROF_CLI_OPTION_MAN_H

/*
 * Manual pages, as a walk of the tables that writes man(7) macros: xprof(1), and
 * xprof-NAME(1) for each command. In the prose, words that begin with a dash are
 * set in bold and words of the option's placeholder in italics.
 */

#include "base/strbuf.h"
#include "cli/program.h"

void option_man_command(struct strbuf *out, const struct cli_program *program,
			const struct cli_command *command);
void option_man_program(struct strbuf *out, const struct cli_program *program);

#endif
