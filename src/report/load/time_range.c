/*
 * time_ranges_parse() splits the text. A '%' anywhere makes all spans percentages, which become times here. If a span ends
 * where the next begins, it is shortened by a nanosecond, so that each sample is in one.
 */
#include "report/load/time_range.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_SECOND UINT64_C(1000000000)

/* Parses "12.000000345" digit by digit: a double would round nanoseconds. */
static int parse_seconds(const char *text, size_t length, uint64_t *time_ns)
{
	uint64_t seconds = 0, fraction = 0, digit = NS_PER_SECOND / 10;
	size_t i = 0;

	for (; i < length && isdigit((unsigned char)text[i]); i++) {
		seconds = seconds * 10 + (uint64_t)(text[i] - '0');
		if (seconds > UINT64_MAX / NS_PER_SECOND - 1)
			return -1;
	}
	if (i < length && text[i] == '.')
		for (i++; i < length && isdigit((unsigned char)text[i]); i++, digit /= 10)
			fraction += digit * (uint64_t)(text[i] - '0');
	*time_ns = seconds * NS_PER_SECOND + fraction;
	return i == length ? 0 : -1;
}

static int add(struct time_ranges *ranges, uint64_t from_ns, uint64_t to_ns, struct error *err)
{
	if (from_ns > to_ns)
		return error_set(err, "a span ends before it begins");
	if (ranges->count == MAX_TIME_RANGES)
		return error_set(err, "more than %d spans", MAX_TIME_RANGES);
	ranges->items[ranges->count].from_ns = from_ns;
	ranges->items[ranges->count++].to_ns = to_ns;
	return 0;
}

/* "start,stop", "start," or ",stop". */
static int parse_times(struct time_ranges *ranges, const char *text, size_t length, struct error *err)
{
	const char *comma = memchr(text, ',', length);
	size_t start_length = comma ? (size_t)(comma - text) : length;
	size_t stop_length = comma ? length - start_length - 1 : 0;
	uint64_t from_ns = 0, to_ns = UINT64_MAX;

	if ((start_length && parse_seconds(text, start_length, &from_ns)) ||
	    (stop_length && parse_seconds(comma + 1, stop_length, &to_ns)))
		return error_set(err, "'%.*s' is not START,STOP in seconds", (int)length, text);
	return add(ranges, from_ns, to_ns, err);
}

/* "10%/2" and "10%-20%" as fractions of the whole. */
static int parse_percents(const char *text, size_t length, double *from, double *to)
{
	char *end;
	double first = strtod(text, &end), second;

	if (!isdigit((unsigned char)*text) || *end != '%')
		return -1;
	if (end + 1 == text + length) { /* "10%": the first tenth */
		*from = 0;
		*to = first / 100;
		return 0;
	}
	if ((end[1] != '/' && end[1] != '-') || !isdigit((unsigned char)end[2]))
		return -1;
	if (end[1] == '/') {
		second = strtod(end + 2, &end);
		*from = first * (second - 1) / 100;
		*to = first * second / 100;
	} else {
		second = strtod(end + 2, &end);
		*from = first / 100;
		*to = second / 100;
		if (*end++ != '%')
			return -1;
	}
	return end == text + length ? 0 : -1;
}

static int add_percents(struct time_ranges *ranges, const char *text, size_t length, uint64_t first_ns,
			uint64_t last_ns, struct error *err)
{
	double from, to, whole = (double)(last_ns - first_ns);

	if (parse_percents(text, length, &from, &to) || !(from >= 0 && to <= 1.0 + 1e-9 && from < to))
		return error_set(err,
				 "'%.*s' is not a span such as 10%%/2 or 10%%-20%%, within 0%% and 100%%",
				 (int)length, text);
	return add(ranges, first_ns + (uint64_t)llround(from * whole),
		   to >= 1.0 ? last_ns : first_ns + (uint64_t)llround(to * whole), err);
}

/* Shortens a span that ends where the next begins: the sample in between belongs to the later one. */
static void part_neighbours(struct time_ranges *ranges)
{
	size_t i;

	for (i = 0; i + 1 < ranges->count; i++)
		if (ranges->items[i].to_ns == ranges->items[i + 1].from_ns &&
		    ranges->items[i].to_ns > ranges->items[i].from_ns)
			ranges->items[i].to_ns--;
}

bool time_ranges_need_bounds(const char *text)
{
	return strchr(text, '%') != NULL;
}

int time_ranges_parse(struct time_ranges *ranges, const char *text, uint64_t first_ns, uint64_t last_ns,
		      struct error *err)
{
	bool percents = time_ranges_need_bounds(text);
	const char *separators = percents ? ", " : " ";

	ranges->count = 0;
	if (percents && (!last_ns || last_ns < first_ns))
		return error_set(
			err, "the recording does not say when its first and last samples were taken, so "
			     "percentages cannot be used: give seconds, as 'xprof report --time START,STOP'");
	for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
		size_t length = strcspn(text, separators);

		if (percents ? add_percents(ranges, text, length, first_ns, last_ns, err) :
			       parse_times(ranges, text, length, err))
			return -1;
		text += length;
	}
	if (!ranges->count)
		return error_set(err, "no span is given");
	part_neighbours(ranges);
	return 0;
}

bool time_ranges_contain(const struct time_ranges *ranges, uint64_t time_ns)
{
	size_t i;

	for (i = 0; i < ranges->count; i++)
		if (time_ns >= ranges->items[i].from_ns && time_ns <= ranges->items[i].to_ns)
			return true;
	return !ranges->count;
}

bool time_ranges_keep(const struct sample *sample, void *ranges)
{
	return time_ranges_contain(ranges, sample->time_ns);
}
