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
 * xprof's recorder marks frames as continued or assumed by repeated USER markers, which other readers ignore.
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

/*
 * PERF_CONTEXT_USER_DEFERRED, Linux 6.19: the user part follows in a later record with the cookie that is the
 * next word.
 */
#define CALLCHAIN_USER_DEFERRED ((uint64_t)-640)

struct callchain {
	const struct sample *sample;
	size_t next, end; /* positions in the sample's chain; a caller may lower `end` */

	/* The frame that callchain_next() found last: */
	uint64_t address;
	int cpumode;   /* PERF_RECORD_MISC_*; user mode if there is no marker, as in perf */
	bool is_user;  /* behind PERF_CONTEXT_USER */
	bool is_first; /* directly behind its marker: from a register; all others are return addresses from
			  the stack */
	bool is_continued; /* behind a second USER marker: xprof's recorder found it above the sample's stack dump */
	bool is_assumed;    /* behind two USER markers in a row: found under a likely assumption that was not
			       proved */
	bool behind_marker; /* the next frame is_first */
	bool behind_mark, behind_two_marks; /* the next frame is_continued, is_assumed */
};

enum { CALLCHAIN_ASSUMED_MARKS = 2 }; /* PERF_CONTEXT_USER in front of a frame that is_assumed */

struct callchain callchain_of(const struct sample *sample);

/*
 * Returns 1 with the next frame, 0 at the end, -1 at an unknown marker. perf drops a chain with an unknown marker; a
 * caller that continues gets the frames behind it with cpumode -1.
 */
int callchain_next(struct callchain *chain);

/* Stores at most `capacity` of the frames behind PERF_CONTEXT_USER. Returns their number. */
size_t callchain_user_frames(const struct sample *sample, uint64_t *frames, size_t capacity);

#endif
