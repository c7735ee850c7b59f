#ifndef XPROF_REPORT_FLAME_FLAME_NUMBERS_H
#define XPROF_REPORT_FLAME_FLAME_NUMBERS_H

/*
 * Many small numbers as text that a script reads fast: base 64 (A-Z a-z 0-9 - _),
 * five bits a character, the least first; a character's sixth bit says that there
 * are more.
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

/* Extends the common factor of weights by one weight; `factor` is that of the others, 0 if there are none. */
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
