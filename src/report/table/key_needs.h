#ifndef XPROF_REPORT_TABLE_KEY_NEEDS_H
#define XPROF_REPORT_TABLE_KEY_NEEDS_H

/*
 * The data that a recording must have for the columns of sample keys, and the option of xprof record that
 * brings it.
 */

#include "base/error.h"
#include "profile/profile_facts.h"
#include "report/rows/column.h"

/* -1 when no event of the recording has what one of the columns shows. */
int key_needs_check(const struct layout *layout, const struct profile_facts *facts, struct error *err);

/* Are columns of tracepoints asked for where there are none? Then all they say is N/A. */
bool key_needs_lack_tracepoints(const struct layout *layout, const struct profile_facts *facts);

/* For --mem-mode, whose columns are shown in any case: -1 when no event samples memory accesses. */
int key_needs_check_accesses(const struct profile_facts *facts, struct error *err);

/* For -b and --branch-history (`option`), which show branches whatever the columns are: -1 when no event samples them. */
int key_needs_check_branches(const struct profile_facts *facts, const char *option, struct error *err);

/*
 * After loading: -1 when a word is neither a column nor a field of any tracepoint that has samples. `keys` may be NULL, as
 * they are where no column is made of any.
 */
int key_needs_check_fields(const struct layout *layout, const struct sample_keys *keys,
			   const struct profile_facts *facts, struct error *err);

#endif
