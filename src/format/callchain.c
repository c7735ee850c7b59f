/* Interprets the markers in callchains: they give the CPU mode of the frames behind them. */
#include "format/callchain.h"

static int context_mode(uint64_t marker)
{
	switch (marker) {
	case (uint64_t)PERF_CONTEXT_HV: return PERF_RECORD_MISC_HYPERVISOR;
	case (uint64_t)PERF_CONTEXT_KERNEL: return PERF_RECORD_MISC_KERNEL;
	case CALLCHAIN_USER_DEFERRED:
	case (uint64_t)PERF_CONTEXT_USER: return PERF_RECORD_MISC_USER;
	case (uint64_t)PERF_CONTEXT_GUEST:
	case (uint64_t)PERF_CONTEXT_GUEST_KERNEL: return PERF_RECORD_MISC_GUEST_KERNEL;
	case (uint64_t)PERF_CONTEXT_GUEST_USER: return PERF_RECORD_MISC_GUEST_USER;
	default: return -1;
	}
}

struct callchain callchain_of(const struct sample *sample)
{
	return (struct callchain){ .sample = sample,
				   .end = sample->callchain_count,
				   .cpumode = PERF_RECORD_MISC_USER,
				   .behind_marker = true };
}

static void pass_marker(struct callchain *chain, uint64_t marker)
{
	const bool is_user = marker == (uint64_t)PERF_CONTEXT_USER;

	if (is_user && chain->is_user && !chain->behind_marker) {
		chain->behind_two_marks |= chain->behind_mark;
		chain->behind_mark = !chain->behind_mark;
		return;
	}
	chain->is_user = is_user;
	chain->is_continued = chain->behind_mark = chain->behind_two_marks = false;
	chain->behind_marker = true;
	chain->cpumode = context_mode(marker);
	if (marker == CALLCHAIN_USER_DEFERRED)
		chain->next++; /* the cookie */
}

int callchain_next(struct callchain *chain)
{
	while (chain->next < chain->end) {
		const uint64_t word = sample_callchain_entry(chain->sample, chain->next++);

		if (!callchain_is_marker(word)) {
			chain->address = word;
			chain->is_first = chain->behind_marker;
			chain->is_continued |= chain->behind_mark;
			chain->is_assumed = chain->behind_two_marks;
			chain->behind_marker = chain->behind_mark = chain->behind_two_marks = false;
			return 1;
		}
		pass_marker(chain, word);
		if (chain->cpumode < 0)
			return -1;
	}
	return 0;
}

size_t callchain_user_frames(const struct sample *sample, uint64_t *frames, size_t capacity)
{
	struct callchain chain = callchain_of(sample);
	size_t count = 0;
	int result;

	while (count < capacity && (result = callchain_next(&chain)) != 0)
		if (result > 0 && chain.is_user)
			frames[count++] = chain.address;
	return count;
}
