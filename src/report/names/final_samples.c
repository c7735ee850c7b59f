/*
 * samples_stay() notes a bit for every end seen of a stack, and so finds out whether two samples may have become equal. If
 * not, the array of samples is handed over as it is. Otherwise all samples are added anew, in batches that prefetch memory.
 */
#include "report/names/final_samples.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* State while samples go from one profile to the other. */
struct moving {
	struct raw_profile *raw;
	const struct final_stacks *stacks;
	struct profile *profile;
};

static enum stack_end final_end(const struct moving *moving, const struct profile_sample *raw)
{
	return final_stacks_end(moving->stacks, raw->stack, (enum stack_end)raw->end);
}

static uint32_t final_cgroup(const struct moving *moving, uint32_t cgroup)
{
	return cgroup ? profile_string(moving->profile, raw_profile_text(moving->raw, cgroup)) : cgroup;
}

/* --- moving ------------------------------------------------------------------ */

/* Whether a stack with this end remains different from the same stack with other ends of the raw profile (a bit each). */
static bool end_stays(const struct final_stacks *stacks, uint32_t stack, enum stack_end end,
		      unsigned int others)
{
	const enum stack_end final = final_stacks_end(stacks, stack, end);

	others &= ~(1U << end);
	for (unsigned int other = 0; others >> other; other++)
		if (others >> other & 1 && final_stacks_end(stacks, stack, (enum stack_end)other) == final)
			return false;
	return true;
}

/*
 * Whether samples of one stack with different ends still differ. If not, two of them may be equal now. If different stacks
 * have remained different, nothing else can make samples equal.
 */
static bool samples_stay(const struct moving *moving)
{
	const uint32_t count = raw_profile_sample_count(moving->raw);
	uint16_t *ends; /* by stack: a bit for each end seen */
	bool stay = true;

	static_assert(STACK_END_COUNT <= 16, "a bit for each");
	if (moving->stacks->merged)
		return false;
	ends = xcalloc((size_t)profile_stack_count(moving->profile) + 1, sizeof(*ends));
	for (uint32_t i = 0; i < count && stay; i++) {
		const struct profile_sample *raw = raw_profile_sample_at(moving->raw, i);

		if (raw->stack == PROFILE_NONE)
			continue;
		stay = end_stays(moving->stacks, raw->stack, (enum stack_end)raw->end, ends[raw->stack]);
		ends[raw->stack] |= (uint16_t)(1U << raw->end);
	}
	free(ends);
	return stay;
}

static void move_samples(const struct moving *moving)
{
	uint32_t count;

	raw_profile_give_samples(moving->raw, moving->profile);
	count = profile_sample_count(moving->profile);
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(moving->profile, i);

		profile_set_sample(moving->profile, i, final_end(moving, sample),
				   final_cgroup(moving, sample->cgroup));
		profile_set_sample_stack(moving->profile, i,
					 final_stacks_number(moving->stacks, sample->stack));
	}
}

/* --- copying ----------------------------------------------------------------- */

static void convert_batch(const struct moving *moving, uint32_t first, uint32_t count,
			  struct profile_sample *samples)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *raw = raw_profile_sample_at(moving->raw, first + i);

		samples[i] = *raw;
		samples[i].end = (uint8_t)final_end(moving, raw);
		samples[i].stack = final_stacks_number(moving->stacks, raw->stack);
		samples[i].cgroup = final_cgroup(moving, raw->cgroup);
		profile_prefetch(moving->profile, &samples[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		profile_prefetch_sum(moving->profile, &samples[i]);
}

/* These sums cannot be computed from merged weights of several samples. */
static void copy_weight_squares(const struct moving *moving)
{
	for (uint32_t i = 0; i < raw_profile_event_count(moving->raw); i++)
		profile_set_weight_squares(moving->profile, i,
					   raw_profile_event_at(moving->raw, i)->weight_squares);
}

static void copy_samples(const struct moving *moving, uint32_t *sample_numbers)
{
	const uint32_t count = raw_profile_sample_count(moving->raw);
	struct profile_sample samples[PROFILE_BATCH];

	raw_profile_reserve_samples(moving->raw, moving->profile);
	for (uint32_t first = 0, batch; first < count; first += batch) {
		batch = count - first < PROFILE_BATCH ? count - first : PROFILE_BATCH;
		convert_batch(moving, first, batch, samples);
		for (uint32_t i = 0; i < batch; i++) {
			const uint32_t number = profile_add(moving->profile, &samples[i]);

			if (sample_numbers)
				sample_numbers[first + i] = number;
		}
	}
	copy_weight_squares(moving);
}

uint32_t *final_samples_make(struct raw_profile *raw, const struct final_stacks *stacks,
			     struct profile *profile, bool numbered)
{
	const struct moving moving = { raw, stacks, profile };
	uint32_t *numbers = NULL;

	if (samples_stay(&moving)) {
		move_samples(&moving);
		return NULL;
	}
	if (numbered)
		numbers = xmalloc(((size_t)raw_profile_sample_count(raw) + 1) * sizeof(*numbers));
	copy_samples(&moving, numbers);
	return numbers;
}
