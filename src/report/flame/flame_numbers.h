#ifndef XPROF_REPORT_FLAME_FLAME_NUMBERS_H
#define XPROF_REPORT_FLAME_FLAME_NUMBERS_H

/*
 * Encodes many small numbers as text that a script reads fast: base 64 (A-Z a-z 0-9 - _), five bits per character, the lowest
 * bits first. The sixth bit of a character says that more follow.
 */

#include <stdint.h>

#include "base/strbuf.h"

static inline void flame_number_add(struct strbuf *out, uint64_t number)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	do {
		unsigned digit = number & 31;

		number >>= 5;
		strbuf_addc(out, digits[digit | (number ? 32 : 0)]);
	} while (number);
}

/* The greatest common divisor of weights: includes one more weight. `factor` is that of the previous ones; 0: there were none. */
static inline uint64_t flame_common_factor(uint64_t factor, uint64_t number)
{
	while (factor) {
		uint64_t rest = number % factor;

		number = factor;
		factor = rest;
	}
	return number;
}

#endif
