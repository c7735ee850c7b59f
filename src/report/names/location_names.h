#ifndef XPROF_REPORT_NAMES_LOCATION_NAMES_H
#define XPROF_REPORT_NAMES_LOCATION_NAMES_H

/*
 * Finds the functions of a raw profile's locations, in the ways in which its stacks use them: looks up each
 * location once, DSO by DSO, and different DSOs in several threads at once. The result does not depend on the
 * number of threads.
 */

#include <stdbool.h>
#include <stdint.h>

#include "process/process_table.h"
#include "profile/raw_profile.h"
#include "report/names/function_starts.h"
#include "symbol/symbolizer.h"

/* A location of the raw profile, as an instruction's address and as a return address. */
enum lookup { LOOKUP_PC, LOOKUP_RETURN, LOOKUP_COUNT };

struct location_use {
	uint32_t location; /* raw number */
	enum lookup lookup;
};

struct location_name {
	const char *name; /* NULL: none is known, or wanted */
	uint64_t start;   /* of the function */
	bool nameless;    /* there is no name, but it is known where the function starts */
	/* A location with this function, itself or another of the DSO: those in one function mostly have it in common. */
	struct location_use like;
};

struct named_location {
	struct location_name names[LOOKUP_COUNT];
	uint32_t dso;            /* the process table's number; PROFILE_NONE: none */
	bool used[LOOKUP_COUNT]; /* by a stack: others are not looked up */
};

/* Innermost first. */
struct location_source {
	uint32_t first_frame, frame_count;
};

struct location_names {
	const struct raw_profile *raw;
	struct location_use *uses; /* all that there are, in the order in which stacks first have them */
	size_t use_count, use_capacity;
	struct named_location *locations;                /* by raw number */
	struct location_source (*sources)[LOOKUP_COUNT]; /* likewise; NULL: not asked for */
	struct source_frame *frames;
	size_t frame_count, frame_capacity;
	char **own_texts; /* names that are of no file */
	size_t own_count, own_capacity;
};

/* How all stacks of the raw profile use their locations; nothing is known of these yet. */
void location_names_init(struct location_names *names, const struct raw_profile *raw);
void location_names_fini(struct location_names *names);

/* As what the location of a node of the stack tree is looked up. */
enum lookup location_names_lookup(const struct raw_location *location, const struct profile_stack *node);

/* Fills in all that is used; with the source if so asked. Texts live as long as the symbolizer. */
void location_names_find(struct location_names *names, const struct process_table *processes,
			 struct symbolizer *symbolizer, bool source);

/* After location_names_find(): fills in where functions without a name begin, as far as the DSOs' files say. */
void location_names_find_starts(struct location_names *names, const struct process_table *processes,
				struct function_starts *starts);

#endif
