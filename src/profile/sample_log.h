#ifndef XPROF_PROFILE_SAMPLE_LOG_H
#define XPROF_PROFILE_SAMPLE_LOG_H

/*
 * A log of every sample of a recording: its time, its weight, and the number of the profile's merged sample to which it
 * was added. A profile has no times, and a timeline has them only in slots. The log is in an unlinked file, because it
 * has as many entries as there are samples; a million take 24 MB.
 *
 *     log = sample_log_create(&err);
 *     sample_log_add(log, time_ns, sample, stack, weight);
 *     sample_log_finish(log, &err);
 *     for (size_t i = 0; i < sample_log_count(log); i++)
 *             draw(sample_log_at(log, i));
 */

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SAMPLE_LOG_NO_TIME UINT64_MAX

struct logged_sample {
	uint64_t time_ns; /* on the recording's clock; SAMPLE_LOG_NO_TIME: not recorded */
	uint64_t weight;
	uint32_t sample; /* number of the profile's sample */
	uint32_t stack;  /* its stack, also if the profile's sample has none (sample_sums.h) */
};

struct sample_log;

/* Returns NULL with err set if its file cannot be created. */
struct sample_log *sample_log_create(struct error *err);
void sample_log_destroy(struct sample_log *log);
void sample_log_clear(struct sample_log *log); /* removes everything */

void sample_log_add(struct sample_log *log, uint64_t time_ns, uint32_t sample, uint32_t stack,
		    uint64_t weight);

/*
 * Gives up the memory of the samples that were read: they remain in the file. Call it after each SAMPLE_LOG_STRIDE samples that
 * were read in their order, or the memory of the process grows to the size of the log.
 */
enum { SAMPLE_LOG_STRIDE = 1 << 20 };
void sample_log_release(const struct sample_log *log);

/* Changes numbers: `samples` and `stacks` have the new number for each old one. NULL: they stay. */
void sample_log_renumber(struct sample_log *log, const uint32_t *samples, const uint32_t *stacks);

/* Call after the last addition. Returns -1 with err set if any write has failed. */
int sample_log_finish(struct sample_log *log, struct error *err);

/*
 * Puts the samples into order of time; those of the same time keep their order, those without a time come last. Needs 56
 * bytes for each of the samples between two places that no sample has to pass, mostly those of a round of the recorder. Call it
 * after sample_log_finish().
 */
void sample_log_sort(struct sample_log *log);

/* In the order in which samples were added, which is nearly that of time, until sample_log_sort(). */
size_t sample_log_count(const struct sample_log *log);
const struct logged_sample *sample_log_at(const struct sample_log *log, size_t number);

#endif
