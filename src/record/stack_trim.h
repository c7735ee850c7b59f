#ifndef XPROF_RECORD_STACK_TRIM_H
#define XPROF_RECORD_STACK_TRIM_H

/*
 * The kernel gives every stack dump the size that was asked for and says behind
 * it how many bytes it could fill (dyn_size): a thread whose stack is shallower
 * pays for the rest with zeros. A trimmed sample holds the filled bytes only. It
 * is an ordinary sample, which every reader takes as one of a smaller dump.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Can samples of such an attr be trimmed? Not when a field follows the dump that is not known here. */
bool stack_trim_applies(const struct perf_event_attr *attr);

/* Appends a PERF_RECORD_SAMPLE of `attr` to `out`, trimmed where that makes it smaller. */
void stack_trim_append(struct strbuf *out, const uint8_t *record, size_t size,
		       const struct perf_event_attr *attr);

#endif
