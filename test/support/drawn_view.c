#include "support/drawn_view.h"

struct strbuf drawn_view(const struct view *view, struct profile *profile, const struct profile_facts *facts,
			 const void *options)
{
	struct selection selection = { .event = PROFILE_NONE };
	struct frame_table frames;
	struct strbuf out;

	frame_table_init(&frames, profile);
	strbuf_init(&out);
	view->render(
		&(struct view_input){
			.profile = profile, .frames = &frames, .selection = &selection, .facts = facts },
		options, &out);
	frame_table_fini(&frames);
	profile_destroy(profile);
	return out;
}
