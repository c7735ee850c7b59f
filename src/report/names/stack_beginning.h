#ifndef XPROF_REPORT_NAMES_STACK_BEGINNING_H
#define XPROF_REPORT_NAMES_STACK_BEGINNING_H

/*
 * Judges whether a stack is complete by the name of its outermost function: a chain that ended by itself is
 * complete if that is a function that nothing calls. Stacks with the same outer callers have the same
 * beginning, so the verdict is passed down the tree from node to node instead of being searched in each
 * stack.
 */

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

/*
 * Judges the outermost frames. Frames in no mapping are skipped: if libc's start-up code keeps no frame
 * pointer, a chain continues with whatever was in the register.
 */
enum stack_beginning {
	STACK_BEGINNING_UNKNOWN, /* nothing so far */
	STACK_BEGINNING_ROOT,    /* where programs, threads and the kernel's own tasks begin */
	STACK_BEGINNING_UNNAMED, /* a function without a name in a C library */
	STACK_BEGINNING_OTHER,
};

/* Can a complete stack begin with this function? */
bool stack_beginning_is_root(const char *function, enum frame_mode mode);

/*
 * Is this DSO one that programs and threads begin in: a C library, or the dynamic linker, which musl's C library is, too?
 * start_thread() and __libc_start_call_main() are local symbols: a stripped library has no names for them.
 */
bool stack_beginning_is_c_library(const char *dso_name);

/* Judges one node by itself, without its callers. Its location must have its function. */
enum stack_beginning stack_beginning_of(const struct profile *profile, uint32_t node);

/* The beginning of the stack of a node, given that of its caller (UNKNOWN if it has no caller). */
static inline enum stack_beginning stack_beginning_below(const struct profile *profile,
							 enum stack_beginning caller, uint32_t node)
{
	return caller == STACK_BEGINNING_UNKNOWN ? stack_beginning_of(profile, node) : caller;
}

/* The reason why a stack ends, given its beginning and the reason assumed so far. */
enum stack_end stack_beginning_end(enum stack_beginning beginning, enum stack_end end);

#endif
