/* Encodes the number of left-out frames in an entry of a callchain: see elided_frames.h. */

#include "format/elided_frames.h"

#include <stdio.h>

enum { DIGITS = 8, BITS_PER_DIGIT = 4, MOST = 99999999 };

static const uint64_t MARK = 0xe11ded0, MARK_SHIFT = (uint64_t)DIGITS * BITS_PER_DIGIT;

uint64_t elided_frames_entry(size_t count)
{
	uint64_t entry = MARK << MARK_SHIFT;

	if (count > MOST)
		count = MOST;
	for (unsigned int shift = 0; count; shift += BITS_PER_DIGIT, count /= 10)
		entry |= (uint64_t)(count % 10) << shift;
	return entry;
}

size_t elided_frames_count(uint64_t entry)
{
	size_t count = 0;

	if (entry >> MARK_SHIFT != MARK)
		return 0;
	for (unsigned int digit = DIGITS; digit-- > 0;) {
		const unsigned int value = entry >> digit * BITS_PER_DIGIT & 0xf;

		if (value > 9)
			return 0;
		count = 10 * count + value;
	}
	return count;
}

const char *elided_frames_name(char *name, size_t count)
{
	snprintf(name, ELIDED_FRAMES_NAME_SIZE, "[... %zu frames]", count);
	return name;
}
