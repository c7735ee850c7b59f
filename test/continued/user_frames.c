/* Compares stacks frame by frame, see user_frames.h. */

#include "continued/user_frames.h"

#include "format/callchain.h"
#include "record/stack/sample_parts.h"

void user_frames_of_chain(struct user_frames *user, const struct strbuf *record,
			  const struct perf_event_attr *attr)
{
	struct sample_parts parts;
	struct sample sample = { .callchain_count = 0 };
	struct callchain chain;

	user->count = 0;
	user->marked_from = USER_FRAMES_MAX; /* none so far */
	user->is_whole = sample_parts_find(&parts, (const uint8_t *)record->bytes, record->size, attr) &&
			 parts.abi == PERF_SAMPLE_REGS_ABI_NONE;
	sample.callchain = parts.chain;
	sample.callchain_count = parts.chain_count;
	chain = callchain_of(&sample);
	while (user->count < USER_FRAMES_MAX && callchain_next(&chain) == 1) {
		if (chain.is_continued && user->marked_from == USER_FRAMES_MAX)
			user->marked_from = user->count;
		if (chain.is_user)
			user->frames[user->count++] = chain.address;
	}
	if (user->marked_from == USER_FRAMES_MAX)
		user->marked_from = user->count;
	user->is_whole &= user->count > 0;
}

void judge_frames(struct judged_frames *judged, const struct user_frames *found,
		  const struct user_frames *truth)
{
	const uint64_t before = judged->wrong_marked + judged->wrong_unmarked;

	for (size_t i = 0; i < found->count; i++) {
		const bool wrong = i >= truth->count || found->frames[i] != truth->frames[i];

		if (i >= found->marked_from) {
			judged->marked++;
			judged->wrong_marked += wrong;
		} else {
			judged->unmarked++;
			judged->wrong_unmarked += wrong;
		}
	}
	if (found->is_whole && found->count < truth->count) {
		if (found->marked_from < found->count)
			judged->wrong_marked += truth->count - found->count;
		else
			judged->wrong_unmarked += truth->count - found->count;
	}
	judged->wrong_stacks += judged->wrong_marked + judged->wrong_unmarked != before;
}
