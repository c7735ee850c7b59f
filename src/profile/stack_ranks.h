#ifndef XPROF_PROFILE_STACK_RANKS_H
#define XPROF_PROFILE_STACK_RANKS_H

/*
 * The nodes of a profile's stacks in depth-first order: what a node leads to, by any number of calls, follows right
 * behind it. Stacks taken in this order share with the one before all that they begin alike in, so that what is to be
 * summed up over them can be done once for each node, not once for each frame of each stack.
 *
 *	rank   0     1  2  3  4
 *	node   main  f  g  h  k    main calls f and h, f calls g, h calls k
 *
 * Callers of a node that are not behind another one in this order, and no others, are callers of that one, too.
 */

#include "profile/profile.h"

/* Of each node, in the order of their numbers; the caller frees it. A snapshot, as the profile's nodes are now. */
uint32_t *stack_ranks_make(const struct profile *profile);

#endif
