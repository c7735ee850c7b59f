/* Takes the times from the header if it has them; else a second reader of the file decodes all samples. */
#include "report/load/sample_times.h"

#include "format/event.h"
#include "format/sample.h"

static void note(struct sample_times *times, const struct perf_file *file, const struct event *event)
{
	const struct event_desc *desc = perf_file_event(file, perf_file_event_of(file, event));
	struct sample sample;

	if (!desc || sample_decode(&sample, event, &desc->attr, NULL) || !(sample.present & PERF_SAMPLE_TIME))
		return;
	if (!times->last_ns || sample.time_ns < times->first_ns)
		times->first_ns = sample.time_ns;
	if (sample.time_ns > times->last_ns)
		times->last_ns = sample.time_ns;
}

static int go_through(const struct perf_file *opened, struct sample_times *times, struct error *err)
{
	struct perf_file *file = perf_file_open_again(opened, err);
	struct event event;
	int more;

	if (!file)
		return -1;
	while ((more = perf_file_next(file, &event, err)) == 1)
		if (event.type == PERF_RECORD_SAMPLE)
			note(times, file, &event);
	perf_file_close(file);
	return more;
}

int sample_times_find(const struct perf_file *file, struct sample_times *times, struct error *err)
{
	const struct perf_features *features = perf_file_features(file);

	*times = (struct sample_times){ features->first_sample_ns, features->last_sample_ns };
	if (times->last_ns || perf_file_mode(file) == PERF_FILE_PIPE)
		return 0;
	return go_through(file, times, err);
}

int sample_times_ranges(const struct perf_file *file, const char *text, struct time_ranges *ranges,
			struct error *err)
{
	struct sample_times bounds = { 0, 0 };

	if (!text)
		return 0;
	if (time_ranges_need_bounds(text) && sample_times_find(file, &bounds, err))
		return -1;
	if (time_ranges_parse(ranges, text, bounds.first_ns, bounds.last_ns, err))
		return error_wrap(err, "--time");
	return 0;
}
