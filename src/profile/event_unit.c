/* Clocks are known by their names, with modifiers or without. */
#include "profile/event_unit.h"

#include <ctype.h>
#include <string.h>

bool event_unit_is_clock(const char *event_name)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock", "offcpu-time", "wall-clock" };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		const size_t length = strlen(clocks[i]);

		if (!strncmp(event_name, clocks[i], length) && event_name[length] != '-' &&
		    event_name[length] != '_' && !isalnum((unsigned char)event_name[length]))
			return true;
	}
	return false;
}

bool event_unit_is_imported(const struct profile *profile, uint32_t event)
{
	return *profile_text(profile, profile_event_at(profile, event)->unit) != '\0';
}

const char *event_unit_of(const struct profile *profile, uint32_t event)
{
	const struct profile_event *of = profile_event_at(profile, event);

	if (event_unit_is_imported(profile, event))
		return profile_text(profile, of->unit);
	return event_unit_is_clock(profile_text(profile, of->name)) ? "nanoseconds" : "count";
}

void event_unit_add_words(struct strbuf *out, const struct profile *profile, uint32_t event)
{
	const char *unit = event_unit_of(profile, event),
		   *name = profile_text(profile, profile_event_at(profile, event)->name);

	if (!strcmp(unit, EVENT_UNIT_UNKNOWN))
		strbuf_addf(out, "%s (unit unknown)", name);
	else
		strbuf_adds(out, strcmp(unit, "count") ? unit : name);
}
