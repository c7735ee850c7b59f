#ifndef XPROF_PROFILE_MARK_LOG_H
#define XPROF_PROFILE_MARK_LOG_H

/*
 * Facts about threads besides samples, for views over time: lost records, when a thread left a CPU and came back, how it waited.
 * Marks are kept in an unlinked file, like single samples (sample_log.h).
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mark_kind {
	MARK_LOST, /* up to this time, `count` records were lost because the ring of the thread's CPU was full */
	MARK_OUT,  /* the thread left the CPU; `state` says whether it was preempted */
	MARK_IN,   /* the thread is on a CPU again */
	MARK_WAIT, /* a sample of time off the CPU: from begin_ns to end_ns */
};

struct mark {
	uint64_t begin_ns, end_ns; /* on the recording's clock; equal unless it is a MARK_WAIT */
	uint64_t count;
	uint32_t pid, tid;
	uint32_t cpu; /* PROFILE_NONE: not recorded */
	uint32_t kind;
	/* numbers for mark_log_text(): "sleeping", "futex", "make"; "" if unknown */
	uint32_t state, wait, waker;
};

struct mark_log;

/* Returns NULL with err set if its file cannot be created. */
struct mark_log *mark_log_create(struct error *err);
void mark_log_destroy(struct mark_log *log);
void mark_log_clear(struct mark_log *log); /* removes everything */

/* The number of a text, which is added if it is new; "" has number 0. */
uint32_t mark_log_text_number(struct mark_log *log, const char *text);
void mark_log_add(struct mark_log *log, const struct mark *mark);

/* Call after the last addition. Returns -1 with err set if any write has failed. */
int mark_log_finish(struct mark_log *log, struct error *err);

/* In the order in which marks were added, which is nearly that of time. */
size_t mark_log_count(const struct mark_log *log);
const struct mark *mark_log_at(const struct mark_log *log, size_t number);
const char *mark_log_text(const struct mark_log *log, uint32_t number);

#endif
