#include "support/hist_set_up.h"

#include <string.h>

#include "support/cmocka.h"

void hist_set_up_init(struct hist_set_up *set_up, struct profile *profile,
		      const struct layout_request *request, enum call_order order)
{
	*set_up = (struct hist_set_up){ .profile = profile };
	assert_int_equal(layout_make(&set_up->layout, request, NULL), 0);
	source_texts_init(&set_up->sources, profile, false);
	frame_table_init(&set_up->frames, profile);
	set_up->hist = (struct hist){
		.profile = profile,
		.frames = &set_up->frames,
		.options = { .layout = &set_up->layout,
			     .children = request->children,
			     .keep_hits = true,
			     .callers_on_top = request->children,
			     .order = order,
			     .sources = &set_up->sources },
	};
}

void hist_set_up_fini(struct hist_set_up *set_up)
{
	hist_fini(&set_up->hist);
	frame_table_fini(&set_up->frames);
	source_texts_fini(&set_up->sources);
	profile_destroy(set_up->profile);
}

static const char *text_of(const struct hist_set_up *set_up, enum column column, uint32_t key)
{
	if (key == PROFILE_NONE)
		return "";
	if (column == COLUMN_SYMBOL)
		key = set_up->frames.frames[key].name;
	return key == PROFILE_NONE ? "" : profile_text(set_up->profile, key);
}

const struct hist_row *hist_set_up_row(const struct hist_set_up *set_up, const char *first,
				       const char *second)
{
	const struct column_list *keys = &set_up->layout.keys;
	const struct hist_row *found = NULL;

	for (uint32_t i = 0; i < set_up->hist.row_count; i++) {
		const struct hist_row *row = &set_up->hist.rows[i];

		if (strcmp(text_of(set_up, keys->items[0], row->keys[0]), first) ||
		    (second && strcmp(text_of(set_up, keys->items[1], row->keys[1]), second)))
			continue;
		assert_null(found);
		found = row;
	}
	assert_non_null(found);
	return found;
}

struct profile *hist_set_up_inlined_profile(void)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "x", "/x", "");
	uint32_t work = profile_location(p, dso, 0x1010, FRAME_USER);
	uint32_t mix = profile_inlined_location(p, dso, 0x1010, FRAME_USER, 1);
	struct profile_sample sample = { .event = profile_event(p, "cycles", false, 1),
					 .count = 2,
					 .weight = 10 };

	profile_set_function(p, work, profile_function(p, dso, "work", 0x1000));
	profile_set_function(p, mix, profile_inlined_function(p, dso, "mix", 0x1000));
	profile_set_line(p, work, profile_string(p, "work.c"), 3);
	profile_set_line(p, mix, profile_string(p, "mix.h"), 8);
	sample.thread = profile_thread(p, 1, 1, profile_string(p, "x"));
	sample.stack =
		profile_stack(p, profile_stack(p, PROFILE_NONE, work, FRAME_SAMPLED), mix, FRAME_SAMPLED);
	profile_add(p, &sample);
	return p;
}
