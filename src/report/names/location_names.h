#ifndef XPROF_REPORT_NAMES_LOCATION_NAMES_H
#define XPROF_REPORT_NAMES_LOCATION_NAMES_H

/*
 * Finds the functions of a raw profile's locations. Each location is looked up once for each way in which
 * stacks use it (enum lookup), DSO by DSO, with several threads for different DSOs. The result does not
 * depend on the number of threads.
 */

#include <stdbool.h>
#include <stdint.h>

#include "process/process_table.h"
#include "profile/raw_profile.h"
#include "report/names/function_starts.h"
#include "symbol/symbolizer.h"

/* A location is looked up as the address of an instruction, or as a return address. */
enum lookup { LOOKUP_PC, LOOKUP_RETURN, LOOKUP_COUNT };

struct location_use {           /* small: there may be millions */
	uint32_t location : 31; /* raw number */
	uint32_t lookup : 1;    /* enum lookup */
};

struct location_name {
	const char *name; /* NULL: without a name, only the start is known */
	uint64_t start;   /* of the function */
};

/* Range of location_names.frames, innermost first. */
struct location_source {
	uint32_t first_frame, frame_count;
};

struct named_location {
	uint32_t names[LOOKUP_COUNT]; /* numbers for location_names_at(); 0: unknown, or not wanted */
	uint32_t dso;                 /* its number in the process table; PROFILE_NONE: none */
	struct location_source sources[LOOKUP_COUNT];
};

struct location_names {
	const struct raw_profile *raw;
	struct location_use *uses; /* all uses, in the order in which stacks first have them */
	size_t use_count, use_capacity;
	uint8_t *used; /* by raw number: a bit for each lookup that stacks have; others are skipped */
	/*
	 * Most addresses of damaged call chains are in no file: they share locations[0], of which nothing is known. Use
	 * location_names_of() and location_names_own().
	 */
	struct named_location *locations;
	size_t location_count, location_capacity;
	uint32_t *places; /* by raw number: index in `locations` */
	/* nearly always one for each function; room for one of each use and label */
	struct location_name *names;
	_Atomic uint32_t name_count; /* number 0 is none */
	struct source_frame *frames;
	size_t frame_count, frame_capacity;
	char **own_texts; /* names that are in no file */
	size_t own_count, own_capacity;
};

/* Collects all uses of locations in the stacks of the raw profile, without names yet. */
void location_names_init(struct location_names *names, const struct raw_profile *raw);
void location_names_fini(struct location_names *names);

/* Adds a name, for one location or many that are known to be in one function; returns its number. Several threads may do so. */
uint32_t location_names_add(struct location_names *names, const char *name, uint64_t start);

static inline const struct location_name *location_names_at(const struct location_names *names,
							    uint32_t number)
{
	return &names->names[number];
}

static inline const struct named_location *location_names_of(const struct location_names *names,
							     uint32_t location)
{
	return &names->locations[names->places[location]];
}

/* The same to be changed. If it was shared until now, pointers to others end: that is the case of a location without DSO. */
struct named_location *location_names_own(struct location_names *names, uint32_t location);

/* The way in which a node of the stack tree uses its location. */
enum lookup location_names_lookup(const struct raw_location *location, const struct profile_stack *node);

/*
 * Looks up all used locations, with `source` also their source lines. Texts are valid as long as the
 * symbolizer.
 */
void location_names_find(struct location_names *names, const struct process_table *processes,
			 struct symbolizer *symbolizer, bool source);

/*
 * Call it after location_names_find(): finds the start of functions without names in the files of their DSOs.
 */
void location_names_find_starts(struct location_names *names, const struct process_table *processes,
				struct function_starts *starts);

#endif
