#ifndef XPROF_REPORT_NAMES_FINAL_LOCATIONS_H
#define XPROF_REPORT_NAMES_FINAL_LOCATIONS_H

/*
 * Maps the locations of a raw profile to those of the final one: for each way in which stacks use one (enum
 * lookup), a location with its function, and above it those of the functions inlined there. Two of the raw
 * profile become one where they turn out to be the same place of a DSO: two files of one name, or a location
 * without a name that is used in both ways.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "process/process_table.h"
#include "profile/raw_profile.h"
#include "report/names/location_names.h"

struct inlined_range {
	uint32_t first, count;
};

struct final_locations {
	const struct raw_profile *raw;
	uint32_t (*numbers)[LOOKUP_COUNT]; /* by the raw one; PROFILE_NONE: no stack uses it so */
	struct inlined_range (
		*ranges)[LOOKUP_COUNT]; /* in `inlined`, likewise; NULL: inlined functions are not wanted */
	uint32_t *inlined;              /* locations, outermost first */
	size_t inlined_count, inlined_capacity;
	bool merged; /* different locations of the raw profile have become one */
};

/* Where a node of the raw profile goes. */
struct final_place {
	uint32_t location;
	uint32_t inlined_count;
	const uint32_t *inlined; /* each in a node of its own above that of the location; outermost first */
};

/*
 * Adds to `profile` the locations for all uses of `names`, in the order in which these are listed, with their DSOs,
 * functions and source, as far as they are known. `names` are those of the raw profile, which must live as long as
 * what is made here.
 */
void final_locations_make(struct final_locations *locations, const struct location_names *names,
			  const struct process_table *processes, bool inlines, struct profile *profile);
void final_locations_fini(struct final_locations *locations);

/* Of a node of the raw profile. */
static inline uint32_t final_locations_number(const struct final_locations *locations,
					      const struct profile_stack *raw)
{
	const struct raw_location *location = raw_profile_location_at(locations->raw, raw->location);

	return locations->numbers[raw->location][location_names_lookup(location, raw)];
}

/* With what is inlined there. Valid as long as the locations. */
static inline struct final_place final_locations_place(const struct final_locations *locations,
						       const struct profile_stack *raw)
{
	const enum lookup lookup =
		location_names_lookup(raw_profile_location_at(locations->raw, raw->location), raw);
	struct final_place place = { .location = locations->numbers[raw->location][lookup] };

	if (locations->ranges) {
		place.inlined = locations->inlined + locations->ranges[raw->location][lookup].first;
		place.inlined_count = locations->ranges[raw->location][lookup].count;
	}
	return place;
}

#endif
