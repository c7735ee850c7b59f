#ifndef XPROF_CLI_PROGRESS_H
#define XPROF_CLI_PROGRESS_H

/*
 * One status line at the bottom of a terminal, redrawn in place at most ten times a second and erased at the
 * end. Writes nothing if standard error is not a terminal, or if `quiet`.
 */

#include <stdbool.h>
#include <stdint.h>

struct progress {
	int fd;                 /* -1: silent */
	uint64_t last_drawn_ns; /* CLOCK_MONOTONIC */
	bool on_screen;
};

/* Writes to `fd` (standard error) if it is a terminal and not `quiet`. */
void progress_init(struct progress *progress, int fd, bool quiet);

/* Is it time to draw again? Lets the caller skip the formatting. False when silent. */
bool progress_due(const struct progress *progress);

/* Draws the line at once, cut to the terminal's width; control characters are replaced. */
void progress_draw(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Erases the line, before a message or at the end; the next draw brings it back. */
void progress_erase(struct progress *progress);

/*
 * "1.5 MiB", "999 B": three significant digits. `text` has room for PROGRESS_TEXT_SIZE bytes. Returns `text`,
 * as do the others.
 */
enum { PROGRESS_TEXT_SIZE = 32 };
const char *progress_format_size(char *text, uint64_t size_bytes);
/* "12.3s", "4m05s", "1h02m". */
const char *progress_format_elapsed(char *text, uint64_t elapsed_ns);
/* "1234567" -> "1,234,567". */
const char *progress_format_count(char *text, uint64_t count);

#endif
