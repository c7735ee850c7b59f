/* Most shares become a whole number of hundredths; ties, negative and huge numbers are left to printf(). */
#include "text/percent_text.h"

#include <math.h>

#define PLAIN_LIMIT \
	1e6 /* below it, percent * 100 is off by less than 1e-8: two roundings err by 2^-53 each */
#define TIE_MARGIN 1e-4 /* closer to a tie, printf() decides, which has the exact value */

static bool is_plain(double percent, double hundredths)
{
	return !signbit(percent) && percent < PLAIN_LIMIT &&
	       fabs(hundredths - floor(hundredths) - 0.5) > TIE_MARGIN;
}

void percent_text_add(struct strbuf *buf, double percent)
{
	const double hundredths = percent * 100;
	uint64_t rounded;
	char rest[] = ".00%";

	if (!is_plain(percent, hundredths)) {
		strbuf_addf(buf, "%.2f%%", percent);
		return;
	}
	rounded = (uint64_t)(hundredths + 0.5);
	rest[1] = (char)('0' + rounded / 10 % 10);
	rest[2] = (char)('0' + rounded % 10);
	strbuf_add_decimal(buf, rounded / 100, 0);
	strbuf_add(buf, rest, sizeof(rest) - 1);
}
