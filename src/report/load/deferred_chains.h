#ifndef XPROF_REPORT_LOAD_DEFERRED_CHAINS_H
#define XPROF_REPORT_LOAD_DEFERRED_CHAINS_H

/*
 * Samples whose call chain is not complete yet. From Linux 6.19 on the kernel may leave the user part for
 * later: the chain of the sample ends with PERF_CONTEXT_USER_DEFERRED and a cookie, and when the thread
 * returns to user space a CALLCHAIN_DEFERRED record has the cookie and the rest.
 *
 *   sample   tid 7   [kernel] a b [deferred] cookie
 *   sample   tid 7   [kernel] c   [deferred] cookie
 *   CALLCHAIN_DEFERRED  tid 7  cookie  [user] x y       belongs to both
 *
 * If a record of the thread has another cookie than a waiting sample, the record for that sample is lost: the
 * thread has been in user space since.
 */

#include <stdbool.h>
#include <stdint.h>

#include "format/event.h"
#include "format/sample.h"

struct deferred_chains;

struct deferred_sample {
	struct event event; /* its payload is a copy, valid until the next call */
	uint64_t time_ns;   /* as it was added */
	uint64_t cookie;
};

struct deferred_chains *deferred_chains_create(void);
void deferred_chains_destroy(struct deferred_chains *chains);

/* Does the rest of the sample's chain come later? If so, sets *cookie. */
bool deferred_chains_is_awaited(const struct sample *sample, uint64_t *cookie);

/*
 * Adds a sample that waits. Returns false if too many wait already: then the sample is used with the chain
 * that it has.
 */
bool deferred_chains_add(struct deferred_chains *chains, const struct event *event,
			 const struct sample *sample, uint64_t time_ns);

/* Takes out the oldest sample of the thread. Returns 1, or 0 if none waits. */
int deferred_chains_take_thread(struct deferred_chains *chains, uint32_t tid, struct deferred_sample *sample);

/* Takes out the oldest sample of all, at the end of the recording. Returns 1, or 0 if none waits. */
int deferred_chains_take_any(struct deferred_chains *chains, struct deferred_sample *sample);

struct deferred_record { /* CALLCHAIN_DEFERRED */
	uint64_t cookie;
	const uint8_t *words; /* u64 each, in the file's byte order */
	size_t count;
};

/* Decodes a CALLCHAIN_DEFERRED. Returns 0, or -1 with err if it is truncated. */
int deferred_chains_decode(const struct event *event, struct deferred_record *record, struct error *err);

/*
 * Appends the words of the record to the chain of `sample`. The chain is valid until the next call. The
 * cookie stays in it, between both parts, as readers of such chains expect.
 */
void deferred_chains_join(struct deferred_chains *chains, struct sample *sample,
			  const struct deferred_record *record);

#endif
