#ifndef XPROF_REPORT_FLAME_FLAME_COMMAND_H
#define XPROF_REPORT_FLAME_FLAME_COMMAND_H

/* From a picture back to numbers: the xprof report command that reads the same samples. */

#include "base/strbuf.h"
#include "report/flame/flame_options.h"

/*
 * Appends the options of the xprof report whose table has the picture's functions with the same sums and shares, as JSON:
 * [["-i", "perf.data"], ...], or "null" for folded text, which xprof report does not read. The page makes a command of them and
 * of the user's choices there. `event`: the one that was drawn; "": none.
 */
void flame_command_add(struct strbuf *out, const struct flame_options *options, const char *event);

#endif
