#ifndef XPROF_FORMAT_PLAIN_SAMPLE_H
#define XPROF_FORMAT_PLAIN_SAMPLE_H

/*
 * Samples without the fields that readers built on quipper (perf_to_profile, AutoFDO) refuse: registers,
 * stack dumps, AUX data and branch counters. The other fields stay byte for byte the same, in the same byte
 * order, and the attr says that these are missing. A call chain can take the place of a stack dump.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "format/event.h"

/* Has its samples any of these fields? */
bool plain_sample_changes(const struct perf_attr *attr);

/* In place of a sample's call chain: words in this machine's byte order, leaf first. */
struct plain_chain {
	const uint64_t *words;
	size_t count;
};

/*
 * Appends the SAMPLE record without them, with the chain where that is not NULL; of one that is too long for a record
 * the outermost frames are cut. -1 when the record is damaged; `out` is as it was then.
 */
int plain_sample_append(struct strbuf *out, const struct event *event, const struct perf_attr *attr,
			const struct plain_chain *chain, struct error *err);

/*
 * Changes an attr as a file has it, of `size` bytes, so that it describes such samples. `with_chains`: those that had
 * a stack dump, or a chain that was completed later, have a whole chain now.
 */
void plain_sample_attr(uint8_t *attr, size_t size, bool swap, bool with_chains);

#endif
