#ifndef XPROF_REPORT_TABLE_KEY_NEEDS_H
#define XPROF_REPORT_TABLE_KEY_NEEDS_H

/*
 * Checks that a recording has the data for columns of sample keys. Error messages name the option of xprof
 * record that records it.
 */

#include "base/error.h"
#include "profile/profile_facts.h"
#include "report/rows/column.h"

/* Returns 0, or -1 with err if no event of the recording has the data of a column. */
int key_needs_check(const struct layout *layout, const struct profile_facts *facts, struct error *err);

/* Are there columns of tracepoints, but no tracepoints in the recording? Then their texts are all N/A. */
bool key_needs_lack_tracepoints(const struct layout *layout, const struct profile_facts *facts);

/* For --mem-mode. Returns 0, or -1 with err if no event samples memory accesses. */
int key_needs_check_accesses(const struct profile_facts *facts, struct error *err);

/* For -b and --branch-history (`option`). Returns 0, or -1 with err if no event samples branches. */
int key_needs_check_branches(const struct profile_facts *facts, const char *option, struct error *err);

/*
 * Call it after loading. Returns 0, or -1 with err if a word is neither a column nor a field of a tracepoint
 * with samples. `keys` is NULL if no column shows sample keys.
 */
int key_needs_check_fields(const struct layout *layout, const struct sample_keys *keys,
			   const struct profile_facts *facts, struct error *err);

#endif
