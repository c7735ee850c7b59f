#ifndef XPROF_PROFILE_SAMPLE_SUMS_H
#define XPROF_PROFILE_SAMPLE_SUMS_H

/*
 * Samples added up by stack, in little memory, for recordings in which nearly all stacks differ. The samples of the profile have
 * everything but a stack; the sums say which of them was seen with which stack, how often. They are added up in a table, which
 * goes to an unlinked file whenever it is full; struct sample_walk puts the parts together again.
 *
 *     sums = sample_sums_create();
 *     sample_sums_add(sums, sample, stack, weight);
 *     sample_sums_finish(sums, &err);
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct sample_sum {
	uint32_t stack;  /* node of the profile's stacks */
	uint32_t sample; /* number of the profile's sample */
	uint64_t count;
	uint64_t weight;
};

/* Sums in order of stack, then of sample. */
struct sample_sums_run {
	const struct sample_sum *at, *end;
};

struct sample_sums;

struct sample_sums *sample_sums_create(void);
void sample_sums_destroy(struct sample_sums *sums);
void sample_sums_clear(struct sample_sums *sums); /* removes everything */

void sample_sums_add(struct sample_sums *sums, uint32_t sample, uint32_t stack, uint64_t weight);

/* Prefetch hints, to be given in this order some time before the addition. */
void sample_sums_prefetch(const struct sample_sums *sums, uint32_t sample, uint32_t stack);
void sample_sums_prefetch_sum(const struct sample_sums *sums, uint32_t sample, uint32_t stack);

/* Changes numbers: `samples` and `stacks` have the new number for each old one. NULL: they stay. */
void sample_sums_renumber(struct sample_sums *sums, const uint32_t *samples, const uint32_t *stacks);

/* Call after the last addition. Returns -1 with err set if the file could not be made or written. */
int sample_sums_finish(struct sample_sums *sums, struct error *err);

/* The parts. The same stack and sample may be in several parts, and several times in one. */
size_t sample_sums_run_count(const struct sample_sums *sums);
struct sample_sums_run sample_sums_run(const struct sample_sums *sums, size_t number);

/* Gives up the memory of what was read of the file. Call it after each SAMPLE_SUMS_STRIDE sums. */
enum { SAMPLE_SUMS_STRIDE = 1 << 20 };
void sample_sums_release(const struct sample_sums *sums);

#endif
