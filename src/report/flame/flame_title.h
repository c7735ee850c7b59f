#ifndef XPROF_REPORT_FLAME_FLAME_TITLE_H
#define XPROF_REPORT_FLAME_FLAME_TITLE_H

/* The title of a picture: what was recorded, where, which event it draws and out of which file. */

#include "base/strbuf.h"
#include "report/view/view.h"

/*
 * Appends "./server --port 80 on build-7: cycles, perf.data". The target comes from the recorder's command
 * line: the command that it ran, "whole system (sleep 10)", "process 4711"; left out where the file does not
 * say it, like the machine. `event` may be "". Any bytes.
 */
void flame_title_add(struct strbuf *out, const struct profile_facts *facts, const char *event,
		     const char *path);

#endif
