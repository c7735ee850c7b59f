/* C, without frame pointers, at the end of a deep recursion. */

#include "burn.h"

uint64_t deep_c_leaf(uint64_t seed, unsigned int units);

uint64_t deep_c_leaf(uint64_t seed, unsigned int units)
{
	return burn(seed, units);
}

uint64_t deep_c(uint64_t seed, unsigned int units, unsigned int frames)
{
	seed = frames > 1 ? deep_c(seed, units, frames - 1) : deep_c_leaf(seed, units);
	/* Something is left to do after the call, so it cannot become a jump. */
	__asm__ volatile("" : "+r"(seed));
	return seed;
}
