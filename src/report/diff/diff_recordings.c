/*
 * Nearly every function is a loop over the side's recordings. The first one numbers the events; in the others they are
 * found by name.
 */
#include "report/diff/diff_recordings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "profile/dso_builds.h"
#include "report/view/event_choice.h"

/* Even in a long recording, slots of time are far shorter than the slices that are compared. */
enum { MOST_TIMES = 1 << 20, MOST_COLUMNS = 1 << 16 };

static void add_path(struct diff_recordings *side, const char *path, size_t length)
{
	*ARRAY_ADD(side->list, side->count, side->capacity) = (struct diff_recording){
		.path = xasprintf("%.*s", (int)length, path), .event = PROFILE_NONE, .divisor = 1
	};
}

void diff_recordings_add(struct diff_recordings *side, const char *text)
{
	if (access(text, F_OK) == 0) {
		add_path(side, text, strlen(text));
		return;
	}
	for (;;) {
		size_t length = strcspn(text, ",");

		add_path(side, text, length);
		if (!text[length])
			return;
		text += length + 1;
	}
}

int diff_recordings_open(struct diff_recordings *side, const struct recording_request *request,
			 struct error *err)
{
	for (size_t i = 0; i < side->count; i++) {
		struct diff_recording *recording = &side->list[i];
		struct recording_request own = *request;

		own.path = recording->path;
		own.load.timeline = recording->timeline = timeline_create(MOST_TIMES);
		if (recording_input_open(&recording->input, &own, err))
			return -1;
		recording->is_open = true;
		timeline_finish(recording->timeline, MOST_COLUMNS);
		frame_table_init(&recording->frames, recording->input.loaded.profile);
	}
	return 0;
}

static void close_input(struct diff_recording *recording)
{
	if (recording->is_open) {
		frame_table_fini(&recording->frames);
		recording_input_close(&recording->input);
	}
	timeline_destroy(recording->timeline);
	recording->timeline = NULL;
	recording->is_open = false;
}

int diff_recordings_open_again(struct diff_recordings *side, const struct recording_request *request,
			       struct error *err)
{
	for (size_t i = 0; i < side->count; i++)
		close_input(&side->list[i]);
	return diff_recordings_open(side, request, err);
}

void diff_recordings_close(struct diff_recordings *side)
{
	for (size_t i = 0; i < side->count; i++) {
		close_input(&side->list[i]);
		free(side->list[i].path);
	}
	free(side->list);
	*side = (struct diff_recordings){ 0 };
}

static void drop_nameless(struct diff_recording *recording, const struct dso_builds *builds,
			  const struct name_pairs *pairs, int side)
{
	struct profile *profile = recording->input.loaded.profile;

	dso_builds_drop_nameless(builds, pairs, side, profile);
	frame_table_fini(&recording->frames);
	frame_table_init(&recording->frames, profile);
}

void diff_recordings_match_builds(struct diff_recordings sides[COMPARE_SIDES], const struct name_pairs *pairs)
{
	struct dso_builds *builds = dso_builds_create();

	for (int side = 0; side < COMPARE_SIDES; side++)
		for (size_t i = 0; i < sides[side].count; i++)
			dso_builds_add(builds, side, sides[side].list[i].input.loaded.profile);
	for (int side = 0; side < COMPARE_SIDES; side++)
		for (size_t i = 0; i < sides[side].count; i++)
			drop_nameless(&sides[side].list[i], builds, pairs, side);
	dso_builds_destroy(builds);
}

const struct profile *diff_recordings_profile(const struct diff_recordings *side)
{
	return side->list[0].input.loaded.profile;
}

bool diff_recordings_have_callchains(const struct diff_recordings *side)
{
	for (size_t i = 0; i < side->count; i++)
		if (!side->list[i].input.loaded.facts.has_callchains)
			return false;
	return true;
}

/* --- events ------------------------------------------------------------------- */

const char *diff_recordings_event_name(const struct diff_recordings *side)
{
	const struct profile *profile = diff_recordings_profile(side);

	return profile_text(profile, profile_event_at(profile, side->list[0].event)->name);
}

int diff_recordings_choose_event(struct diff_recordings *side, uint32_t event, struct error *err)
{
	side->list[0].event = event;
	for (size_t i = 1; i < side->count; i++)
		if (event_choice_find(side->list[i].input.loaded.profile, diff_recordings_event_name(side),
				      &side->list[i].event, err))
			return error_wrap(err, "%s", side->list[i].path);
	return 0;
}

struct profile_event diff_recordings_event(const struct diff_recordings *side)
{
	struct profile_event sum = { 0 };

	for (size_t i = 0; i < side->count; i++) {
		const struct diff_recording *recording = &side->list[i];
		const struct profile_event *event =
			profile_event_at(recording->input.loaded.profile, recording->event);

		sum.samples += event->samples;
		saturating_add(&sum.weight, event->weight);
		sum.weight_squares += event->weight_squares;
	}
	return sum;
}

/* --- what sums are divided by -------------------------------------------------- */

static int take_seconds(struct diff_recording *recording, struct error *err)
{
	recording->divisor = profile_facts_seconds(&recording->input.loaded.facts);
	if (recording->divisor > 0)
		return 0;
	return error_set(err, "%s: --normalize=time: its samples have no times", recording->path);
}

static int take_work_event(struct diff_recording *recording, const char *name, struct error *err)
{
	const struct profile *profile = recording->input.loaded.profile;
	uint32_t event;

	if (event_choice_find(profile, name, &event, err))
		return error_wrap(err, "%s", recording->path);
	recording->divisor = (double)profile_event_at(profile, event)->weight;
	if (recording->divisor > 0)
		return 0;
	return error_set(err, "%s: --work: event %s counted nothing", recording->path, name);
}

int diff_recordings_divide(struct diff_recordings *side, enum diff_normalize normalize, double work,
			   const char *work_event, double *divisor, struct error *err)
{
	*divisor = 0;
	for (size_t i = 0; i < side->count; i++) {
		struct diff_recording *recording = &side->list[i];

		recording->divisor = normalize == DIFF_WORK ? work : 1;
		if (normalize == DIFF_TIME && take_seconds(recording, err))
			return -1;
		if (normalize == DIFF_WORK && work_event && take_work_event(recording, work_event, err))
			return -1;
		*divisor += recording->divisor;
	}
	return 0;
}
