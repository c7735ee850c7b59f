#ifndef XPROF_TEXT_BRANCH_TYPE_TEXT_H
#define XPROF_TEXT_BRANCH_TYPE_TEXT_H

/*
 * perf's names for the types of branches and for how they were speculated on: branch_type_name(),
 * branch_new_type_name() and branch_spec_desc(), tools/perf/util/branch.c.
 */

#include <stdint.h>

/* `type` is PERF_BR_*. Returns "" if it has no name, or is 0 (unknown). */
const char *branch_type_text(uint8_t type);

/* The same for PERF_BR_NEW_*, which counts if the type is PERF_BR_EXTEND_ABI. */
const char *branch_new_type_text(uint8_t new_type);

/* `speculation` is PERF_BR_SPEC_*. Returns "" if it is unknown. */
const char *branch_speculation_text(uint8_t speculation);

#endif
