/*
 * script_events_learn() looks at events that are new since its last call. As in perf, the fields of a file are checked against
 * the first event of each type, those of a pipe against every event.
 */
#include "report/script/script_events.h"

#include <linux/perf_event.h>

#include "format/perf_abi.h"

static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

static int check_clock(const struct script_events *events, const struct script_fields *fields,
		       const struct perf_attr *attr, struct error *err)
{
	if (!script_has(fields, attr, SCRIPT_TOD) || perf_file_mode(events->file) == PERF_FILE_PIPE ||
	    perf_file_features(events->file)->clock_id >= 0)
		return 0;
	return error_set(err,
			 "'tod': the recording does not relate its times to the time of day: record with -k "
			 "CLOCK (-k monotonic)");
}

static uint64_t branch_filter(const struct script_events *events)
{
	uint64_t filter = 0;

	if (perf_file_mode(events->file) == PERF_FILE_PIPE)
		filter = BRANCH_COUNTERS; /* an event that records them may come later */
	for (size_t i = 0; i < perf_file_event_count(events->file); i++)
		filter |= perf_file_event(events->file, i)->attr.branch_sample_type;
	return filter;
}

/* As perf: checks the fields against the first event of each type; in a pipe, against every event as it comes. */
static int check_event(struct script_events *events, struct script_fields *fields,
		       const struct event_desc *desc, struct error *err)
{
	const bool in_pipe = perf_file_mode(events->file) == PERF_FILE_PIPE;
	const uint64_t *features = perf_file_features(events->file)->present;
	const uint64_t type_bit = (uint64_t)1 << script_type_of(&desc->attr);

	if (is_dummy(&desc->attr) || features[0] >> HEADER_STAT & 1)
		return 0;
	if (in_pipe || !(events->checked_types & type_bit)) {
		if (script_fields_check(fields, &desc->attr, desc->name, features[0] >> HEADER_AUXTRACE & 1,
					err) != 0)
			return -1;
	}
	if (check_clock(events, fields, &desc->attr, err) != 0)
		return -1;
	if (!(features[0] >> HEADER_AUXTRACE & 1) &&
	    script_fields_check_branches(fields, &desc->attr, branch_filter(events), err) != 0)
		return -1;
	events->checked_types |= type_bit;
	if (events->with_callchains)
		script_fields_add_callchain(fields, &desc->attr, in_pipe);
	return 0;
}

/*
 * Kernels before 2.6.38 gave times to samples only. perf then takes records in the file's order, as it does if nothing has a
 * time.
 */
static bool is_timeless(const struct script_events *events)
{
	const size_t count = perf_file_event_count(events->file);
	bool any_time = false;

	for (size_t i = 0; i < count; i++)
		if (perf_file_event(events->file, i)->attr.sample_type & PERF_SAMPLE_TIME)
			any_time = true;
	if (perf_file_mode(events->file) == PERF_FILE_PIPE || count == 0)
		return !any_time;
	return !any_time || !perf_attr_has(&perf_file_event(events->file, 0)->attr, PERF_ATTR_SAMPLE_ID_ALL);
}

static int check_cpus(const struct script_events *events, struct error *err)
{
	const size_t count = perf_file_event_count(events->file);

	if (perf_file_mode(events->file) == PERF_FILE_PIPE)
		return 0; /* more events may come */
	for (size_t i = 0; i < count; i++)
		if (perf_file_event(events->file, i)->attr.sample_type & PERF_SAMPLE_CPU)
			return 0;
	return error_set(err, "%s: its samples do not say on which CPU they were taken: leave out -C",
			 perf_file_path(events->file));
}

int script_events_learn(struct script_events *events, struct script_style *style, struct error *err)
{
	const size_t count = perf_file_event_count(events->file);

	if (count == events->count)
		return 0;
	if (events->by_cpu && check_cpus(events, err) != 0)
		return -1;
	for (; events->count < count; events->count++) {
		const struct event_desc *desc = perf_file_event(events->file, events->count);

		if (check_event(events, &style->fields, desc, err) != 0)
			return -1;
		if (desc->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			events->any_callchain = true;
	}
	events->timeless = is_timeless(events);
	style->callchains = events->with_callchains && events->any_callchain;
	return 0;
}
