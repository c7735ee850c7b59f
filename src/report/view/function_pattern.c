/*
 * Each distinct frame is matched once. After that one pass over the nodes of the profile's stacks suffices: callers have
 * smaller numbers than their callees, so a node inherits the result of its caller.
 */
#include "report/view/function_pattern.h"

#include <regex.h>
#include <stdlib.h>

#include "base/xalloc.h"

int function_pattern_check(const char *pattern, struct error *err)
{
	char reason[160];
	regex_t regex;
	int status = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);

	if (status) {
		regerror(status, &regex, reason, sizeof(reason));
		return error_set(err, "'%s' is not a regular expression: %s", pattern, reason);
	}
	regfree(&regex);
	return 0;
}

/* By frame, so that each name is matched once. NULL if the pattern is invalid, which function_pattern_check() reports. */
static bool *match_frames(const char *pattern, const struct profile *profile,
			  const struct frame_table *frames)
{
	bool *matches;
	regex_t regex;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return NULL;
	matches = xcalloc((size_t)frames->count + 1, sizeof(*matches));
	for (uint32_t i = 0; i < frames->count; i++) {
		const uint32_t name = frames->frames[i].name;

		matches[i] =
			name != PROFILE_NONE && regexec(&regex, profile_text(profile, name), 0, NULL, 0) == 0;
	}
	regfree(&regex);
	return matches;
}

uint32_t *function_pattern_parents(const char *pattern, const struct profile *profile,
				   const struct frame_table *frames, bool outermost)
{
	const uint32_t count = profile_stack_count(profile);
	uint32_t *parents = xmalloc(((size_t)count + 1) * sizeof(*parents));
	bool *matches = match_frames(pattern, profile, frames);

	for (uint32_t node = 0; node < count; node++) { /* callers come before their callees */
		const uint32_t caller = profile_stack_at(profile, node)->parent;
		const uint32_t frame = frame_table_of_stack(frames, profile, node);
		const uint32_t inherited = caller == PROFILE_NONE ? PROFILE_NONE : parents[caller];
		const bool own = matches && matches[frame] && (!outermost || inherited == PROFILE_NONE);

		parents[node] = own ? frames->frames[frame].name : inherited;
	}
	free(matches);
	return parents;
}

void function_pattern_cut_callees(const char *pattern, struct profile *profile,
				  const struct frame_table *frames)
{
	const uint32_t count = profile_stack_count(profile), samples = profile_sample_count(profile);
	uint32_t *ends = xmalloc(((size_t)count + 1) * sizeof(*ends));
	bool *matches = match_frames(pattern, profile, frames);

	for (uint32_t node = 0; node < count; node++) {
		const uint32_t caller = profile_stack_at(profile, node)->parent;
		const bool own = matches && matches[frame_table_of_stack(frames, profile, node)];

		ends[node] = caller == PROFILE_NONE ? PROFILE_NONE : ends[caller];
		if (ends[node] == PROFILE_NONE && own)
			ends[node] = node;
	}
	for (uint32_t i = 0; i < samples; i++) {
		const uint32_t stack = profile_sample_at(profile, i)->stack;

		if (stack != PROFILE_NONE && ends[stack] != PROFILE_NONE)
			profile_set_sample_stack(profile, i, ends[stack]);
	}
	free(matches);
	free(ends);
}
