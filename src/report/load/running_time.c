/*
 * Computes running time from samples of clock events, whose periods are nanoseconds, or from the number of samples of
 * cycles, which the kernel takes at a fixed rate of running time. Uncertain results are dropped: see running_time_find().
 */
#include "report/load/running_time.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	MAX_HARDWARE_EVENTS = 4, /* more may take turns on the counters, so that their samples are too few */
	LEAST_SPAN_MS = 100,     /* a few samples tell little */
};

static const double tick_s = 0.01; /* the coarsest timer of kernels: 100 Hz */

static const double mostly = 0.5, mostly_by_rate = 0.4; /* the rate takes some samples to settle */

/* --- the recorder's options ------------------------------------------------- */

/* Whether the word is that option: "-p", "-gp", "-p12", "--pid=12". A letter of '\0': it has only a long name. */
static bool is_option(const char *word, char letter, const char *name)
{
	static const char flags[] =
		"abdgnqRrsvWz"; /* short options without an argument, which others may follow */
	const size_t length = strlen(name);

	if (word[0] != '-')
		return false;
	if (word[1] == '-')
		return strncmp(word + 2, name, length) == 0 && (!word[2 + length] || word[2 + length] == '=');
	for (word++; *word; word++) {
		if (*word == letter)
			return true;
		if (!strchr(flags, *word))
			break;
	}
	return false;
}

static bool has_option(const struct profile_facts *facts, char letter, const char *name)
{
	for (size_t i = 1; i < facts->command_line_count; i++) {
		const char *word = facts->command_line[i];

		if (strcmp(word, "--") == 0)
			break;
		if (is_option(word, letter, name))
			return true;
	}
	return false;
}

/* simpleperf has options of its own that leave out samples. */
static bool is_by_simpleperf(const struct profile_facts *facts)
{
	const char *recorder = facts->command_line_count ? facts->command_line[0] : "";

	return strncmp(basename(recorder), "simpleperf", strlen("simpleperf")) == 0;
}

/* Whether an option leaves out samples. A word of the recorded command may be mistaken for one; then no time is reported. */
static bool leaves_out(const struct profile_facts *facts)
{
	static const struct {
		char letter;
		const char *name;
	} options[] = {
		{ 'a', "all-cpus" },   { 'C', "cpu" },
		{ 'G', "cgroup" },     { 'u', "uid" },
		{ 'D', "delay" },      { 'S', "snapshot" },
		{ '\0', "filter" },    { '\0', "control" },
		{ '\0', "overwrite" }, { '\0', "switch-output" },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (has_option(facts, options[i].letter, options[i].name))
			return true;
	return false;
}

static bool is_of_processes(const struct profile_facts *facts)
{
	return has_option(facts, 'p', "pid") || has_option(facts, 't', "tid");
}

/* --- events ------------------------------------------------------------------ */

static bool is_whole(const struct perf_attr *attr)
{
	return perf_attr_has(attr, PERF_ATTR_INHERIT) && !perf_attr_has(attr, PERF_ATTR_EXCLUDE_USER) &&
	       !perf_attr_has(attr, PERF_ATTR_EXCLUDE_KERNEL);
}

static bool is_clock(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* The upper half names the PMU on CPUs with several kinds of cores. */
static bool is_cycles(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE && (uint32_t)attr->config == PERF_COUNT_HW_CPU_CYCLES &&
	       perf_attr_has(attr, PERF_ATTR_FREQ) && attr->sample_period_or_freq;
}

static bool is_hardware(const struct perf_attr *attr)
{
	return attr->type != PERF_TYPE_SOFTWARE && attr->type != PERF_TYPE_TRACEPOINT &&
	       attr->type != PERF_TYPE_BREAKPOINT;
}

/*
 * -1: no event tells. Clocks count the same time, so takes the largest; cycles count a kind of core each, so takes their
 * sum.
 */
static double running_seconds(const struct perf_file *file, const struct profile *profile, bool *is_estimate)
{
	double clock_s = -1, cycles_s = -1;
	size_t hardware = 0;

	for (uint32_t i = 0; i < profile_event_count(profile) && i < perf_file_event_count(file); i++) {
		const struct perf_attr *attr = &perf_file_event(file, i)->attr;
		const struct profile_event *event = profile_event_at(profile, i);

		hardware += is_hardware(attr);
		if (!is_whole(attr))
			continue;
		if (is_clock(attr) && (double)event->weight / 1e9 > clock_s)
			clock_s = (double)event->weight / 1e9;
		if (is_cycles(attr))
			cycles_s = (cycles_s < 0 ? 0 : cycles_s) +
				   (double)event->samples / (double)attr->sample_period_or_freq;
	}
	*is_estimate = clock_s < 0;
	return clock_s >= 0 ? clock_s : hardware <= MAX_HARDWARE_EVENTS ? cycles_s : -1;
}

static bool starts_with_command(const struct perf_file *file)
{
	return perf_file_event_count(file) &&
	       perf_attr_has(&perf_file_event(file, 0)->attr, PERF_ATTR_ENABLE_ON_EXEC);
}

/* --- all --------------------------------------------------------------------- */

static bool has_all_samples(const struct profile_facts *facts)
{
	return !facts->is_part && !facts->lost_samples && !facts->lost_records && !facts->throttle_records &&
	       !facts->damaged_samples && !facts->unknown_event_samples && !facts->is_cut_off &&
	       !facts->is_unfinished && !facts->skipped_records;
}

static int compare_tids(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* A thread that changed its name has several entries. */
static uint32_t count_threads(const struct profile *profile)
{
	const uint32_t count = profile_thread_count(profile);
	uint32_t *tids = xmalloc(((size_t)count + 1) * sizeof(*tids)), threads = 0;

	for (uint32_t i = 0; i < count; i++)
		tids[i] = profile_thread_at(profile, i)->tid;
	qsort(tids, count, sizeof(*tids), compare_tids);
	for (uint32_t i = 0; i < count; i++)
		threads += i == 0 || tids[i] != tids[i - 1];
	free(tids);
	return threads;
}

/* Whether whole CPUs were recorded. */
static bool has_idle_task(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_thread_count(profile); i++)
		if (profile_thread_at(profile, i)->tid == 0)
			return true;
	return false;
}

static bool mostly_waited(const struct running_time *time)
{
	return time->span_s * 1e3 >= LEAST_SPAN_MS &&
	       time->running_s < time->span_s * (time->is_estimate ? mostly_by_rate : mostly);
}

void running_time_find(struct profile_facts *facts, const struct perf_file *file,
		       const struct profile *profile)
{
	struct running_time *time = &facts->running;

	*time = (struct running_time){ .of_command = starts_with_command(file) };
	if (!has_all_samples(facts) || facts->first_record_ns >= facts->last_record_ns ||
	    is_by_simpleperf(facts) || leaves_out(facts) || (!time->of_command && !is_of_processes(facts)) ||
	    has_idle_task(profile))
		return;
	time->span_s = (double)(facts->last_record_ns - facts->first_record_ns) / 1e9;
	time->running_s = running_seconds(file, profile, &time->is_estimate);
	if (time->running_s < 0)
		return;
	time->threads = count_threads(profile);
	time->is_bound = !facts->near_gaps || facts->prompt_gaps < facts->near_gaps / 2;
	if (time->is_bound)
		time->running_s = (double)(facts->samples + 1) * tick_s;
	time->mostly_waited = mostly_waited(time);
	time->is_known = true;
}
