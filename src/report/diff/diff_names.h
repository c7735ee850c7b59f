#ifndef XPROF_REPORT_DIFF_DIFF_NAMES_H
#define XPROF_REPORT_DIFF_DIFF_NAMES_H

/* Programs and libraries that are called otherwise in the other side of a diff, where that cannot be mistaken. */

#include "profile/name_pairs.h"
#include "report/diff/diff_recordings.h"

/* Of COMPARE_SIDES open sides, the first recording of each; nothing where the user has said pairs. */
void diff_names_pair(struct name_pairs *pairs, const struct diff_recordings *sides);

#endif
