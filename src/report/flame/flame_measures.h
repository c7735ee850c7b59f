#ifndef XPROF_REPORT_FLAME_FLAME_MEASURES_H
#define XPROF_REPORT_FLAME_FLAME_MEASURES_H

/* The words behind weights of imported profiles, which have units of their own: {"alloc_space":"bytes"}. */

#include "base/strbuf.h"
#include "profile/profile.h"

struct flame_measures {
	struct strbuf json; /* an object by names of events; empty: no event was imported */
	struct strbuf own;  /* the words of the event that is drawn; empty: it is a recording's, or none */
};

void flame_measures_init(struct flame_measures *measures);
void flame_measures_fini(struct flame_measures *measures);

/* `event`: PROFILE_NONE if several are drawn. Forgets the words of an earlier call. */
void flame_measures_find(struct flame_measures *measures, const struct profile *profile, uint32_t event);

#endif
