#ifndef XPROF_REPORT_LOAD_RECORDED_DSOS_H
#define XPROF_REPORT_LOAD_RECORDED_DSOS_H

/* From a DSO of a profile back to the one of the recording that it was made from, and all that is known of that. */

#include "process/dso.h"
#include "report/load/profile_loader.h"

struct recorded_dsos {
	const struct profile *profile;
	const struct dso **items; /* in order of path, name and build-id */
	size_t count;
};

/* The loaded profile is borrowed. */
void recorded_dsos_init(struct recorded_dsos *dsos, const struct loaded_profile *loaded);
void recorded_dsos_fini(struct recorded_dsos *dsos);

/* Of several equal ones, any. NULL: none. */
const struct dso *recorded_dsos_find(const struct recorded_dsos *dsos, uint32_t profile_dso);

#endif
