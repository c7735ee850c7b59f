/* Maps roles to escape sequences. NO_COLOR counts only if it is not empty, as no-color.org wants it. */
#include "cli/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const color_choices[] = { "auto", "always", "never", NULL };

/* ECMA-48 "select graphic rendition", only what terminals with 8 colours have on light and dark grounds. */
static const char *const sequences[COLOR_ROLE_COUNT] = {
	[COLOR_HOT] = "\033[1;31m",  [COLOR_WARM] = "\033[32m",   [COLOR_FAINT] = "\033[2m",
	[COLOR_HEADING] = "\033[1m", [COLOR_KERNEL] = "\033[36m", [COLOR_WARNING] = "\033[1;33m",
};

static bool wants_color(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (no_color && *no_color)
		return false;
	return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;
}

struct color color_init(enum color_mode mode, FILE *out)
{
	return (struct color){ .enabled = mode == COLOR_ALWAYS || (mode == COLOR_AUTO && wants_color(out)) };
}

const char *color_on(struct color color, enum color_role role)
{
	return color.enabled ? sequences[role] : "";
}

const char *color_off(struct color color)
{
	return color.enabled ? "\033[0m" : "";
}
