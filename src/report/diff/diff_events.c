/*
 * Without a name, events of the same name pair up. If there are none, the event with most samples of each side makes the
 * only pair.
 */
#include "report/diff/diff_events.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/view/event_choice.h"

/* The later side's event with samples and the same name as the earlier side's; PROFILE_NONE if there is none. */
static uint32_t same_event(const struct diff_recordings *sides, uint32_t event)
{
	const struct profile *before = diff_recordings_profile(&sides[COMPARE_BEFORE]);
	const struct profile *after = diff_recordings_profile(&sides[COMPARE_AFTER]);
	const char *name = profile_text(before, profile_event_at(before, event)->name);

	for (uint32_t i = 0; i < profile_event_count(after); i++)
		if (profile_event_at(after, i)->samples &&
		    !strcmp(profile_text(after, profile_event_at(after, i)->name), name))
			return i;
	return PROFILE_NONE;
}

static void add_common(struct diff_events *events, const struct diff_recordings *sides)
{
	const struct profile *before = diff_recordings_profile(&sides[COMPARE_BEFORE]);

	for (uint32_t i = 0; i < profile_event_count(before); i++) {
		const uint32_t other = same_event(sides, i);

		if (profile_event_at(before, i)->samples && other != PROFILE_NONE)
			events->pairs[events->count++] = (struct diff_event_pair){ { i, other } };
	}
}

/* Their names differ, which the header warns of. */
static void add_most(struct diff_events *events, const struct diff_recordings *sides)
{
	struct diff_event_pair pair;
	uint32_t unused;

	for (int side = 0; side < COMPARE_SIDES; side++) {
		pair.event[side] = event_choice_most(diff_recordings_profile(&sides[side]), &unused);
		if (pair.event[side] == PROFILE_NONE)
			return;
	}
	events->pairs[events->count++] = pair;
}

static int find_all(struct diff_events *events, const struct diff_recordings *sides, struct error *err)
{
	add_common(events, sides);
	if (!events->count)
		add_most(events, sides);
	if (events->count)
		return 0;
	return error_set(err, "%s and %s: there is nothing to compare: at least one has no samples",
			 sides[COMPARE_BEFORE].list[0].path, sides[COMPARE_AFTER].list[0].path);
}

static int find_named(struct diff_events *events, const struct diff_recordings *sides, const char *name,
		      struct error *err)
{
	events->count = 1;
	for (int side = 0; side < COMPARE_SIDES; side++)
		if (event_choice_find(diff_recordings_profile(&sides[side]), name,
				      &events->pairs[0].event[side], err))
			return error_wrap(err, "%s", sides[side].list[0].path);
	return 0;
}

int diff_events_choose(struct diff_events *events, const struct diff_recordings *sides, const char *name,
		       struct error *err)
{
	const size_t most = profile_event_count(diff_recordings_profile(&sides[COMPARE_BEFORE]));
	int status;

	*events = (struct diff_events){ .pairs = xmalloc((most + 1) * sizeof(*events->pairs)) };
	status = name ? find_named(events, sides, name, err) : find_all(events, sides, err);
	if (status)
		diff_events_fini(events);
	return status;
}

void diff_events_fini(struct diff_events *events)
{
	free(events->pairs);
	*events = (struct diff_events){ 0 };
}
