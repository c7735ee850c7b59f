#include "support/built_sides.h"

void built_sides_init(struct built_sides *built)
{
	*built = (struct built_sides){ 0 };
	diff_recordings_add(&built->sides[COMPARE_BEFORE], "/nonexistent/before");
	diff_recordings_add(&built->sides[COMPARE_AFTER], "/nonexistent/after");
	for (int side = 0; side < COMPARE_SIDES; side++)
		built->sides[side].list[0].input.loaded.profile = profile_create();
}

struct profile *built_sides_profile(struct built_sides *built, int side)
{
	return built->sides[side].list[0].input.loaded.profile;
}

void built_sides_finish(struct built_sides *built)
{
	for (int side = 0; side < COMPARE_SIDES; side++)
		frame_table_init(&built->sides[side].list[0].frames, built_sides_profile(built, side));
}

void built_sides_fini(struct built_sides *built)
{
	for (int side = 0; side < COMPARE_SIDES; side++) {
		frame_table_fini(&built->sides[side].list[0].frames);
		profile_destroy(built_sides_profile(built, side));
		diff_recordings_close(&built->sides[side]);
	}
}
