/* Converts texts of the command line to numbers, sizes and durations. */

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option.h"

struct unit {
	const char *suffix;
	uint64_t factor;
};

static const struct unit size_units[] = {
	{ "", 1 },
	{ "B", 1 },
	{ "K", 1ull << 10 },
	{ "KB", 1ull << 10 },
	{ "KiB", 1ull << 10 },
	{ "M", 1ull << 20 },
	{ "MB", 1ull << 20 },
	{ "MiB", 1ull << 20 },
	{ "G", 1ull << 30 },
	{ "GB", 1ull << 30 },
	{ "GiB", 1ull << 30 },
	{ "T", 1ull << 40 },
	{ "TB", 1ull << 40 },
	{ "TiB", 1ull << 40 },
};

static const struct unit duration_units[] = {
	{ "", 1000000000 }, { "s", 1000000000 },   { "ms", 1000000 },       { "us", 1000 },
	{ "ns", 1 },        { "m", 60000000000u }, { "min", 60000000000u }, { "h", 3600000000000u },
};

static const struct unit *find_unit(const struct unit *units, size_t count, const char *suffix)
{
	for (size_t i = 0; i < count; i++)
		if (!strcasecmp(units[i].suffix, suffix))
			return &units[i];
	return NULL;
}

/* Reads decimal digits and moves *text past them. Returns false if there are none or the number does not fit. */
static bool parse_digits(const char **text, uint64_t *value)
{
	const char *at = *text;

	for (*value = 0; isdigit((unsigned char)*at); at++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value))
			return false;
	if (at == *text)
		return false;
	*text = at;
	return true;
}

int option_parse_u64(const char *text, uint64_t *value, struct error *err)
{
	const char *at = text;
	char *end;

	/* strtoull alone would take signs and spaces. */
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && isxdigit((unsigned char)text[2])) {
		errno = 0;
		*value = strtoull(text, &end, 16);
		if (!errno && !*end)
			return 0;
	} else if (parse_digits(&at, value) && !*at) {
		return 0;
	}
	if (*text && !text[strspn(text, "0123456789")])
		return error_set(err, "'%s' is too large", text);
	return error_set(err, "'%s' is not a whole number", text);
}

int option_parse_unsigned(const char *text, unsigned int *value, struct error *err)
{
	uint64_t number;

	if (option_parse_u64(text, &number, err) < 0)
		return -1;
	if (number > UINT32_MAX)
		return error_set(err, "'%s' is too large", text);
	*value = (unsigned int)number;
	return 0;
}

int option_parse_size(const char *text, uint64_t *size_bytes, struct error *err)
{
	const char *at = text;
	const struct unit *unit;

	if (parse_digits(&at, size_bytes)) {
		unit = find_unit(size_units, sizeof(size_units) / sizeof(*size_units), at);
		if (unit && !__builtin_mul_overflow(*size_bytes, unit->factor, size_bytes))
			return 0;
	}
	return error_set(err, "'%s' is not a size such as 4096, 512K, 2M or 1G", text);
}

/*
 * Reads the digits after a decimal point, cut to nanoseconds, and moves *text past them. Returns the numerator; *scale is the
 * denominator.
 */
static uint64_t parse_fraction(const char **text, uint64_t *scale)
{
	uint64_t numerator = 0;

	for (*scale = 1; isdigit((unsigned char)**text); (*text)++) {
		if (*scale == 1000000000) /* more digits than nanoseconds have */
			continue;
		numerator = numerator * 10 + (uint64_t)(**text - '0');
		*scale *= 10;
	}
	return numerator;
}

int option_parse_duration(const char *text, uint64_t *duration_ns, struct error *err)
{
	const char *at = text;
	const struct unit *unit;
	uint64_t whole, fraction = 0, scale = 1;

	if (parse_digits(&at, &whole)) {
		if (*at == '.' && isdigit((unsigned char)at[1])) {
			at++;
			fraction = parse_fraction(&at, &scale);
		}
		unit = find_unit(duration_units, sizeof(duration_units) / sizeof(*duration_units), at);
		if (unit && !__builtin_mul_overflow(whole, unit->factor, &whole) &&
		    !__builtin_add_overflow(
			    whole,
			    (uint64_t)((double)unit->factor * ((double)fraction / (double)scale) + 0.5),
			    duration_ns))
			return 0;
	}
	return error_set(err, "'%s' is not a duration such as 5, 2.5s, 500ms or 2m", text);
}

int option_parse_double(const char *text, double *value, struct error *err)
{
	char *end;

	/* strtod alone would take signs, spaces, "inf" and "nan". */
	if (isdigit((unsigned char)text[0]) || (text[0] == '.' && isdigit((unsigned char)text[1]))) {
		*value = strtod(text, &end);
		if (*end == '%')
			end++;
		if (!*end && isfinite(*value))
			return 0;
	}
	return error_set(err, "'%s' is not a number such as 5 or 0.5", text);
}
