/* Weighs the commands and DSOs of both sides: each sample counts once for every DSO in its stack. */

#include "report/diff/diff_names.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "profile/match_name.h"

enum { DSO_NAME_SIZE = 256 };

/* The weights of one side. */
struct weighed {
	const struct profile *profile;
	struct named_weights comms, dsos;
	double *samples; /* by DSO */
	char (*names)[DSO_NAME_SIZE];
};

static void weigh_stack(struct weighed *weighed, uint32_t *last, uint32_t number)
{
	const struct profile_sample *sample = profile_sample_at(weighed->profile, number);

	for (uint32_t stack = sample->stack; stack != PROFILE_NONE;) {
		const struct profile_stack *node = profile_stack_at(weighed->profile, stack);
		const uint32_t dso = profile_location_at(weighed->profile, node->location)->dso;

		if (dso != PROFILE_NONE && last[dso] != number)
			weighed->samples[dso] += (double)sample->count;
		if (dso != PROFILE_NONE)
			last[dso] = number;
		stack = node->parent;
	}
}

static void weigh_dsos(struct weighed *weighed, double all)
{
	const uint32_t count = profile_dso_count(weighed->profile);
	uint32_t *last = xmalloc(((size_t)count + 1) * sizeof(*last));

	weighed->samples = xcalloc((size_t)count + 1, sizeof(*weighed->samples));
	weighed->names = xcalloc((size_t)count + 1, sizeof(*weighed->names));
	for (uint32_t i = 0; i < count; i++)
		last[i] = PROFILE_NONE;
	for (uint32_t i = 0; i < profile_sample_count(weighed->profile); i++)
		weigh_stack(weighed, last, i);
	for (uint32_t i = 0; i < count; i++) {
		const char *name = profile_text(weighed->profile, profile_dso_at(weighed->profile, i)->name);

		if (weighed->samples[i] > 0)
			named_weights_add(&weighed->dsos,
					  match_dso_name(name, weighed->names[i], DSO_NAME_SIZE),
					  weighed->samples[i] / all);
	}
	free(last);
}

static void weigh_comms(struct weighed *weighed, double all)
{
	const struct profile *profile = weighed->profile;
	double *samples = xcalloc((size_t)profile_thread_count(profile) + 1, sizeof(*samples));

	for (uint32_t i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		samples[sample->thread] += (double)sample->count;
	}
	for (uint32_t i = 0; i < profile_thread_count(profile); i++)
		if (samples[i] > 0)
			named_weights_add(&weighed->comms,
					  profile_text(profile, profile_thread_at(profile, i)->comm),
					  samples[i] / all);
	free(samples);
}

static void weigh(struct weighed *weighed, const struct profile *profile)
{
	double all = 0;

	*weighed = (struct weighed){ .profile = profile };
	for (uint32_t i = 0; i < profile_sample_count(profile); i++)
		all += (double)profile_sample_at(profile, i)->count;
	weigh_comms(weighed, all);
	weigh_dsos(weighed, all);
}

static void release(struct weighed *weighed)
{
	named_weights_fini(&weighed->comms);
	named_weights_fini(&weighed->dsos);
	free(weighed->samples);
	free(weighed->names);
}

void diff_names_pair(struct name_pairs *pairs, const struct diff_recordings *sides)
{
	struct weighed weighed[COMPARE_SIDES];

	if (pairs->count)
		return;
	for (int side = 0; side < COMPARE_SIDES; side++)
		weigh(&weighed[side], diff_recordings_profile(&sides[side]));
	name_pairs_find(pairs, &weighed[COMPARE_BEFORE].dsos, &weighed[COMPARE_AFTER].dsos);
	name_pairs_find(pairs, &weighed[COMPARE_BEFORE].comms, &weighed[COMPARE_AFTER].comms);
	for (int side = 0; side < COMPARE_SIDES; side++)
		release(&weighed[side]);
}
