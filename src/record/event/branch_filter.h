#ifndef XPROF_RECORD_BRANCH_FILTER_H
#define XPROF_RECORD_BRANCH_FILTER_H

/* Parses the argument of -j, as in perf: the branches that the CPU keeps for a sample. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* All names, for completion; NULL-terminated. */
extern const char *const branch_filter_names[];

/* The bit of the name with `length` bytes; 0 if there is no such name. */
uint64_t branch_filter_bit(const char *name, size_t length);

/* The name of one bit; "?" if it has none. */
const char *branch_filter_name(uint64_t bit);

/*
 * Parses "any_call,u" and the like into attr.branch_sample_type (enum perf_branch_sample_type,
 * linux/perf_event.h). Without a kind of branch it means any; without a privilege level the kernel takes
 * those of the event. Returns 0, or -1 with err.
 */
int branch_filter_parse(uint64_t *filter, const char *text, struct error *err);

#endif
