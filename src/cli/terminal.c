/* Asks the terminal (TIOCGWINSZ) at each call, so a resized window counts at once. */
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST_COLUMNS = 20 }; /* some words are wider than that: wrapping must still make progress */

unsigned terminal_columns(int fd, unsigned fallback)
{
	struct winsize size;
	unsigned columns = fallback;

	if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		columns = size.ws_col;
	return columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
}
