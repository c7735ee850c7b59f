#ifndef XPROF_CLI_COLOR_H
#define XPROF_CLI_COLOR_H

/*
 * Colour on a terminal, and only there. color_init() decides once for an output; color_on() then gives the
 * escape sequence of a role, or "" when colours are off, so that callers can always print it.
 */

#include <stdbool.h>
#include <stdio.h>

/* In the order of color_choices. */
enum color_mode {
	COLOR_AUTO, /* on a terminal, unless NO_COLOR is set (no-color.org) or TERM is "dumb" */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

extern const char *const color_choices[]; /* auto, always, never, NULL */

/* Roles of coloured text; color.c maps them to colours. */
enum color_role {
	COLOR_HOT, /* a share that matters */
	COLOR_WARM,
	COLOR_FAINT, /* of little interest, shown for completeness */
	COLOR_HEADING,
	COLOR_KERNEL,
	COLOR_WARNING,
	COLOR_ROLE_COUNT,
};

struct color {
	bool enabled;
};

/* Call before pager_start(), which makes standard output a pipe. */
struct color color_init(enum color_mode mode, FILE *out);

const char *color_on(struct color color, enum color_role role);
const char *color_off(struct color color);

/* The ready-made table entry: --color[=WHEN], into an enum color_mode. */
/* clang-format off */
#define OPTION_COLOR(type, name_)                                                                       \
	{ OPTION_CHOICE(type, name_), .name = "color", .placeholder = "WHEN", .choices = color_choices, \
	  .argument_optional = true, .implied = "always",                                               \
	  .help = "colour the output: auto (on a terminal; the default), always or never",              \
	  .details = "In auto mode the environment variable NO_COLOR, when set, turns colours off." }
/* clang-format on */

#endif
