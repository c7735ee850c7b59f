/* Merges the runs of sample_sums with a binary heap; equal sums follow one another and are added up. */
#include "profile/sample_walk.h"

#include <stdlib.h>

#include "base/saturating.h"
#include "base/xalloc.h"

static bool is_before(const struct sample_sums_run *a, const struct sample_sums_run *b)
{
	return a->at->stack != b->at->stack ? a->at->stack < b->at->stack : a->at->sample < b->at->sample;
}

static void sift_down(struct sample_walk *walk, size_t place)
{
	struct sample_sums_run *rest = walk->rest, moved = rest[place];
	size_t child;

	for (; (child = 2 * place + 1) < walk->rest_count; place = child) {
		if (child + 1 < walk->rest_count && is_before(&rest[child + 1], &rest[child]))
			child++;
		if (!is_before(&rest[child], &moved))
			break;
		rest[place] = rest[child];
	}
	rest[place] = moved;
}

void sample_walk_init(struct sample_walk *walk, const struct profile *profile, const struct sample_sums *sums)
{
	*walk = (struct sample_walk){ .profile = profile, .sums = sums };
	if (!sums)
		return;
	walk->rest_count = sample_sums_run_count(sums);
	walk->rest = xmalloc((walk->rest_count + 1) * sizeof(*walk->rest));
	for (size_t i = 0; i < walk->rest_count; i++)
		walk->rest[i] = sample_sums_run(sums, i);
	for (size_t i = walk->rest_count / 2; i-- > 0;)
		sift_down(walk, i);
}

/* Takes the least sum. */
static struct sample_sum take(struct sample_walk *walk)
{
	const struct sample_sum sum = *walk->rest[0].at++;

	if (walk->rest[0].at == walk->rest[0].end)
		walk->rest[0] = walk->rest[--walk->rest_count];
	if (walk->rest_count)
		sift_down(walk, 0);
	if (++walk->read % SAMPLE_SUMS_STRIDE == 0)
		sample_sums_release(walk->sums);
	return sum;
}

static bool next_sum(struct sample_walk *walk)
{
	struct sample_sum sum, other;

	if (!walk->rest_count) {
		free(walk->rest);
		walk->rest = NULL;
		return false;
	}
	sum = take(walk);
	while (walk->rest_count && walk->rest[0].at->stack == sum.stack &&
	       walk->rest[0].at->sample == sum.sample) {
		other = take(walk);
		saturating_add(&sum.count, other.count);
		saturating_add(&sum.weight, other.weight);
	}
	walk->number = sum.sample;
	walk->sample = *profile_sample_at(walk->profile, sum.sample);
	walk->sample.stack = sum.stack;
	walk->sample.count = sum.count;
	walk->sample.weight = sum.weight;
	return true;
}

bool sample_walk_next(struct sample_walk *walk)
{
	if (walk->sums)
		return next_sum(walk);
	if (walk->next == profile_sample_count(walk->profile))
		return false;
	walk->number = walk->next++;
	walk->sample = *profile_sample_at(walk->profile, walk->number);
	return true;
}
