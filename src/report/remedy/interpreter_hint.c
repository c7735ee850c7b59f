/*
 * Interpreters are known by the paths of their files. One pass over the stacks, callers first, hands the outermost interpreter
 * down to each node; then samples are counted by it. Functions called "py::..." show that nothing is missing.
 */
#include "report/remedy/interpreter_hint.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/remedy/runtime_advice.h"
#include "text/safe_text.h"

struct interpreters {
	const struct profile *profile;
	struct runtime_use *uses; /* of each DSO */
	uint64_t *samples;        /* with it as the outermost interpreter of the stack */
	uint32_t *dso_of_stack; /* the outermost interpreter of the stack and its callers; PROFILE_NONE: none */
};

/* CPython's perf trampolines write "py::NAME:FILE". */
static bool shows_functions(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_function_count(profile); i++)
		if (strncmp(profile_text(profile, profile_function_at(profile, i)->name), "py::", 4) == 0)
			return true;
	return false;
}

static bool find_interpreters(struct interpreters *found)
{
	const uint32_t count = profile_dso_count(found->profile);
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		found->uses[i] = runtime_use_of_file(
			profile_text(found->profile, profile_dso_at(found->profile, i)->path));
		any |= runtime_interprets(&found->uses[i]);
	}
	return any;
}

/* Callers have lower numbers than their callees. */
static void follow_stacks(struct interpreters *found)
{
	for (uint32_t i = 0; i < profile_stack_count(found->profile); i++) {
		const struct profile_stack *node = profile_stack_at(found->profile, i);
		const uint32_t dso = profile_location_at(found->profile, node->location)->dso;
		const uint32_t above =
			node->parent == PROFILE_NONE ? PROFILE_NONE : found->dso_of_stack[node->parent];

		found->dso_of_stack[i] = above != PROFILE_NONE ? above :
					 dso != PROFILE_NONE && runtime_interprets(&found->uses[dso]) ?
								 dso :
								 PROFILE_NONE;
	}
}

/* The interpreter with most samples; *pid is one of its processes. PROFILE_NONE if there is none. */
static uint32_t most_sampled(struct interpreters *found, uint32_t *pid)
{
	uint32_t most = PROFILE_NONE;

	for (uint32_t i = 0; i < profile_sample_count(found->profile); i++) {
		const struct profile_sample *sample = profile_sample_at(found->profile, i);
		const uint32_t dso =
			sample->stack == PROFILE_NONE ? PROFILE_NONE : found->dso_of_stack[sample->stack];

		if (dso == PROFILE_NONE)
			continue;
		found->samples[dso] += sample->count;
		if (most != PROFILE_NONE && found->samples[dso] < found->samples[most])
			continue;
		most = dso;
		*pid = profile_thread_at(found->profile, sample->thread)->pid;
	}
	return most;
}

static double add_line(struct strbuf *out, const struct loaded_profile *loaded, struct interpreters *found,
		       const char *prefix, double percent)
{
	uint32_t pid = 0;
	const uint32_t dso = most_sampled(found, &pid);
	double share;

	if (dso == PROFILE_NONE || !loaded->facts.samples)
		return 0;
	share = 100.0 * (double)found->samples[dso] / (double)loaded->facts.samples;
	if (share < percent)
		return 0;
	strbuf_addf(out, "%s%.1f%% in functions that ", prefix, share);
	safe_text_add(out, profile_text(loaded->profile, profile_dso_at(loaded->profile, dso)->path));
	strbuf_adds(out, " interprets, which have no names: ");
	runtime_advice_add(out, &found->uses[dso], pid);
	strbuf_addc(out, '\n');
	return share;
}

double interpreter_hint_add(struct strbuf *out, const struct loaded_profile *loaded, const char *prefix,
			    double percent)
{
	const struct profile *profile = loaded->profile;
	struct interpreters found = { .profile = profile };
	const size_t dsos = (size_t)profile_dso_count(profile) + 1;
	double share = 0;

	found.uses = xcalloc(dsos, sizeof(*found.uses));
	found.samples = xcalloc(dsos, sizeof(*found.samples));
	if (find_interpreters(&found) && !shows_functions(profile)) {
		found.dso_of_stack = xcalloc((size_t)profile_stack_count(profile) + 1, sizeof(uint32_t));
		follow_stacks(&found);
		share = add_line(out, loaded, &found, prefix, percent);
	}
	free(found.uses);
	free(found.samples);
	free(found.dso_of_stack);
	return share;
}
