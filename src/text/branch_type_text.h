#ifndef XPROF_TEXT_BRANCH_TYPE_TEXT_H
#define XPROF_TEXT_BRANCH_TYPE_TEXT_H

/* Kinds of branches by perf's names: branch_type_name() and branch_new_type_name(), tools/perf/util/branch.c. */

#include <stdint.h>

/* PERF_BR_*; "" of those that have no name, as 0, which is not known. */
const char *branch_type_text(uint8_t type);

/* PERF_BR_NEW_*, which PERF_BR_EXTEND_ABI leads to; likewise. */
const char *branch_new_type_text(uint8_t new_type);

#endif
