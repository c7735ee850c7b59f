#ifndef XPROF_RECORD_BRANCH_FILTER_H
#define XPROF_RECORD_BRANCH_FILTER_H

/* Parses the argument of -j, as in perf: the branches that the CPU keeps for a sample. */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Words for completion, NULL-terminated. */
extern const char *const branch_filter_names[];

/* The bit of one name, which need not be terminated; 0: there is none. */
uint64_t branch_filter_bit(const char *name, size_t length);

/* The name of one bit; "?" where it has none. */
const char *branch_filter_name(uint64_t bit);

/*
 * "any_call,u" and so on to enum perf_branch_sample_type (linux/perf_event.h), for attr.branch_sample_type. Where no
 * kind of branch is named, any is meant; where no privilege level is, the kernel takes those of the event.
 */
int branch_filter_parse(uint64_t *filter, const char *text, struct error *err);

#endif
