#ifndef XPROF_DEMO_BURN_H
#define XPROF_DEMO_BURN_H

/*
 * The unit of work of the demo: a chain of multiplications, each of which waits
 * for the one before. Its time is latency, so that a unit costs the same in
 * whichever function, with or without a frame pointer, it is inlined into.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BURN_STEPS = 20000 }; /* of a unit: some 25 µs */

static inline __attribute__((always_inline)) uint64_t burn(uint64_t seed, unsigned int units)
{
	uint64_t steps = (uint64_t)units * BURN_STEPS;

	while (steps--)
		seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX generator */
	return seed;
}

/* The four parts, each in a file of its own with its own flags; see demo/README.md. */
uint64_t shallow_c(uint64_t seed, unsigned int units);
uint64_t deep_c(uint64_t seed, unsigned int units, unsigned int frames);
uint64_t virtual_cpp(uint64_t seed, unsigned int units);
uint64_t template_cpp(uint64_t seed, unsigned int units);

#ifdef __cplusplus
}
#endif

#endif
