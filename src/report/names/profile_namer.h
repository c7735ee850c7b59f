#ifndef XPROF_REPORT_NAMES_PROFILE_NAMER_H
#define XPROF_REPORT_NAMES_PROFILE_NAMER_H

/*
 * Turns the raw profile of the stack resolver into the final profile for views: DSOs get names, functions are
 * looked up once per distinct location, and the end of each stack is judged by its outermost function.
 */

#include "process/process_table.h"
#include "profile/raw_profile.h"
#include "report/names/function_starts.h"
#include "symbol/symbolizer.h"

/* Details to find besides functions; flags. */
enum naming_detail {
	NAMING_LINES = 1,   /* file and line of each location */
	NAMING_INLINES = 2, /* inlined functions, as locations and stack nodes of their own */
};

/*
 * Fills `profile`, which has the raw profile's events under the same numbers already.
 *
 * A return address of user space is looked up, and kept in its location, as the address before it, which lies
 * inside the call: a call that never returns can be the last instruction of its function. A function without
 * a name is identified by the start of its FDE. Without an FDE the location keeps the recorded address, which
 * views then print.
 *
 * `starts` finds the start of functions without names, and is destroyed after that; NULL: it is not looked for.
 *
 * Unchanged parts are moved, not copied: afterwards do not use the raw profile's stacks and samples, and do
 * not add any to the final profile.
 *
 * `numbers`, if not NULL, gets the final numbers of raw samples and stacks. The caller frees both arrays.
 */
struct final_numbers {
	uint32_t *samples, *stacks; /* NULL: no number has changed */
};
void profile_namer_run(struct raw_profile *raw, const struct process_table *processes,
		       struct symbolizer *symbolizer, struct function_starts *starts, unsigned int detail,
		       struct profile *profile, struct final_numbers *numbers);

#endif
