/* The log is an array in a file (base/spool_array). */
#include "profile/sample_log.h"

#include <stdlib.h>

#include "base/spool_array.h"
#include "base/xalloc.h"

struct sample_log {
	struct spool_array array;
};

struct sample_log *sample_log_create(struct error *err)
{
	struct sample_log *log = xcalloc(1, sizeof(*log));

	if (spool_array_init(&log->array, "the times of samples", sizeof(struct logged_sample), err) == 0)
		return log;
	free(log);
	return NULL;
}

void sample_log_destroy(struct sample_log *log)
{
	if (!log)
		return;
	spool_array_fini(&log->array);
	free(log);
}

void sample_log_clear(struct sample_log *log)
{
	spool_array_clear(&log->array);
}

void sample_log_add(struct sample_log *log, uint64_t time_ns, uint32_t sample, uint32_t stack,
		    uint64_t weight)
{
	spool_array_add(&log->array,
			&(struct logged_sample){
				.time_ns = time_ns, .weight = weight, .sample = sample, .stack = stack });
}

void sample_log_renumber(struct sample_log *log, const uint32_t *samples, const uint32_t *stacks)
{
	struct logged_sample *items;

	spool_array_map(&log->array);
	items = log->array.items;
	for (size_t i = 0; items && i < log->array.count; i++) {
		if (samples)
			items[i].sample = samples[items[i].sample];
		if (stacks && items[i].stack != UINT32_MAX)
			items[i].stack = stacks[items[i].stack];
		if (i % SAMPLE_LOG_STRIDE == 0)
			sample_log_release(log);
	}
}

void sample_log_release(const struct sample_log *log)
{
	spool_array_release(&log->array);
}

int sample_log_finish(struct sample_log *log, struct error *err)
{
	return spool_array_finish(&log->array, err);
}

size_t sample_log_count(const struct sample_log *log)
{
	return log->array.items ? log->array.count : 0;
}

const struct logged_sample *sample_log_at(const struct sample_log *log, size_t number)
{
	return (const struct logged_sample *)log->array.items + number;
}
