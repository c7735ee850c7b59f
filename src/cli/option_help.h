#ifndef XPROF_CLI_OPTION_HELP_H
#define XPROF_CLI_OPTION_HELP_H

/* -h, --help and `xprof help`: plain text made from the option tables, wrapped to the terminal. */

#include <stdbool.h>

#include "base/strbuf.h"
#include "cli/color.h"
#include "cli/option.h"
#include "cli/program.h"

struct help_style {
	unsigned columns;
	struct color color;
	bool at_length; /* also print descriptions, details and exit statuses, as in the manual page */
};

/* The columns are those of the terminal behind `fd`, up to a limit beyond which text is hard to read. */
struct help_style help_style_for(int fd, struct color color, bool at_length);

void option_help_command(struct strbuf *out, const struct cli_program *program,
			 const struct cli_command *command, const struct help_style *style);
void option_help_program(struct strbuf *out, const struct cli_program *program,
			 const struct help_style *style);

/* "-F, --freq HZ", without colours: how help names an option. */
void option_help_synopsis(struct strbuf *out, const struct option *option);

#endif
