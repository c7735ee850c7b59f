/* Counts records in two arrays, by type and by event. The lines that it prints are perf's. */
#include "report/dump/record_stats.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "text/safe_text.h"

enum { TYPES = 256 }; /* types with names; others are UNKNOWN, and count only in the total */

struct record_stats {
	uint64_t total;
	uint64_t by_type[TYPES];
	uint64_t *samples; /* by event */
	size_t event_count, event_capacity;
};

struct record_stats *record_stats_create(void)
{
	return xcalloc(1, sizeof(struct record_stats));
}

void record_stats_destroy(struct record_stats *stats)
{
	if (!stats)
		return;
	free(stats->samples);
	free(stats);
}

static void count_sample(struct record_stats *stats, size_t event)
{
	if (event == SIZE_MAX)
		return;
	stats->samples =
		array_grow(stats->samples, &stats->event_capacity, event + 1, sizeof(*stats->samples));
	while (stats->event_count <= event)
		stats->samples[stats->event_count++] = 0;
	stats->samples[event]++;
}

void record_stats_count(struct record_stats *stats, const struct perf_file *file, const struct event *event)
{
	stats->total++;
	if (event->type < TYPES)
		stats->by_type[event->type]++;
	if (event->type == PERF_RECORD_SAMPLE)
		count_sample(stats, perf_file_event_of(file, event));
}

void record_stats_add(struct strbuf *out, const struct record_stats *stats, const struct perf_file *file)
{
	char buffer[24];

	strbuf_addf(out, "\nAggregated stats:\n%16s events: %10" PRIu64 "\n", "TOTAL", stats->total);
	for (uint32_t type = 1; type < TYPES; type++)
		if (stats->by_type[type])
			strbuf_addf(out, "%16s events: %10" PRIu64 "  (%4.1f%%)\n",
				    event_type_name(type, buffer), stats->by_type[type],
				    100.0 * (double)stats->by_type[type] / (double)stats->total);
	for (size_t event = 0; event < stats->event_count; event++) {
		if (!stats->samples[event])
			continue;
		safe_text_add(out, perf_file_event(file, event)->name);
		strbuf_addf(out, " stats:\n%16s events: %10" PRIu64 "\n", "SAMPLE", stats->samples[event]);
	}
}
