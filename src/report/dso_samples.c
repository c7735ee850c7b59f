#include "report/dso_samples.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct counting {
	const struct profile *profile;
	struct dso_samples *samples;
	bool nameless_only;
	uint64_t *above;    /* by node: samples of it and of all that it calls */
	uint32_t *counting; /* by node: itself if it counts, else the next caller that does */
};

static const struct profile_location *location_of(const struct counting *counting, uint32_t node)
{
	return profile_location_at(counting->profile, profile_stack_at(counting->profile, node)->location);
}

static bool counts(const struct counting *counting, uint32_t node)
{
	return !counting->nameless_only || location_of(counting, node)->function == PROFILE_NONE;
}

static uint32_t dso_of(const struct counting *counting, uint32_t node)
{
	const uint32_t dso = location_of(counting, node)->dso;

	return dso == PROFILE_NONE ? counting->samples->none : dso;
}

static void count_self(struct counting *counting)
{
	for (uint32_t i = 0; i < profile_sample_count(counting->profile); i++) {
		const struct profile_sample *sample = profile_sample_at(counting->profile, i);

		counting->above[sample->stack] += sample->count;
		if (counts(counting, sample->stack))
			counting->samples->self[dso_of(counting, sample->stack)] += sample->count;
	}
}

/* A caller's number is smaller than those of what it calls. */
static void sum_up(struct counting *counting)
{
	for (uint32_t i = profile_stack_count(counting->profile); i-- > 0;) {
		const uint32_t caller = profile_stack_at(counting->profile, i)->parent;

		if (caller != PROFILE_NONE)
			counting->above[caller] += counting->above[i];
	}
}

/* The next caller in the same DSO that counts; `outer` is the next one in any. */
static uint32_t caller_in_dso(const struct counting *counting, uint32_t dso, uint32_t outer)
{
	while (outer != PROFILE_NONE && dso_of(counting, outer) != dso) {
		const uint32_t caller = profile_stack_at(counting->profile, outer)->parent;

		outer = caller == PROFILE_NONE ? PROFILE_NONE : counting->counting[caller];
	}
	return outer;
}

/* A sample counts where the outermost frame of the DSO is. */
static void count_stacks(struct counting *counting)
{
	for (uint32_t i = 0; i < profile_stack_count(counting->profile); i++) {
		const uint32_t caller = profile_stack_at(counting->profile, i)->parent;
		const uint32_t outer = caller == PROFILE_NONE ? PROFILE_NONE : counting->counting[caller];
		const uint32_t dso = dso_of(counting, i);

		counting->counting[i] = outer;
		if (!counts(counting, i))
			continue;
		counting->counting[i] = i;
		if (caller_in_dso(counting, dso, outer) == PROFILE_NONE)
			counting->samples->stack[dso] += counting->above[i];
	}
}

void dso_samples_count(struct dso_samples *samples, const struct profile *profile, bool nameless_only)
{
	const size_t dsos = (size_t)profile_dso_count(profile) + 1,
		     nodes = (size_t)profile_stack_count(profile) + 1;
	struct counting counting = { .profile = profile,
				     .samples = samples,
				     .nameless_only = nameless_only,
				     .above = xcalloc(nodes, sizeof(*counting.above)),
				     .counting = xmalloc(nodes * sizeof(*counting.counting)) };

	*samples = (struct dso_samples){ .none = profile_dso_count(profile),
					 .self = xcalloc(dsos, sizeof(*samples->self)),
					 .stack = xcalloc(dsos, sizeof(*samples->stack)) };
	count_self(&counting);
	sum_up(&counting);
	count_stacks(&counting);
	free(counting.counting);
	free(counting.above);
}

void dso_samples_fini(struct dso_samples *samples)
{
	free(samples->self);
	free(samples->stack);
}
