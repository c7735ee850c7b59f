/*
 * The code that makes a profile fills in the facts, a plain struct. This file has conclusions that several views need, and
 * counts made from the profile itself.
 */
#include "profile/profile_facts.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "profile/profile.h"

void profile_facts_init(struct profile_facts *facts)
{
	*facts = (struct profile_facts){ .first_time_ns = UINT64_MAX, .first_record_ns = UINT64_MAX };
	arena_init(&facts->texts);
}

void profile_facts_fini(struct profile_facts *facts)
{
	arena_fini(&facts->texts);
	*facts = (struct profile_facts){ 0 };
}

const char *profile_facts_text(struct profile_facts *facts, const char *text)
{
	return text ? arena_strdup(&facts->texts, text) : NULL;
}

bool profile_facts_have_key(const struct profile_facts *facts, unsigned int sample_key)
{
	for (size_t i = 0; i < facts->event_count; i++)
		if (facts->events[i].sample_keys >> sample_key & 1)
			return true;
	return false;
}

bool profile_facts_have_tracepoints(const struct profile_facts *facts)
{
	for (size_t i = 0; i < facts->event_count; i++)
		if (facts->events[i].is_tracepoint)
			return true;
	return false;
}

/* PERF_RECORD_LOST counts records of any kind, LOST_SAMPLES the samples among them. */
uint64_t profile_facts_lost(const struct profile_facts *facts)
{
	return facts->lost_samples ? facts->lost_samples : facts->lost_records;
}

double profile_facts_seconds(const struct profile_facts *facts)
{
	return facts->first_time_ns < facts->last_time_ns ?
		       (double)(facts->last_time_ns - facts->first_time_ns) / 1e9 :
		       0;
}

bool profile_facts_have_stacks(const struct profile_facts *facts)
{
	return facts->has_stacks_of_unknown_end ||
	       facts->stacks_ended[STACK_END_NO_CHAIN] + facts->stacks_ended[STACK_END_UNKNOWN] <
		       facts->samples;
}

/* By stack: the origins of its frames, bit n for enum frame_origin n. A node's caller has a smaller number than the node. */
static uint32_t *find_origins(const struct profile *profile)
{
	const uint32_t count = profile_stack_count(profile);
	uint32_t *origins = xmalloc(((size_t)count + 1) * sizeof(*origins));

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_stack *node = profile_stack_at(profile, i);

		origins[i] = UINT32_C(1) << node->origin |
			     (node->parent == PROFILE_NONE ? 0 : origins[node->parent]);
	}
	return origins;
}

void profile_facts_count_stacks(struct profile_facts *facts, const struct profile *profile)
{
	uint32_t *origins = find_origins(profile);

	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);
		const struct profile_stack *leaf = profile_stack_at(profile, sample->stack);

		facts->stacks_ended[sample->end] += sample->count;
		facts->guessed_samples += origins[sample->stack] >> FRAME_GUESSED & 1 ? sample->count : 0;
		facts->continued_samples += origins[sample->stack] >> FRAME_CONTINUED & 1 ? sample->count : 0;
		if (!profile_location_is_named(profile, profile_location_at(profile, leaf->location)))
			facts->unresolved_samples += sample->count;
	}
	free(origins);
}
