/* The weight at the end of a line of folded stacks. */

#include "text/folded_line.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool folded_line_take_weight(char *line, uint64_t *weight)
{
	char *blank = strrchr(line, ' '), *end;
	double value;

	if (!blank || !strspn(blank + 1, "0123456789"))
		return false;
	errno = 0;
	*weight = strtoull(blank + 1, &end, 10);
	if (errno)
		return false;
	if (*end) {
		value = strtod(blank + 1, &end);
		if (*end || !(value >= 0 && value < 0x1p63))
			return false;
		*weight = (uint64_t)llround(value);
	}
	*blank = '\0';
	return true;
}
