/*
 * Shows the order in which names, threads, locations, stacks and samples are made. Each of the last three needs the one
 * before.
 */
#include "report/names/profile_namer.h"

#include "report/names/final_locations.h"
#include "report/names/final_samples.h"
#include "report/names/final_stacks.h"
#include "report/names/location_names.h"

static void copy_threads(const struct raw_profile *raw, struct profile *profile)
{
	for (uint32_t i = 0; i < raw_profile_thread_count(raw); i++) {
		const struct profile_thread *thread = raw_profile_thread_at(raw, i);

		profile_thread(profile, thread->pid, thread->tid,
			       profile_string(profile, raw_profile_text(raw, thread->comm)));
	}
}

void profile_namer_run(struct raw_profile *raw, const struct process_table *processes,
		       struct symbolizer *symbolizer, struct function_starts *starts, unsigned int detail,
		       struct profile *profile, struct final_numbers *numbers)
{
	struct location_names names;
	struct final_locations locations;
	struct final_stacks stacks;
	uint32_t *samples;

	location_names_init(&names, raw);
	location_names_find(&names, processes, symbolizer, detail != 0);
	if (starts) {
		location_names_find_starts(&names, processes, starts);
		function_starts_destroy(starts); /* frees memory before locations need it */
	}
	copy_threads(raw, profile);
	final_locations_make(&locations, &names, processes, detail & NAMING_INLINES, profile);
	location_names_fini(&names); /* frees memory before stacks need it */
	final_stacks_make(&stacks, raw, &locations, profile);
	samples = final_samples_make(raw, &stacks, profile, numbers != NULL);
	if (numbers) {
		*numbers = (struct final_numbers){ samples, stacks.nodes };
		stacks.nodes = NULL;
	}
	final_stacks_fini(&stacks);
	final_locations_fini(&locations);
}
