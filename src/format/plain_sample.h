#ifndef XPROF_FORMAT_PLAIN_SAMPLE_H
#define XPROF_FORMAT_PLAIN_SAMPLE_H

/*
 * Samples without the fields that readers built on quipper (perf_to_profile, AutoFDO) refuse:
 * registers, stack dumps, AUX data and branch counters. What is left is byte for byte what it
 * was, in the byte order it was in, and the attr says that the rest is not there.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "format/event.h"

/* Has its samples any of these fields? */
bool plain_sample_changes(const struct perf_attr *attr);

/* Appends the SAMPLE record without them. -1 when it is damaged; `out` is as it was then. */
int plain_sample_append(struct strbuf *out, const struct event *event, const struct perf_attr *attr,
			struct error *err);

/* Changes an attr as a file has it, of `size` bytes, so that it describes such samples. */
void plain_sample_attr(uint8_t *attr, size_t size, bool swap);

#endif
