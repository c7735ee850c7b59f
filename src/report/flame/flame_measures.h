#ifndef XPROF_REPORT_FLAME_FLAME_MEASURES_H
#define XPROF_REPORT_FLAME_FLAME_MEASURES_H

/* The units of imported profiles, to be printed behind weights: {"alloc_space":"bytes"}. */

#include "base/strbuf.h"
#include "profile/profile.h"

struct flame_measures {
	struct strbuf json; /* an object with a member for each event; empty: no event was imported */
	struct strbuf own;  /* unit of the drawn event; empty: it was recorded, or there is none */
};

void flame_measures_init(struct flame_measures *measures);
void flame_measures_fini(struct flame_measures *measures);

/* `event`: PROFILE_NONE if several are drawn. Replaces earlier results. */
void flame_measures_find(struct flame_measures *measures, const struct profile *profile, uint32_t event);

#endif
