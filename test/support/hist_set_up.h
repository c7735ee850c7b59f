#ifndef XPROF_TEST_SUPPORT_HIST_SET_UP_H
#define XPROF_TEST_SUPPORT_HIST_SET_UP_H

/* The parts that make up a hist: a profile, its frames and lines, a layout. */

#include "report/rows/hist.h"

struct hist_set_up {
	struct profile *profile;
	struct frame_table frames;
	struct layout layout;
	struct source_texts sources;
	struct hist hist; /* made of the above, with options that keep hits; the test adds rows */
};

/* Takes ownership of the profile. */
void hist_set_up_init(struct hist_set_up *set_up, struct profile *profile,
		      const struct layout_request *request, enum call_order order);
void hist_set_up_fini(struct hist_set_up *set_up);

/* The row with these texts of its first two keys; `second` is NULL if there is only one. */
const struct hist_row *hist_set_up_row(const struct hist_set_up *set_up, const char *first,
				       const char *second);

/* "mix", line 8 of mix.h, inlined at line 3 of work.c into "work", with one sample of count 2 and weight 10. */
struct profile *hist_set_up_inlined_profile(void);

#endif
