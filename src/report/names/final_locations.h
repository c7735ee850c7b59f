#ifndef XPROF_REPORT_NAMES_FINAL_LOCATIONS_H
#define XPROF_REPORT_NAMES_FINAL_LOCATIONS_H

/*
 * Maps the locations of a raw profile to locations of the final one, which have functions. A raw location
 * that stacks use in both ways (enum lookup) can become two; functions inlined there get locations of their
 * own. Two raw locations become one if they turn out to be the same place of a DSO: two files of one name, or
 * a location without a name that is used in both ways.
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
	uint32_t (*numbers)[LOOKUP_COUNT]; /* final number, by raw number and lookup; PROFILE_NONE: unused */
	/* ranges of `inlined`, by raw number and lookup; NULL: inlined functions are not wanted */
	struct inlined_range (*ranges)[LOOKUP_COUNT];
	uint32_t *inlined; /* final locations, outermost first */
	size_t inlined_count, inlined_capacity;
	bool merged; /* different raw locations have become one */
};

/* The final locations of a node of the raw profile. */
struct final_place {
	uint32_t location;
	uint32_t inlined_count;
	const uint32_t *inlined; /* outermost first; each is a node of its own, above that of `location` */
};

/*
 * Adds to `profile` a location for each use in `names`, in that order, with DSO, function and source as far
 * as they are known. With `inlines` it adds those of inlined functions, too. The raw profile of `names` must
 * outlive `locations`.
 */
void final_locations_make(struct final_locations *locations, const struct location_names *names,
			  const struct process_table *processes, bool inlines, struct profile *profile);
void final_locations_fini(struct final_locations *locations);

/* The final location of a node of the raw profile. */
static inline uint32_t final_locations_number(const struct final_locations *locations,
					      const struct profile_stack *raw)
{
	const struct raw_location *location = raw_profile_location_at(locations->raw, raw->location);

	return locations->numbers[raw->location][location_names_lookup(location, raw)];
}

/* The same, with the inlined functions. Valid as long as `locations`. */
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
