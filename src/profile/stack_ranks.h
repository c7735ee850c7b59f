#ifndef XPROF_PROFILE_STACK_RANKS_H
#define XPROF_PROFILE_STACK_RANKS_H

/*
 * Puts the nodes of a profile's stacks in depth-first order: all direct and indirect callees of a node follow it.
 * Each stack in this order has as many outer frames as possible in common with the one before, so that sums over
 * stacks need work once for each node, not for each frame of each stack.
 *
 *	rank   0     1  2  3  4
 *	node   main  f  g  h  k    main calls f and h, f calls g, h calls k
 *
 * If node m comes before node n, the callers of n that do not come after m are exactly those that n has in common
 * with m (which may be m itself).
 */

#include "profile/profile.h"

/* Returns the rank of each node, by node number, for the nodes that exist now. The caller frees the array. */
uint32_t *stack_ranks_make(const struct profile *profile);

#endif
