/*
 * Counts without walking the stack of each sample. Callers have smaller numbers than what they call, so one pass backwards sums
 * up the samples above each node. A DSO then gets the sums of its outermost frames.
 */
#include "report/load/dso_samples.h"

#include <stdlib.h>

#include "base/xalloc.h"

struct counting {
	const struct profile_stack *nodes; /* of the profile */
	uint32_t node_count;
	struct dso_samples *samples;
	uint32_t *dsos;     /* by location: the DSO that it counts for; PROFILE_NONE: none */
	uint64_t *above;    /* by node: samples of it and of everything it calls */
	uint32_t *counting; /* by node: the node if it counts, else its nearest caller that does */
};

static uint32_t *dsos_of_locations(const struct profile *profile, uint32_t none, bool nameless_only)
{
	const uint32_t count = profile_location_count(profile);
	uint32_t *dsos = xmalloc(((size_t)count + 1) * sizeof(*dsos));

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_location *location = profile_location_at(profile, i);

		if (nameless_only && profile_location_is_named(profile, location))
			dsos[i] = PROFILE_NONE;
		else
			dsos[i] = location->dso == PROFILE_NONE ? none : location->dso;
	}
	return dsos;
}

static uint32_t dso_of(const struct counting *counting, uint32_t node)
{
	return counting->dsos[counting->nodes[node].location];
}

static void count_self(struct counting *counting, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);
		const uint32_t dso = dso_of(counting, sample->stack);

		counting->above[sample->stack] += sample->count;
		if (dso != PROFILE_NONE)
			counting->samples->self[dso] += sample->count;
	}
}

/* Callers have smaller numbers than what they call. */
static void sum_up(struct counting *counting)
{
	for (uint32_t i = counting->node_count; i-- > 0;) {
		const uint32_t caller = counting->nodes[i].parent;

		if (caller != PROFILE_NONE)
			counting->above[caller] += counting->above[i];
	}
}

/* The nearest caller in the same DSO that counts. `outer`: the nearest one in any DSO. */
static uint32_t caller_in_dso(const struct counting *counting, uint32_t dso, uint32_t outer)
{
	while (outer != PROFILE_NONE && dso_of(counting, outer) != dso) {
		const uint32_t caller = counting->nodes[outer].parent;

		outer = caller == PROFILE_NONE ? PROFILE_NONE : counting->counting[caller];
	}
	return outer;
}

/* A sample counts at the outermost frame of the DSO. */
static void count_stacks(struct counting *counting)
{
	for (uint32_t i = 0; i < counting->node_count; i++) {
		const uint32_t caller = counting->nodes[i].parent;
		const uint32_t outer = caller == PROFILE_NONE ? PROFILE_NONE : counting->counting[caller];
		const uint32_t dso = dso_of(counting, i);

		counting->counting[i] = outer;
		if (dso == PROFILE_NONE)
			continue;
		counting->counting[i] = i;
		if (caller_in_dso(counting, dso, outer) == PROFILE_NONE)
			counting->samples->stack[dso] += counting->above[i];
	}
}

void dso_samples_count(struct dso_samples *samples, const struct profile *profile, bool nameless_only)
{
	const uint32_t nodes = profile_stack_count(profile), none = profile_dso_count(profile);
	struct counting counting = { .nodes = nodes ? profile_stack_at(profile, 0) : NULL,
				     .node_count = nodes,
				     .samples = samples,
				     .dsos = dsos_of_locations(profile, none, nameless_only),
				     .above = xcalloc((size_t)nodes + 1, sizeof(*counting.above)),
				     .counting = xmalloc(((size_t)nodes + 1) * sizeof(*counting.counting)) };

	*samples = (struct dso_samples){ .none = none,
					 .self = xcalloc((size_t)none + 1, sizeof(*samples->self)),
					 .stack = xcalloc((size_t)none + 1, sizeof(*samples->stack)) };
	if (nodes) { /* without nodes, there are no samples */
		count_self(&counting, profile);
		sum_up(&counting);
		count_stacks(&counting);
	}
	free(counting.dsos);
	free(counting.counting);
	free(counting.above);
}

void dso_samples_fini(struct dso_samples *samples)
{
	free(samples->self);
	free(samples->stack);
}
