#ifndef XPROF_REPORT_LOAD_LOADED_PROFILE_H
#define XPROF_REPORT_LOAD_LOADED_PROFILE_H

/* A profile with everything that is known about its recording. */

#include <stdbool.h>

#include "profile/profile.h"
#include "profile/profile_facts.h"

struct dso_modules;
struct process_table;
struct symbolizer;

/* All zero: empty. */
struct loaded_profile {
	struct profile *profile;
	struct profile_facts facts;
	/*
	 * The DSOs that contain the profile's addresses, the symbol tables read from them, and the files by which stacks were
	 * unwound (not used any more, but slow to close). All are NULL in a profile without addresses.
	 */
	struct process_table *processes;
	struct symbolizer *symbolizer;
	struct dso_modules *modules;
	bool servers_asked; /* set by the caller if it has asked debuginfod servers for missing files */
};

/* Frees the DSOs, their files and symbol tables, when neither remarks nor remedies are wanted any more. */
void loaded_profile_drop_tables(struct loaded_profile *loaded);
void loaded_profile_fini(struct loaded_profile *loaded);

/*
 * Instead of loaded_profile_fini(), by a command that ends now: the kernel takes memory and mapped files back at the end of the
 * process, faster than they can be given back one by one. Call it at most once in a process.
 */
void loaded_profile_leave(struct loaded_profile *loaded);

#endif
