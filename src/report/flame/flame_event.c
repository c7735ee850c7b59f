/* Chooses the event of a picture, and names it if the recording has several. */
#include "report/flame/flame_event.h"

#include <stdio.h>

#include "report/view/event_choice.h"
#include "text/safe_text.h"

/* --by event: the picture has all events. */
static bool shows_all_events(const struct flame_options *options)
{
	size_t i;

	for (i = 0; i < options->recipe.by_count; i++)
		if (options->recipe.by[i] == FLAME_BY_EVENT)
			return true;
	return false;
}

static void say_event(const struct flame_options *options, const char *path, const struct profile *profile,
		      uint32_t event, uint32_t with_samples, const char *joined)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "xprof: %s: these are the stacks of ", path);
	safe_text_add(&line, profile_text(profile, profile_event_at(profile, event)->name));
	if (with_samples > 1)
		strbuf_addf(&line, ", one of %u events: %s", with_samples,
			    flame_options_want_samples(options) ? "the page can show the others" :
								  "--event names another");
	strbuf_adds(&line, *joined ? "; " : "");
	safe_text_add(&line, joined);
	fprintf(stderr, "%s\n", line.bytes);
	strbuf_fini(&line);
}

int flame_event_choose(const struct flame_options *options, const char *path, struct profile *profile,
		       uint32_t *event, struct error *err)
{
	uint32_t with_samples;
	struct strbuf joined = STRBUF_INIT;
	int status = 0;

	if (options->samples.wall)
		return event_choice_join_wall(profile, event, err);
	event_choice_join(profile, options->samples.event, &joined);
	*event = event_choice_most(profile, &with_samples);
	if (options->samples.event)
		status = event_choice_find(profile, options->samples.event, event, err);
	else if (with_samples > 1 && shows_all_events(options))
		*event = PROFILE_NONE;
	else if ((with_samples > 1 || joined.size) && !options->quiet)
		say_event(options, path, profile, *event, with_samples, joined.bytes);
	strbuf_fini(&joined);
	return status;
}
