/*
 * fill() formats every message: it cuts the text to the buffer, and replaces control characters, because names that come from
 * files end up on a terminal.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* The arguments may point into err->message itself, so the text is composed in another buffer. */
static void fill(struct error *err, const char *suffix, const char *format, va_list arguments)
{
	char text[sizeof(err->message)];
	size_t used;
	int length;

	length = vsnprintf(text, sizeof(text), format, arguments);
	used = length < 0 ? 0 : (size_t)length;
	if (length < 0)
		text[0] = '\0';
	if (suffix && used < sizeof(text))
		snprintf(text + used, sizeof(text) - used, ": %s", suffix);
	/* A message is one line: names from files and command lines may contain newlines and terminal escapes. */
	(void)utf8_make_harmless(text);
	memcpy(err->message, text, sizeof(text));
}

int error_set(struct error *err, const char *format, ...)
{
	va_list arguments;

	if (!err)
		return -1;
	va_start(arguments, format);
	fill(err, NULL, format, arguments);
	va_end(arguments);
	err->errno_value = 0;
	return -1;
}

int error_set_errno(struct error *err, int errno_value, const char *format, ...)
{
	char reason[128];
	va_list arguments;

	if (!err)
		return -1;
	va_start(arguments, format);
	fill(err, strerror_r(errno_value, reason, sizeof(reason)), format, arguments);
	va_end(arguments);
	err->errno_value = errno_value;
	return -1;
}

int error_wrap(struct error *err, const char *format, ...)
{
	struct error inner;
	va_list arguments;

	if (!err)
		return -1;
	inner = *err;
	va_start(arguments, format);
	fill(err, inner.message, format, arguments);
	va_end(arguments);
	return -1;
}
