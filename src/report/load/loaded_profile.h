#ifndef XPROF_REPORT_LOAD_LOADED_PROFILE_H
#define XPROF_REPORT_LOAD_LOADED_PROFILE_H

/* A profile with everything that is known about its recording. */

#include <stdbool.h>

#include "profile/profile.h"
#include "profile/profile_facts.h"

struct process_table;
struct symbolizer;

/* All zero: empty. */
struct loaded_profile {
	struct profile *profile;
	struct profile_facts facts;
	/*
	 * The DSOs that contain the profile's addresses, and the symbol tables read from them. Both are NULL in a
	 * profile without addresses.
	 */
	struct process_table *processes;
	struct symbolizer *symbolizer;
	bool servers_asked; /* set by the caller if it has asked debuginfod servers for missing files */
};

/* Frees the DSOs and symbol tables, when neither remarks nor remedies are wanted any more. */
void loaded_profile_drop_tables(struct loaded_profile *loaded);
void loaded_profile_fini(struct loaded_profile *loaded);

#endif
