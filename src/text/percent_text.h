#ifndef XPROF_TEXT_PERCENT_TEXT_H
#define XPROF_TEXT_PERCENT_TEXT_H

/* Shares as tables write them: "12.34%". A long table has a hundred thousand. */

#include "base/strbuf.h"

/* Appends what printf's "%.2f%%" comes to, ties and all. */
void percent_text_add(struct strbuf *buf, double percent);

#endif
