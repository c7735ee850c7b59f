#ifndef XPROF_TEST_SUPPORT_DRAWN_VIEW_H
#define XPROF_TEST_SUPPORT_DRAWN_VIEW_H

/* Draws a view of a whole profile. */

#include "report/view/view.h"

/* Destroys the profile. `facts` may be NULL. Free the result with strbuf_fini(). */
struct strbuf drawn_view(const struct view *view, struct profile *profile, const struct profile_facts *facts,
			 const void *options);

#endif
