#ifndef XPROF_REPORT_WAITS_WAIT_TEXT_H
#define XPROF_REPORT_WAITS_WAIT_TEXT_H

/* The words of a sample of time off the CPU for the keys state, wait, waker and wait_time. */

#include "base/strbuf.h"
#include "format/off_cpu_wait.h"
#include "profile/sample_keys.h"

static inline bool wait_text_is_key(enum sample_key key)
{
	return key >= SAMPLE_KEY_STATE && key <= SAMPLE_KEY_WAIT_TIME;
}

/*
 * Appends the text of a key. `wait` is NULL for samples of other events, in which threads ran: their state is
 * "running". A waker is shown by the name of its thread or, if it is not a thread, by its kind in brackets.
 * Durations are shown as classes (wait_class.h).
 */
void wait_text_add(struct strbuf *out, enum sample_key key, const struct off_cpu_wait *wait);

/* Appends the text of a waker. */
void wait_text_add_waker(struct strbuf *out, const struct off_cpu_waking *waker);

#endif
