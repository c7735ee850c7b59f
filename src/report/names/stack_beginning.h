#ifndef XPROF_REPORT_NAMES_STACK_BEGINNING_H
#define XPROF_REPORT_NAMES_STACK_BEGINNING_H

/*
 * Whether a stack is complete is seen at its outermost function, and so only when functions have names: a chain that
 * just ended is a whole one where it ended at a function that nothing calls. Stacks that share their callers share
 * their beginning, so it is handed down from node to node of the tree rather than looked for in each stack.
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
	STACK_BEGINNING_UNNAMED, /* in a C library that does not say what is called what */
	STACK_BEGINNING_OTHER,
};

/* Is this a function that such a stack begins with? */
bool stack_beginning_is_root(const char *function, enum frame_mode mode);

/*
 * Is this DSO one that programs and threads begin in: a C library, or the dynamic linker, which musl's C library is, too?
 * start_thread() and __libc_start_call_main() are local symbols: a stripped library has no names for them.
 */
bool stack_beginning_is_c_library(const char *dso_name);

/* Judges one node, whatever its callers are. Its location has its function already. */
enum stack_beginning stack_beginning_of(const struct profile *profile, uint32_t node);

/* The beginning of a node's stack, given that of its caller's (UNKNOWN: it has none). */
static inline enum stack_beginning stack_beginning_below(const struct profile *profile,
							 enum stack_beginning caller, uint32_t node)
{
	return caller == STACK_BEGINNING_UNKNOWN ? stack_beginning_of(profile, node) : caller;
}

/* Why a stack ends that seemed to end for the reason given before its beginning was known. */
enum stack_end stack_beginning_end(enum stack_beginning beginning, enum stack_end end);

#endif
