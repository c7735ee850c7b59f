#ifndef XPROF_REPORT_LOAD_RECORDED_DSOS_H
#define XPROF_REPORT_LOAD_RECORDED_DSOS_H

/* Finds the recording's DSO, with everything known about it, for a DSO of the profile. */

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

/* Any of several equal ones; NULL if there is none. */
const struct dso *recorded_dsos_find(const struct recorded_dsos *dsos, uint32_t profile_dso);

#endif
