#ifndef XPROF_REPORT_VIEW_FUNCTION_PATTERN_H
#define XPROF_REPORT_VIEW_FUNCTION_PATTERN_H

/* Functions whose names match a regular expression: --parent and --ignore-callees, with perf's meaning. */

#include "base/error.h"
#include "profile/frame_table.h"

/* perf's default of --parent. */
#define FUNCTION_PATTERN_PARENT "^sys_|^do_page_fault"

/* Checks an extended regular expression. Returns 0, or -1 with err. */
int function_pattern_check(const char *pattern, struct error *err);

/*
 * Returns an array by node of the profile's stacks: the name (a string of the profile) of the matching
 * function in the stack that ends at the node, the outermost or the innermost one; PROFILE_NONE if none
 * matches. The caller frees it.
 */
uint32_t *function_pattern_parents(const char *pattern, const struct profile *profile,
				   const struct frame_table *frames, bool outermost);

/* Removes the callees of matching functions: stacks then end with the outermost function that matches. */
void function_pattern_cut_callees(const char *pattern, struct profile *profile,
				  const struct frame_table *frames);

#endif
