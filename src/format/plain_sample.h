#ifndef XPROF_FORMAT_PLAIN_SAMPLE_H
#define XPROF_FORMAT_PLAIN_SAMPLE_H

/*
 * Removes the fields from samples that readers built on quipper (perf_to_profile, AutoFDO) refuse: registers,
 * stack dumps, AUX data and branch counters. Other fields stay byte for byte the same, in the same byte
 * order, and the attr is changed to match. A call chain can replace a stack dump.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "format/event.h"

/* Do samples of this event have any of these fields? */
bool plain_sample_changes(const struct perf_attr *attr);

/* Replaces the call chain of a sample: words in this machine's byte order, leaf first. */
struct plain_chain {
	const uint64_t *words;
	size_t count;
};

/*
 * Appends the SAMPLE record without these fields, with `chain` if it is not NULL; if the record would be too long,
 * the outermost frames are cut. Returns -1 with err set, and `out` unchanged, if the record is damaged.
 */
int plain_sample_append(struct strbuf *out, const struct event *event, const struct perf_attr *attr,
			const struct plain_chain *chain, struct error *err);

/*
 * Changes an encoded attr of `size` bytes to describe such samples. `with_chains`: samples that had a stack dump, or
 * a chain that was completed later, now have a complete chain.
 */
void plain_sample_attr(uint8_t *attr, size_t size, bool swap, bool with_chains);

#endif
