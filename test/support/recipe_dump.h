#ifndef XPROF_TEST_SUPPORT_RECIPE_DUMP_H
#define XPROF_TEST_SUPPORT_RECIPE_DUMP_H

#include "support/record_recipe.h"

/* Checks that each record is dumped as its recipe says, in either byte order, with its whole sample_id if it has one. */
void recipe_dump_check(const struct record_recipe recipes[]);

/*
 * Checks that each record, cut anywhere, is dumped with what is wrong and without reads behind its end, which a sanitizer
 * notices.
 */
void recipe_dump_check_cut(const struct record_recipe recipes[]);

#endif
