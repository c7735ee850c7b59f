#ifndef XPROF_REPORT_WAITS_WAIT_TIMES_H
#define XPROF_REPORT_WAITS_WAIT_TIMES_H

/*
 * How long the waits were that a profile's samples stand for, by class (wait_class.h). A profile adds equal samples up and has no
 * room for durations; this has a sum for each sample of the profile and class. Filled while a recording is loaded.
 *
 *     wait_times_add(times, sample, duration_ns, weight);     for each sample of the recording
 *     wait_times_renumber(times, numbers); wait_times_finish(times);
 *     wait_times_sum(times, sample, classes);                 for those of a row
 */

#include <stdint.h>

#include "report/waits/wait_class.h"

struct wait_times;

/*
 * A sample of a wait that is as long as the period or longer stands for that wait; a sample of a shorter one for as many of its
 * kind as fit into the period. So `waits` is an estimate, and the time an exact sum.
 */
struct wait_sum {
	uint64_t samples;
	uint64_t time_ns;
	double waits;
};

struct wait_times *wait_times_create(void);
void wait_times_destroy(struct wait_times *times);
void wait_times_clear(struct wait_times *times); /* as it was created */

/* Of sample number `sample` of the profile; `weight_ns` is the time that the recording's sample stands for. */
void wait_times_add(struct wait_times *times, uint32_t sample, uint64_t duration_ns, uint64_t weight_ns);

/* Samples have new numbers: `numbers` by old ones. */
void wait_times_renumber(struct wait_times *times, const uint32_t *numbers);

/* After the last addition, and before the first sum is asked for. */
void wait_times_finish(struct wait_times *times);

/* Adds what is known of a sample of the profile to `classes`; nothing for a sample that is no wait. */
void wait_times_sum(const struct wait_times *times, uint32_t sample, struct wait_sum classes[WAIT_CLASSES]);

#endif
