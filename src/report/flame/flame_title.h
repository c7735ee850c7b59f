#ifndef XPROF_REPORT_FLAME_FLAME_TITLE_H
#define XPROF_REPORT_FLAME_FLAME_TITLE_H

/* The title of a picture: what was recorded, where, which event is drawn, and from which file. */

#include "base/strbuf.h"
#include "report/view/view.h"

/*
 * Appends "./server --port 80 on build-7: cycles, perf.data", any bytes. The target comes from the recorder's command line: the
 * command that it ran, "whole system (sleep 10)", or "process 4711". Target and machine are left out if the file does not name
 * them. `event` may be "".
 */
void flame_title_add(struct strbuf *out, const struct profile_facts *facts, const char *event,
		     const char *path);

#endif
