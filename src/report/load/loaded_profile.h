#ifndef XPROF_REPORT_LOAD_LOADED_PROFILE_H
#define XPROF_REPORT_LOAD_LOADED_PROFILE_H

/* A profile with all that is known of the recording that it was made from. */

#include <stdbool.h>

#include "profile/profile.h"
#include "profile/profile_facts.h"

struct process_table;
struct symbolizer;

/* Zeroed, it is empty. */
struct loaded_profile {
	struct profile *profile;
	struct profile_facts facts;
	/*
	 * The files that contain the profile's addresses, and what could be read of them. NULL in a profile
	 * without addresses.
	 */
	struct process_table *processes;
	struct symbolizer *symbolizer; /* likewise */
	bool servers_asked; /* debuginfod servers were asked for what is missing: set by the caller who did */
};

void loaded_profile_fini(struct loaded_profile *loaded);

#endif
