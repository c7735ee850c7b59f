/*
 * match_function_length() takes one suffix off the end at a time until nothing more comes off, since compilers stack them.
 * Only the length changes, so no name is copied.
 */
#include "profile/match_name.h"

#include <stdio.h>
#include <string.h>

/* Marks at the end of a name, or before a number or hash at its end. */
static const char *const marks[] = {
	".constprop",  ".isra",   ".part",        ".cold", ".warm",   ".lto_priv",
	".localalias", ".ipa-ra", ".specialized", ".llvm", ".__uniq", ".outlined",
};

static size_t digits_at_end(const char *name, size_t length)
{
	size_t digits = 0;

	while (digits < length && name[length - digits - 1] >= '0' && name[length - digits - 1] <= '9')
		digits++;
	return digits;
}

static size_t without(const char *name, size_t length, const char *end)
{
	size_t end_length = strlen(end);

	return length > end_length && !memcmp(name + length - end_length, end, end_length) ?
		       length - end_length :
		       length;
}

/* The length without one mark, or the same length. */
static size_t without_mark(const char *name, size_t length)
{
	size_t digits = digits_at_end(name, length), bare = length;

	if (digits && digits + 1 < length && name[length - digits - 1] == '.')
		bare = length - digits - 1;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		size_t shorter = without(name, bare, marks[i]);

		if (shorter < bare)
			return shorter;
	}
	return length;
}

/* Removes " [clone .part.0]". */
static size_t without_clone(const char *name, size_t length)
{
	static const char clone[] = " [clone .";
	size_t i = length;

	if (!length || name[length - 1] != ']')
		return length;
	while (i && name[i - 1] != '[')
		i--;
	if (i < 2 || strncmp(name + i - 2, clone, strlen(clone)) != 0)
		return length;
	return i > 2 ? i - 2 : length;
}

/* Removes "::h" and sixteen hexadecimal digits: rustc's legacy mangling (The rustc book, "Symbol Mangling"). */
static size_t without_hash(const char *name, size_t length)
{
	enum { HASH_LENGTH = 3 + 16 };
	size_t i;

	if (length <= HASH_LENGTH || memcmp(name + length - HASH_LENGTH, "::h", 3) != 0)
		return length;
	for (i = length - 16; i < length; i++)
		if (!strchr("0123456789abcdef", name[i]))
			return length;
	return length - HASH_LENGTH;
}

size_t match_function_length(const char *name)
{
	size_t length = strlen(name), before;

	do {
		before = length;
		length = without_hash(name, without_clone(name, without_mark(name, length)));
	} while (length < before);
	return length;
}

const char *match_dso_name(const char *name, char *buffer, size_t size)
{
	static const char *const starts[] = { "perf-", "jitted-" };
	size_t i;

	if (!strncmp(name, "[JIT] tid ", 10))
		return "[JIT]";
	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		size_t start = strlen(starts[i]), numbers;

		if (strncmp(name, starts[i], start) != 0)
			continue;
		numbers = strspn(name + start, "0123456789-");
		if (!numbers || name[start + numbers] != '.')
			continue;
		snprintf(buffer, size, "%s*%s", starts[i], name + start + numbers);
		return buffer;
	}
	return name;
}
