/*
 * Each function is compared with the patterns once. Then one pass over the nodes, callers first: a node takes over from its
 * caller which pools' functions the stack already has.
 */
#include "report/waits/idle_stacks.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/waits/idle_pools.h"
#include "report/waits/sample_wait.h"

/* A bit for each pool. */
struct matches {
	uint32_t in, waits, unless;
};

/* A stack up to the node: the pools whose `in` it has, and those that it is idle in. */
struct progress {
	uint32_t inside, idle;
};

static bool is_like(const char *pattern, const char *name)
{
	return pattern && fnmatch(pattern, name, 0) == 0;
}

static struct matches matches_of(const char *name)
{
	struct matches matches = { 0 };

	for (size_t i = 0; i < idle_pool_count; i++) {
		matches.in |= (uint32_t)is_like(idle_pools[i].in, name) << i;
		matches.waits |= (uint32_t)is_like(idle_pools[i].waits, name) << i;
		matches.unless |= (uint32_t)is_like(idle_pools[i].unless, name) << i;
	}
	return matches;
}

static struct matches *match_functions(const struct profile *profile)
{
	const uint32_t count = profile_function_count(profile);
	struct matches *matches = xmalloc(((size_t)count + 1) * sizeof(*matches));

	for (uint32_t i = 0; i < count; i++)
		matches[i] = matches_of(profile_text(profile, profile_function_at(profile, i)->name));
	return matches;
}

/* Pools that are idle in any function below `in`. */
static uint32_t whatever_they_wait_in(void)
{
	uint32_t pools = 0;

	for (size_t i = 0; i < idle_pool_count; i++)
		pools |= (uint32_t)!idle_pools[i].waits << i;
	return pools;
}

static struct progress go_on(struct progress progress, const struct matches *matches, uint32_t at_once)
{
	progress.inside = (progress.inside & ~matches->unless) | matches->in;
	progress.idle &= ~matches->unless;
	progress.idle |= progress.inside & (matches->waits | at_once);
	return progress;
}

/* By node: the pools in which a stack that ends there is idle. */
static uint32_t *find_idle(const struct profile *profile)
{
	const uint32_t count = profile_stack_count(profile), at_once = whatever_they_wait_in();
	struct progress *progress = xmalloc(((size_t)count + 1) * sizeof(*progress));
	uint32_t *idle = xmalloc(((size_t)count + 1) * sizeof(*idle));
	struct matches *matches = match_functions(profile);

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_stack *node = profile_stack_at(profile, i);
		const uint32_t function = profile_location_at(profile, node->location)->function;

		progress[i] = node->parent == PROFILE_NONE ? (struct progress){ 0 } : progress[node->parent];
		/* A waker is not idle. */
		if (function != PROFILE_NONE && !frame_origin_is_waker((enum frame_origin)node->origin))
			progress[i] = go_on(progress[i], &matches[function], at_once);
		idle[i] = progress[i].idle;
	}
	free(matches);
	free(progress);
	return idle;
}

static uint32_t find_event(const struct profile *profile)
{
	for (uint32_t event = 0; event < profile_event_count(profile); event++)
		if (sample_wait_is_event(profile_text(profile, profile_event_at(profile, event)->name)))
			return event;
	return PROFILE_NONE;
}

/* --- in words ----------------------------------------------------------------- */

/* The first row of the table with the same pool's name as the first of these. */
static size_t row_of(uint32_t pools)
{
	size_t row = 0, first = 0;

	while (!(pools >> row & 1))
		row++;
	while (strcmp(idle_pools[first].pool, idle_pools[row].pool) != 0)
		first++;
	return first;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* `weights`: by name of a pool, at the first of its rows. */
static void add_text(struct strbuf *out, const uint64_t weights[MAX_IDLE_POOLS], uint64_t whole)
{
	const char *separator = ": idle threads of ";
	uint64_t hidden = 0;

	for (size_t i = 0; i < idle_pool_count; i++)
		hidden += weights[i];
	strbuf_addf(out, "%.1f%% of the time off the CPU is left out", percent(hidden, whole));
	for (size_t i = 0; i < idle_pool_count; i++) {
		if (!weights[i])
			continue;
		strbuf_addf(out, "%s%s (%.1f%%)", separator, idle_pools[i].pool, percent(weights[i], whole));
		separator = ", ";
	}
}

/* --- idle stacks -------------------------------------------------------------- */

bool *idle_stacks_find(const struct profile *profile, struct strbuf *text)
{
	const uint32_t event = find_event(profile);
	uint64_t weights[MAX_IDLE_POOLS] = { 0 };
	uint32_t *idle;
	bool *marks;

	if (event == PROFILE_NONE)
		return NULL;
	idle = find_idle(profile);
	marks = xcalloc((size_t)profile_stack_count(profile) + 1, sizeof(*marks));
	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		if (sample->event != event || sample->stack == PROFILE_NONE || !idle[sample->stack])
			continue;
		marks[sample->stack] = true;
		weights[row_of(idle[sample->stack])] += sample->weight;
	}
	free(idle);
	add_text(text, weights, profile_event_at(profile, event)->weight);
	return marks;
}
