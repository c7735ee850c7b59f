#ifndef XPROF_REPORT_VIEW_STACK_PATTERN_H
#define XPROF_REPORT_VIEW_STACK_PATTERN_H

/*
 * --stack: selects stacks by a pattern that looks like a folded stack.
 *
 *	main;parse;...      stacks that begin with these functions, the outermost first
 *	...;parse;read      stacks that end with them
 *	...;parse;...       stacks with the function, or several in a row, anywhere
 *	main;parse          that stack and no other
 *
 * Functions have their names in folded stacks (':' for ';'). If several files have a function of that name,
 * '@' and the file's short name may follow.
 */

#include <stdbool.h>

#include "profile/frame_table.h"

/*
 * Returns an array by node of the profile's stacks: does the stack that ends at the node match? The caller
 * frees it.
 */
bool *stack_pattern_match(const char *pattern, const struct profile *profile,
			  const struct frame_table *frames);

#endif
