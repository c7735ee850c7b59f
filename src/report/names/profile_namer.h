#ifndef XPROF_REPORT_NAMES_PROFILE_NAMER_H
#define XPROF_REPORT_NAMES_PROFILE_NAMER_H

/*
 * The intermediate profile that the stack resolver filled -> the one that views
 * read: DSOs by name, functions looked up once per distinct location and DSO by
 * DSO, and each stack's end decided by what its outermost function is called.
 */

#include "process/process_table.h"
#include "profile/raw_profile.h"
#include "report/names/function_starts.h"
#include "symbol/symbolizer.h"

/* Details wanted besides functions; flags. */
enum naming_detail {
	NAMING_LINES = 1,   /* file and line of each location */
	NAMING_INLINES = 2, /* functions that were inlined, as locations and stack nodes of their own */
};

/*
 * Fills `profile`, which has the raw profile's events under the same numbers already.
 *
 * A return address of user space is looked up, and kept in its location, as the
 * address before it, which lies inside the call: a call that never returns can
 * be the last instruction of its function. A function without a name is known by
 * where its FDE begins; where there is no FDE either, the location has the address
 * as recorded, which is what is printed then.
 *
 * `starts` finds the functions without a name; NULL: none are found.
 *
 * Unchanged parts are moved, not copied: afterwards the raw profile's stacks and samples must not be used,
 * and none may be added to the final one.
 *
 * `sample_numbers`, if not NULL, gets the number of each of the raw profile's samples in the final one.
 */
void profile_namer_run(struct raw_profile *raw, const struct process_table *processes,
		       struct symbolizer *symbolizer, struct function_starts *starts, unsigned int detail,
		       struct profile *profile, uint32_t *sample_numbers);

#endif
