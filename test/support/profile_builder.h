#ifndef XPROF_TEST_SUPPORT_PROFILE_BUILDER_H
#define XPROF_TEST_SUPPORT_PROFILE_BUILDER_H

/*
 * Profiles written as text: "comm pid/tid cpu", and a stack "dso`function;..." from the root to the leaf.
 *
 *	builder_add(p, "web 10/11 0", "web`main;libc.so.6`read;[k]`sys_read", 2, 1000);
 *
 * DSO "[k]" is the kernel. "dso`0x1234" is an address without a known function, "`0x1234" one without a mapping. Each
 * distinct function name has its own start address, a multiple of 0x1000.
 */

#include "profile/profile.h"

/* Adds an event at 4000 Hz. */
uint32_t builder_event(struct profile *profile, const char *name);

/* `who` is "comm pid/tid cpu"; without the cpu, that is not recorded. Returns the sample's leaf. */
uint32_t builder_add(struct profile *profile, uint32_t event, const char *who, const char *stack,
		     uint64_t count, uint64_t weight);

#endif
