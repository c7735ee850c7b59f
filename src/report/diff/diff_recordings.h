#ifndef XPROF_REPORT_DIFF_DIFF_RECORDINGS_H
#define XPROF_REPORT_DIFF_DIFF_RECORDINGS_H

/* The recordings of one side of a diff: one as a rule, or several of the same, which tell how much runs differ. */

#include "report/diff/diff_result.h"
#include "report/view/recording_input.h"

struct diff_recording {
	char *path;
	struct recording_input input;
	struct frame_table frames;
	struct timeline *timeline; /* when its samples were taken */
	bool is_open;
	uint32_t event; /* that is looked at; PROFILE_NONE until it is chosen */
	double divisor; /* of its sums */
};

struct diff_recordings {
	struct diff_recording *list;
	size_t count, capacity;
};

/* A file, or several with commas between them; a file whose name has commas in it is believed to be meant. */
void diff_recordings_add(struct diff_recordings *side, const char *text);

/* Opens all of them; what the request says of a path is not looked at. */
int diff_recordings_open(struct diff_recordings *side, const struct recording_request *request,
			 struct error *err);
/* After diff_recordings_open(), with what has been downloaded since. */
int diff_recordings_open_again(struct diff_recordings *side, const struct recording_request *request,
			       struct error *err);
void diff_recordings_close(struct diff_recordings *side);

/*
 * Of both sides, open: functions without a name stay apart only where they can be told by their offsets (dso_builds.h),
 * else all of a DSO that has no name is one. `pairs` may be NULL.
 */
void diff_recordings_match_builds(struct diff_recordings sides[COMPARE_SIDES],
				  const struct name_pairs *pairs);

/* The first recording decides which events there are. */
const struct profile *diff_recordings_profile(const struct diff_recordings *side);

bool diff_recordings_have_callchains(const struct diff_recordings *side);

/* The event of the first one under this number, and those of the others that are called like it. */
int diff_recordings_choose_event(struct diff_recordings *side, uint32_t event, struct error *err);
const char *diff_recordings_event_name(const struct diff_recordings *side);

/* Samples, weights and their squares of the chosen event, of all recordings. */
struct profile_event diff_recordings_event(const struct diff_recordings *side);

/*
 * Sets what each one's sums are divided by; `work` is what was done in each, unless an event of the name `work_event`
 * (NULL: none) has counted it. The sum is returned in *divisor.
 */
int diff_recordings_divide(struct diff_recordings *side, enum diff_normalize normalize, double work,
			   const char *work_event, double *divisor, struct error *err);

#endif
