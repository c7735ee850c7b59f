#ifndef XPROF_REPORT_VIEW_HEADER_TASK_H
#define XPROF_REPORT_VIEW_HEADER_TASK_H

/*
 * The trust header, written in a thread while the view below it is drawn: it asks the machine what stands against
 * missing names, which takes its time, and the view asks the profile alone. It is the last that asks the symbolizer,
 * whose many files are closed behind it in the same thread.
 */

#include "report/view/trust_header.h"

struct header_task;

/*
 * Takes the profile's symbolizer, which the caller must not use any more; until the caller has waited for the
 * header, the profile must not change. Without any lines the header is empty.
 */
struct header_task *header_task_start(struct loaded_profile *loaded, unsigned int lines);

/* The header with a line "#" behind it, once it is written. Valid as long as the object. */
const struct strbuf *header_task_wait(struct header_task *task);

/* Waits, too. */
void header_task_destroy(struct header_task *task);

#endif
