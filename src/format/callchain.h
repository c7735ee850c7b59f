#ifndef XPROF_FORMAT_CALLCHAIN_H
#define XPROF_FORMAT_CALLCHAIN_H

/*
 * The frames of a sample's callchain, one by one.
 *
 *   KERNEL  a  b  c  USER  x  y  USER  z        words, leaf first; capitals are markers
 *   └ kernel mode ┘  └ user mode ┘└ continued ┘
 *
 *   USER  x  USER  USER  y  z                    y is assumed, z is not
 *
 * xprof's recorder says so of frames by markers that change nothing for readers that do not know that.
 *
 *	struct callchain chain = callchain_of(sample);
 *	while (callchain_next(&chain) == 1)
 *		use(chain.address, chain.cpumode);
 */

#include <linux/perf_event.h>
#include <stdbool.h>

#include "format/sample.h"

/* enum perf_callchain_context, linux/perf_event.h: words from PERF_CONTEXT_MAX on are markers, not addresses. */
static inline bool callchain_is_marker(uint64_t word)
{
	return word >= (uint64_t)PERF_CONTEXT_MAX;
}

/* PERF_CONTEXT_USER_DEFERRED, Linux 6.19: the user part follows later, under the cookie that is the next word. */
#define CALLCHAIN_USER_DEFERRED ((uint64_t)-640)

struct callchain {
	const struct sample *sample;
	size_t next, end; /* words of the sample's chain; a caller may lower the end */

	/* The frame that callchain_next() found last: */
	uint64_t address;
	int cpumode;   /* PERF_RECORD_MISC_*; user space where no marker stands in front, as in perf */
	bool is_user;  /* behind PERF_CONTEXT_USER */
	bool is_first; /* behind its marker: taken out of registers, the others were read off the stack */
	bool is_continued; /* behind a second marker of user space: xprof's recorder found it above the sample's dump */
	bool is_assumed;    /* behind two more of them: found by what is likely to hold, but was not proved */
	bool behind_marker; /* the next frame is_first */
	bool behind_mark, behind_two_marks; /* it is_continued, is_assumed */
};

enum { CALLCHAIN_ASSUMED_MARKS = 2 }; /* PERF_CONTEXT_USER in front of a frame that is_assumed */

struct callchain callchain_of(const struct sample *sample);

/*
 * 1: a frame, 0: no more, -1: a marker that is not known. perf drops a chain with such a marker; a caller that calls again
 * gets the frames behind it, whose cpumode is -1.
 */
int callchain_next(struct callchain *chain);

/* The frames behind PERF_CONTEXT_USER, at most `capacity`, and their number. */
size_t callchain_user_frames(const struct sample *sample, uint64_t *frames, size_t capacity);

#endif
