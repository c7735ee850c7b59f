/* Applies the filters once to each merged sample, so that formats can look up the answer for single ones. */
#include "report/export/export_samples.h"

#include <string.h>

#include "base/xalloc.h"
#include "profile/event_unit.h"
#include "report/view/event_choice.h"

bool *export_samples_chosen(const struct export_input *input)
{
	const struct profile *profile = input->view.profile;
	const uint32_t count = profile_sample_count(profile);
	bool *chosen = xcalloc((size_t)count + 1, sizeof(*chosen));

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		chosen[i] = selection_has_event(&input->view, sample->event) &&
			    filter_passes(&input->view.selection->filter, profile, sample);
	}
	return chosen;
}

const char *export_samples_unit(const struct export_input *input, uint32_t event)
{
	return event == PROFILE_NONE ? "count" : event_unit_of(input->view.profile, event);
}

const char *export_samples_known_unit(const struct export_input *input, uint32_t event)
{
	const char *unit = export_samples_unit(input, event);

	return strcmp(unit, EVENT_UNIT_UNKNOWN) ? unit : "";
}

const char *export_samples_type(const struct export_input *input, uint32_t event)
{
	const char *name;

	if (event == PROFILE_NONE)
		return "events";
	name = profile_text(input->view.profile, profile_event_at(input->view.profile, event)->name);
	return event_choice_is_named(name, "cpu-clock") || event_choice_is_named(name, "task-clock") ? "cpu" :
												       name;
}

uint64_t export_samples_period(const struct export_input *input, uint32_t event)
{
	const struct profile_event *of;

	if (event == PROFILE_NONE)
		return 0;
	of = profile_event_at(input->view.profile, event);
	if (!of->frequency)
		return of->period_or_freq;
	return of->period_or_freq && strcmp(export_samples_unit(input, event), "nanoseconds") == 0 ?
		       1000000000 / of->period_or_freq :
		       0;
}
