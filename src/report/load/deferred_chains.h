#ifndef XPROF_REPORT_LOAD_DEFERRED_CHAINS_H
#define XPROF_REPORT_LOAD_DEFERRED_CHAINS_H

/*
 * Samples whose call chain is not complete yet. From Linux 6.19 on the kernel may
 * leave the user part for later: the chain of the sample ends with
 * PERF_CONTEXT_USER_DEFERRED and a cookie, and when the thread returns to user
 * space a CALLCHAIN_DEFERRED record has the cookie and the rest.
 *
 *   sample   tid 7   [kernel] a b [deferred] cookie
 *   sample   tid 7   [kernel] c   [deferred] cookie
 *   CALLCHAIN_DEFERRED  tid 7  cookie  [user] x y       belongs to both
 *
 * A record with another cookie means that the one of a sample is lost: the
 * thread has been in user space since.
 */

#include <stdbool.h>
#include <stdint.h>

#include "format/event.h"
#include "format/sample.h"

struct deferred_chains;

struct deferred_sample {
	struct event event; /* its payload is a copy, valid until the next call */
	uint64_t time_ns;   /* what it was added with */
	uint64_t cookie;
};

struct deferred_chains *deferred_chains_create(void);
void deferred_chains_destroy(struct deferred_chains *chains);

/* Does a part of the sample's chain come later? */
bool deferred_chains_is_awaited(const struct sample *sample, uint64_t *cookie);

/* False when too many wait already: then the sample has to do without. */
bool deferred_chains_add(struct deferred_chains *chains, const struct event *event,
			 const struct sample *sample, uint64_t time_ns);

/* Takes out the first that waits for the thread; 1, or 0: none does. */
int deferred_chains_take_thread(struct deferred_chains *chains, uint32_t tid, struct deferred_sample *sample);

/* Takes out the first of all, for what has not come when the recording ends; 1 or 0. */
int deferred_chains_take_any(struct deferred_chains *chains, struct deferred_sample *sample);

struct deferred_record { /* CALLCHAIN_DEFERRED */
	uint64_t cookie;
	const uint8_t *words; /* u64 each, in the file's byte order */
	size_t count;
};

/* -1 when it is shorter than it says. */
int deferred_chains_decode(const struct event *event, struct deferred_record *record, struct error *err);

/*
 * The chain of `sample` gets the words of the record behind its own. They are valid until the next call; the sample's
 * cookie stays in front of them, as a reader of such chains expects.
 */
void deferred_chains_join(struct deferred_chains *chains, struct sample *sample,
			  const struct deferred_record *record);

#endif
