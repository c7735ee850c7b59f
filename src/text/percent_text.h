#ifndef XPROF_TEXT_PERCENT_TEXT_H
#define XPROF_TEXT_PERCENT_TEXT_H

/* Percentages for tables: "12.34%". Faster than printf(), since a long table has a hundred thousand. */

#include "base/strbuf.h"

/* Appends the same text as printf's "%.2f%%", including how ties are rounded. */
void percent_text_add(struct strbuf *buf, double percent);

#endif
