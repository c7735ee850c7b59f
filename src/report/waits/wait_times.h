#ifndef XPROF_REPORT_WAITS_WAIT_TIMES_H
#define XPROF_REPORT_WAITS_WAIT_TIMES_H

/*
 * The durations of waits of a profile's samples, by class (wait_class.h). A profile adds up equal samples and
 * does not keep durations; this keeps a sum for each sample of the profile and class. Filled while a
 * recording is loaded.
 *
 *     wait_times_add(times, sample, duration_ns, weight);     for each sample of the recording
 *     wait_times_renumber(times, numbers); wait_times_finish(times);
 *     wait_times_sum(times, sample, classes);                 for those of a row
 */

#include <stdint.h>

#include "report/waits/wait_class.h"

struct wait_times;

/*
 * A sample of a wait longer than the period counts as one wait; a sample of a shorter wait as many waits as
 * fit into the period. So `waits` is an estimate; the time is an exact sum.
 */
struct wait_sum {
	uint64_t samples;
	uint64_t time_ns;
	double waits;
};

struct wait_times *wait_times_create(void);
void wait_times_destroy(struct wait_times *times);
void wait_times_clear(struct wait_times *times); /* removes all sums */

/*
 * Adds a sample of the recording that is sample number `sample` of the profile and stands for `weight_ns` of
 * time.
 */
void wait_times_add(struct wait_times *times, uint32_t sample, uint64_t duration_ns, uint64_t weight_ns);

/* Renumbers the samples: `numbers` has the new number for each old one. */
void wait_times_renumber(struct wait_times *times, const uint32_t *numbers);

/* Call it after the last addition, before wait_times_sum(). */
void wait_times_finish(struct wait_times *times);

/* Adds the sums of a sample of the profile to `classes`; nothing if it is not a wait. */
void wait_times_sum(const struct wait_times *times, uint32_t sample, struct wait_sum classes[WAIT_CLASSES]);

#endif
