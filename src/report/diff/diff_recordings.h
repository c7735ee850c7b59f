#ifndef XPROF_REPORT_DIFF_DIFF_RECORDINGS_H
#define XPROF_REPORT_DIFF_DIFF_RECORDINGS_H

/*
 * The recordings of one side of a diff: usually one, or several of the same program, which show how much runs
 * differ.
 */

#include "report/diff/diff_result.h"
#include "report/view/recording_input.h"

struct diff_recording {
	char *path;
	struct recording_input input;
	struct frame_table frames;
	struct timeline *timeline; /* when its samples were taken */
	bool is_open;
	uint32_t event; /* the chosen event; PROFILE_NONE: not chosen yet */
	double divisor; /* sums are divided by it */
};

struct diff_recordings {
	struct diff_recording *list;
	size_t count, capacity;
};

/*
 * Adds a file, or several with commas between them. If a file has the whole text as its name, it is that one.
 */
void diff_recordings_add(struct diff_recordings *side, const char *text);

/* Opens all recordings; request->path is ignored. Returns 0, or -1 with err. */
int diff_recordings_open(struct diff_recordings *side, const struct recording_request *request,
			 struct error *err);
/* Opens all again after diff_recordings_open(), to use files that were downloaded since. */
int diff_recordings_open_again(struct diff_recordings *side, const struct recording_request *request,
			       struct error *err);
void diff_recordings_close(struct diff_recordings *side);

/*
 * For open sides: functions without names are compared by their offsets if both sides have the same build of
 * the DSO (dso_builds.h); otherwise all of them in a DSO count as one function. `pairs` may be NULL.
 */
void diff_recordings_match_builds(struct diff_recordings sides[COMPARE_SIDES],
				  const struct name_pairs *pairs);

/* The profile of the first recording, which decides the events. */
const struct profile *diff_recordings_profile(const struct diff_recordings *side);

bool diff_recordings_have_callchains(const struct diff_recordings *side);

/*
 * Chooses event number `event` of the first recording, and events of the same name in the others. Returns 0,
 * or -1 with err.
 */
int diff_recordings_choose_event(struct diff_recordings *side, uint32_t event, struct error *err);
const char *diff_recordings_event_name(const struct diff_recordings *side);

/* Sums of samples, weights and squares of weights of the chosen event over all recordings. */
struct profile_event diff_recordings_event(const struct diff_recordings *side);

/*
 * Sets the divisor of each recording. `work` is the work done in each, unless the event `work_event` (NULL:
 * none) has counted it. Sets *divisor to the sum of the divisors. Returns 0, or -1 with err.
 */
int diff_recordings_divide(struct diff_recordings *side, enum diff_normalize normalize, double work,
			   const char *work_event, double *divisor, struct error *err);

#endif
