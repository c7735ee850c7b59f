/* C, with a frame pointer, one call below the scheduler. */

#include "burn.h"

uint64_t shallow_c(uint64_t seed, unsigned int units)
{
	return burn(seed, units);
}
