#ifndef XPROF_PROFILE_MARK_LOG_H
#define XPROF_PROFILE_MARK_LOG_H

/*
 * The facts about a thread that a recording has besides samples, for views over time: where records were lost, when the thread left a CPU and
 * came back, how it waited. Marks are kept in an unlinked file, as single samples are (sample_log.h).
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mark_kind {
	MARK_LOST, /* the ring that the thread's CPU writes to had no room for `count` records, up to this time */
	MARK_OUT,  /* it left the CPU; `state` says whether it was preempted */
	MARK_IN,   /* it has a CPU again */
	MARK_WAIT, /* a sample of time off the CPU: from begin_ns to end_ns */
};

struct mark {
	uint64_t begin_ns, end_ns; /* on the recording's clock; equal unless it is a MARK_WAIT */
	uint64_t count;
	uint32_t pid, tid;
	uint32_t cpu; /* PROFILE_NONE: not recorded */
	uint32_t kind;
	uint32_t state, wait,
		waker; /* mark_log_text(), "" where it is not known: "sleeping", "futex", "make" */
};

struct mark_log;

/* NULL with an error if there is no room for its file. */
struct mark_log *mark_log_create(struct error *err);
void mark_log_destroy(struct mark_log *log);
void mark_log_clear(struct mark_log *log); /* as it was created */

/* The number of a text; that of "" is 0. */
uint32_t mark_log_text_number(struct mark_log *log, const char *text);
void mark_log_add(struct mark_log *log, const struct mark *mark);

/* After the last addition. -1 if the file could not be written, at any time before. */
int mark_log_finish(struct mark_log *log, struct error *err);

/* In the order in which marks were added, which is nearly that of time. */
size_t mark_log_count(const struct mark_log *log);
const struct mark *mark_log_at(const struct mark_log *log, size_t number);
const char *mark_log_text(const struct mark_log *log, uint32_t number);

#endif
