/*
 * add_short() chooses unit and decimals for at most four digits. Its limits, such as 999.95, are where rounding reaches
 * the next digit.
 */
#include "report/diff/diff_number.h"

#include <math.h>
#include <string.h>

#define NS_PER_S 1e9

bool diff_event_counts_ns(const char *name)
{
	return !strncmp(name, "cpu-clock", 9) || !strncmp(name, "task-clock", 10);
}

struct diff_number diff_number_of(enum diff_normalize normalize, bool counts_ns)
{
	switch (normalize) {
	case DIFF_SHARE: return (struct diff_number){ DIFF_PERCENT, 100 };
	case DIFF_TIME:
		return counts_ns ? (struct diff_number){ DIFF_PERCENT, 100 / NS_PER_S } :
				   (struct diff_number){ DIFF_COUNT, 1 };
	case DIFF_SAMPLES: return (struct diff_number){ DIFF_COUNT, 1 };
	case DIFF_WORK:
	case DIFF_NOTHING: break;
	}
	return counts_ns ? (struct diff_number){ DIFF_SECONDS, 1 / NS_PER_S } :
			   (struct diff_number){ DIFF_COUNT, 1 };
}

/* Four digits and a letter for the power of a thousand. */
static void add_short(struct strbuf *out, double value, bool sign, const char *const *units, size_t count,
		      size_t unit)
{
	double size = fabs(value);
	int decimals = 0;

	while (unit + 1 < count && size >= 999.95) {
		size /= 1000;
		value /= 1000;
		unit++;
	}
	while (unit && size > 0 && size < 0.99995) {
		size *= 1000;
		value *= 1000;
		unit--;
	}
	if (unit || fabs(size - round(size)) > 5e-4)
		decimals = size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
	strbuf_addf(out, sign ? "%+.*f%s" : "%.*f%s", size > 0 ? decimals : 0, value, units[unit]);
}

void diff_number_add(struct strbuf *out, const struct diff_number *number, double value, bool sign)
{
	static const char *const counts[] = { "", "k", "M", "G", "T", "P" };
	static const char *const seconds[] = { "ns", "us", "ms", "s" };

	value *= number->factor;
	if (!isfinite(value)) {
		strbuf_adds(out, "-");
		return;
	}
	switch (number->unit) {
	case DIFF_PERCENT: strbuf_addf(out, sign ? "%+.2f%%" : "%.2f%%", value); break;
	case DIFF_SECONDS: add_short(out, value, sign, seconds, 4, 3); break;
	case DIFF_COUNT: add_short(out, value, sign, counts, 6, 0); break;
	}
}
