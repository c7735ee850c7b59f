#ifndef XPROF_TEST_CONTINUED_USER_FRAMES_H
#define XPROF_TEST_CONTINUED_USER_FRAMES_H

/* The user part of a stack, and the comparison of a recorded one with the true one. */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum { USER_FRAMES_MAX = 65536 };

struct user_frames {
	uint64_t frames[USER_FRAMES_MAX]; /* leaf first */
	size_t count;
	size_t marked_from; /* the first marked frame; == count: none */
	bool is_whole;      /* reaches the start of the thread */
};

/*
 * Reads the user frames of a sample's chain. The chain is whole if the sample was written with it alone, without registers and a
 * dump.
 */
void user_frames_of_chain(struct user_frames *user, const struct strbuf *record,
			  const struct perf_event_attr *attr);

struct judged_frames {
	uint64_t marked, wrong_marked;
	uint64_t unmarked, wrong_unmarked;
	uint64_t wrong_stacks; /* stacks with a wrong frame */
};

/* Counts callers that are missing in a stack marked as whole as wrong. */
void judge_frames(struct judged_frames *judged, const struct user_frames *found,
		  const struct user_frames *truth);

#endif
