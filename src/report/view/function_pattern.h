#ifndef XPROF_REPORT_VIEW_FUNCTION_PATTERN_H
#define XPROF_REPORT_VIEW_FUNCTION_PATTERN_H

/* Functions whose names match a regular expression: --parent and --ignore-callees, with perf's meaning. */

#include "base/error.h"
#include "profile/frame_table.h"

/* perf's default of --parent. */
#define FUNCTION_PATTERN_PARENT "^sys_|^do_page_fault"

/* An extended regular expression; -1 when it is none. */
int function_pattern_check(const char *pattern, struct error *err);

/*
 * By node of the profile's stacks: the name (a string of the profile) of the function in the stack that ends there whose
 * name matches, PROFILE_NONE where none does. Of several the outermost, or else the innermost. The caller frees the array.
 */
uint32_t *function_pattern_parents(const char *pattern, const struct profile *profile,
				   const struct frame_table *frames, bool outermost);

/* Samples in what such functions call become samples in them: stacks end with the outermost function that matches. */
void function_pattern_cut_callees(const char *pattern, struct profile *profile,
				  const struct frame_table *frames);

#endif
