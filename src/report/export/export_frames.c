/*
 * An array by frame of the frame table gives each function its number. Addresses where nothing is mapped may be millions; their
 * names differ, so nothing is kept of them.
 */
#include "report/export/export_frames.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "report/rows/frame_text.h"
#include "text/web_text.h"

void export_frames_init(struct export_frames *frames, const struct export_input *input)
{
	const size_t count = input->view.frames->count;

	*frames = (struct export_frames){ .input = input };
	frames->number_of = xmalloc((count + 1) * sizeof(*frames->number_of));
	frames->nodes = xmalloc((count + 1) * sizeof(*frames->nodes));
	frames->texts = str_pool_create();
	for (size_t i = 0; i < count; i++)
		frames->number_of[i] = PROFILE_NONE;
}

void export_frames_fini(struct export_frames *frames)
{
	free(frames->number_of);
	free(frames->nodes);
	free(frames->of_texts);
	str_pool_destroy(frames->texts);
}

static const char *file_of(const struct profile *profile, uint32_t node)
{
	const struct profile_location *location =
		profile_location_at(profile, profile_stack_at(profile, node)->location);
	const struct profile_dso *dso =
		location->dso == PROFILE_NONE ? NULL : profile_dso_at(profile, location->dso);
	const char *file = profile_text(profile, location->file);

	if (!*file && dso)
		file = profile_text(profile, dso->path);
	if (!*file && dso)
		file = profile_text(profile, dso->name);
	return file;
}

static void add_name(struct strbuf *out, const struct view_input *view, uint32_t node)
{
	frame_text_add(out, view->profile,
		       &view->frames->frames[frame_table_of_stack(view->frames, view->profile, node)], true);
}

static uint32_t add_function(struct export_frames *frames, uint32_t node)
{
	frames->nodes[frames->count] = node;
	return (uint32_t)frames->count++;
}

/* The number of the function with the name and file of a node. */
static uint32_t number_of_text(struct export_frames *frames, uint32_t node)
{
	const struct view_input *view = &frames->input->view;
	struct strbuf text = STRBUF_INIT;
	uint32_t number;

	add_name(&text, view, node);
	strbuf_addf(&text, "\n%s", file_of(view->profile, node));
	number = str_pool_add_n(frames->texts, text.bytes, text.size) - 1;
	strbuf_fini(&text);
	if (number == frames->text_count)
		*ARRAY_ADD(frames->of_texts, frames->text_count, frames->text_capacity) =
			add_function(frames, node);
	return frames->of_texts[number];
}

uint32_t export_frames_number(struct export_frames *frames, uint32_t node)
{
	const struct view_input *view = &frames->input->view;
	const uint32_t frame = frame_table_of_stack(view->frames, view->profile, node);
	const struct frame *of = &view->frames->frames[frame];
	uint32_t *number = &frames->number_of[frame];

	if (*number == PROFILE_NONE)
		*number = of->name == PROFILE_NONE && of->dso == PROFILE_NONE ? add_function(frames, node) :
										number_of_text(frames, node);
	return *number;
}

void export_frames_add_name(struct strbuf *out, const struct export_frames *frames, uint32_t number)
{
	struct strbuf text;

	strbuf_init(&text);
	add_name(&text, &frames->input->view, frames->nodes[number]);
	web_text_add_clean_json(out, text.bytes);
	strbuf_fini(&text);
}

void export_frames_add_file(struct strbuf *out, const struct export_frames *frames, uint32_t number)
{
	web_text_add_clean_json(out, file_of(frames->input->view.profile, frames->nodes[number]));
}
