#include "support/profile_pair.h"

#include "support/profile_builder.h"

void profile_pair_init(struct profile_pair *pair, const char *event)
{
	*pair = (struct profile_pair){ 0 };
	for (int side = 0; side < COMPARE_SIDES; side++) {
		pair->profile[side] = profile_create();
		(void)builder_event(pair->profile[side], event);
	}
}

void profile_pair_match(struct profile_pair *pair, unsigned keys, const struct name_pairs *pairs)
{
	struct diff_run sides[COMPARE_SIDES];

	for (int side = 0; side < COMPARE_SIDES; side++) {
		frame_table_init(&pair->frames[side], pair->profile[side]);
		sides[side] =
			(struct diff_run){ pair->profile[side], &pair->frames[side], 0, &pair->filter, NULL };
	}
	pair->diff = profile_diff_create(sides, (const size_t[]){ 1, 1 }, keys, pairs);
}

void profile_pair_fini(struct profile_pair *pair)
{
	profile_diff_destroy(pair->diff);
	for (int side = 0; side < COMPARE_SIDES; side++) {
		frame_table_fini(&pair->frames[side]);
		profile_destroy(pair->profile[side]);
	}
}
