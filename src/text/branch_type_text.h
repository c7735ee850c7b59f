#ifndef XPROF_TEXT_BRANCH_TYPE_TEXT_H
#define XPROF_TEXT_BRANCH_TYPE_TEXT_H

/*
 * Kinds of branches, and how they were speculated on, by perf's names: branch_type_name(), branch_new_type_name() and
 * branch_spec_desc(), tools/perf/util/branch.c.
 */

#include <stdint.h>

/* PERF_BR_*; "" of those that have no name, as 0, which is not known. */
const char *branch_type_text(uint8_t type);

/* PERF_BR_NEW_*, which PERF_BR_EXTEND_ABI leads to; likewise. */
const char *branch_new_type_text(uint8_t new_type);

/* PERF_BR_SPEC_*; "" if it is not known. */
const char *branch_speculation_text(uint8_t speculation);

#endif
