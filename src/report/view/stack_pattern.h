#ifndef XPROF_REPORT_VIEW_STACK_PATTERN_H
#define XPROF_REPORT_VIEW_STACK_PATTERN_H

/*
 * --stack: which stacks a report is about, as folded stacks are written.
 *
 *	main;parse;...      stacks that begin with these functions, the outermost first
 *	...;parse;read      stacks that end with them
 *	...;parse;...       stacks with the function, or several in a row, anywhere
 *	main;parse          that stack and no other
 *
 * Functions go by their names as folded stacks have them (':' for ';'), or by name,
 * '@' and their file's short name where the name alone would mean several.
 */

#include <stdbool.h>

#include "profile/frame_table.h"

/* By node of the profile's stacks: does the stack that ends there match? The caller frees the array. */
bool *stack_pattern_match(const char *pattern, const struct profile *profile,
			  const struct frame_table *frames);

#endif
