#ifndef XPROF_CLI_OPTION_HELP_H
#define XPROF_CLI_OPTION_HELP_H

/* Texts made from the option tables: -h, --help and `xprof help`, wrapped to the terminal, and manual pages. */

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

/*
 * Manual pages in man(7) macros: xprof(1), and xprof-NAME(1) for each command. In the prose, words
 * that begin with a dash are bold, and words of the option's placeholder are in italics.
 */
void option_man_command(struct strbuf *out, const struct cli_program *program,
			const struct cli_command *command);
void option_man_program(struct strbuf *out, const struct cli_program *program);

#endif
