#ifndef XPROF_REPORT_DIFF_DIFF_NAMES_H
#define XPROF_REPORT_DIFF_DIFF_NAMES_H

/* Finds programs and libraries that have another name in the other side of a diff, if that is unambiguous. */

#include "profile/name_pairs.h"
#include "report/diff/diff_recordings.h"

/*
 * Adds pairs of names from the first recordings of COMPARE_SIDES open sides; nothing if the user has given
 * pairs.
 */
void diff_names_pair(struct name_pairs *pairs, const struct diff_recordings *sides);

#endif
