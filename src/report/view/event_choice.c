#include "report/view/event_choice.h"

#include <stdio.h>
#include <string.h>

/* By its whole name, or by what stands before the modifiers: "cycles" for "cycles:u". */
static bool event_is_named(const struct profile *profile, uint32_t event, const char *name)
{
	const char *own = profile_text(profile, profile_event_at(profile, event)->name);
	size_t length = strlen(name);

	return !strncmp(own, name, length) && (!own[length] || own[length] == ':');
}

int event_choice_find(const struct profile *profile, const char *name, uint32_t *event, struct error *err)
{
	uint32_t count = profile_event_count(profile);
	size_t used = 0;
	char names[512] = "";

	for (*event = 0; *event < count; ++*event)
		if (event_is_named(profile, *event, name))
			return 0;
	for (*event = 0; *event < count && used < sizeof(names); ++*event) {
		const struct profile_event *known = profile_event_at(profile, *event);

		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
					 profile_text(profile, known->name));
	}
	return error_set(err, "--event: '%s' was not recorded; there is %s", name,
			 *names ? names : "nothing");
}

uint32_t event_choice_first(const struct profile *profile, uint32_t *with_samples)
{
	uint32_t count = profile_event_count(profile), first = PROFILE_NONE, event;

	*with_samples = 0;
	for (event = 0; event < count; event++)
		if (profile_event_at(profile, event)->samples && !(*with_samples)++)
			first = event;
	return first;
}
