#ifndef XPROF_TEST_SUPPORT_RECIPE_DUMP_H
#define XPROF_TEST_SUPPORT_RECIPE_DUMP_H

#include "support/record_recipe.h"

/* Each is shown as it says, in either byte order, with all of its sample_id where it has one. */
void recipe_dump_check(const struct record_recipe recipes[]);

/* Cut anywhere, each is shown without reading behind its end (which only a sanitizer sees), and with what is wrong. */
void recipe_dump_check_cut(const struct record_recipe recipes[]);

#endif
