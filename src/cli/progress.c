/*
 * Each draw returns to the first column and erases the line, so nothing is remembered of the line before. The formatters below
 * are pure; other files use them for messages, too.
 */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/terminal.h"

enum {
	REDRAW_INTERVAL_NS = 100 * 1000 * 1000, /* faster than a user reads */
	MAX_LINE = 512,
	DEFAULT_COLUMNS = 80,
};

static const uint64_t NS_PER_SECOND = 1000000000;

/* Return to the first column, erase to the end of the line (ECMA-48 EL). */
static const char ERASE_LINE[] = "\r\033[K";

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

void progress_init(struct progress *progress, int fd, bool quiet)
{
	*progress = (struct progress){ .fd = !quiet && isatty(fd) ? fd : -1 };
}

bool progress_due(const struct progress *progress)
{
	return progress->fd >= 0 &&
	       (!progress->on_screen || now_ns() - progress->last_drawn_ns >= REDRAW_INTERVAL_NS);
}

void progress_draw(struct progress *progress, const char *format, ...)
{
	char line[MAX_LINE];
	unsigned columns;
	va_list arguments;

	if (progress->fd < 0)
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);

	columns = terminal_columns(progress->fd, DEFAULT_COLUMNS);
	if (columns - 1 < sizeof(line)) /* the last column would make some terminals wrap */
		line[columns - 1] = '\0';
	(void)utf8_make_harmless(line); /* names of files */
	dprintf(progress->fd, "%s%s", ERASE_LINE, line);
	progress->last_drawn_ns = now_ns();
	progress->on_screen = true;
}

void progress_erase(struct progress *progress)
{
	if (!progress->on_screen)
		return;
	dprintf(progress->fd, "%s", ERASE_LINE);
	progress->on_screen = false;
}

const char *progress_format_size(char *text, uint64_t size_bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double size = (double)size_bytes;
	size_t unit = 0;
	int decimals;

	for (; size >= 999.5 && unit + 1 < sizeof(units) / sizeof(*units); unit++)
		size /= 1024;
	decimals = unit == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
	snprintf(text, PROGRESS_TEXT_SIZE, "%.*f %s", decimals, size, units[unit]);
	return text;
}

const char *progress_format_elapsed(char *text, uint64_t elapsed_ns)
{
	unsigned long long seconds = elapsed_ns / NS_PER_SECOND;

	if (seconds < 60)
		snprintf(text, PROGRESS_TEXT_SIZE, "%llu.%llus", seconds,
			 (unsigned long long)(elapsed_ns / (NS_PER_SECOND / 10) % 10));
	else if (seconds < 3600)
		snprintf(text, PROGRESS_TEXT_SIZE, "%llum%02llus", seconds / 60, seconds % 60);
	else
		snprintf(text, PROGRESS_TEXT_SIZE, "%lluh%02llum", seconds / 3600, seconds / 60 % 60);
	return text;
}

const char *progress_format_count(char *text, uint64_t count)
{
	char digits[PROGRESS_TEXT_SIZE];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
	char *to = text;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}
