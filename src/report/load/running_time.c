/*
 * Running time out of the samples of clock events, whose periods are nanoseconds, or out of the number of samples of
 * cycles, which the kernel takes at a rate of running time. What is not certain is not said: see running_time_find().
 */
#include "report/load/running_time.h"

#include <linux/perf_event.h>
#include <string.h>

enum {
	MAX_HARDWARE_EVENTS =
		4,           /* more may take turns on the counters, and are sampled less than they count */
	LEAST_SPAN_MS = 100, /* a few samples say little */
};

static const double tick_s = 0.01; /* the coarsest timer that kernels have: 100 Hz */

static const double mostly = 0.5, mostly_by_rate = 0.4; /* the rate takes some samples to settle */

/* --- what the recorder was asked for ---------------------------------------- */

/* "-p", "-gp", "-p12", "--pid=12": an option with a long name, and a short one if letter is not '\0'. */
static bool is_option(const char *word, char letter, const char *name)
{
	static const char flags[] =
		"abdgnqRrsvWz"; /* short options without an argument, that others may follow */
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

static bool has_option(const struct perf_features *features, char letter, const char *name)
{
	for (size_t i = 1; i < features->command_line_count; i++) {
		const char *word = features->command_line[i];

		if (strcmp(word, "--") == 0)
			break;
		if (is_option(word, letter, name))
			return true;
	}
	return false;
}

/* simpleperf leaves out samples by options of its own. */
static bool is_by_simpleperf(const struct perf_features *features)
{
	const char *recorder = features->command_line_count ? features->command_line[0] : "";
	const char *slash = strrchr(recorder, '/');

	return strncmp(slash ? slash + 1 : recorder, "simpleperf", strlen("simpleperf")) == 0;
}

/* Options that leave something out. As they have it, words of the command itself may be taken for them: nothing is said then. */
static bool leaves_out(const struct perf_features *features)
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
		if (has_option(features, options[i].letter, options[i].name))
			return true;
	return false;
}

static bool is_of_processes(const struct perf_features *features)
{
	return has_option(features, 'p', "pid") || has_option(features, 't', "tid");
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

/* The upper half names the PMU, of CPUs with several kinds of cores. */
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

/* -1: no event tells. Clocks are sampled side by side, cycles by kinds of cores. */
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

static bool has_all_samples(const struct perf_file *file, const struct load_summary *summary)
{
	const struct perf_file_damage *damage = perf_file_damage(file);

	return !summary->is_part && !summary->lost_samples && !summary->lost_records &&
	       !summary->throttle_records && !summary->damaged_samples && !summary->unknown_event_samples &&
	       !damage->truncated && !damage->unfinished && !damage->skipped_records;
}

/* Threads of different names are several entries; the idle task is of whole CPUs. */
static bool count_threads(const struct profile *profile, uint32_t *threads)
{
	*threads = 0;
	for (uint32_t i = 0; i < profile_thread_count(profile); i++) {
		const uint32_t tid = profile_thread_at(profile, i)->tid;
		uint32_t before = 0;

		if (tid == 0)
			return false;
		while (before < i && profile_thread_at(profile, before)->tid != tid)
			before++;
		*threads += before == i;
	}
	return true;
}

int running_time_find(struct running_time *time, const struct perf_file *file,
		      const struct loaded_profile *loaded)
{
	const struct load_summary *summary = &loaded->summary;
	const struct perf_features *features = perf_file_features(file);

	*time = (struct running_time){ .of_command = starts_with_command(file) };
	if (!has_all_samples(file, summary) || summary->first_record_ns >= summary->last_record_ns ||
	    is_by_simpleperf(features) || leaves_out(features) ||
	    (!time->of_command && !is_of_processes(features)) ||
	    !count_threads(loaded->profile, &time->threads))
		return 0;
	time->span_s = (double)(summary->last_record_ns - summary->first_record_ns) / 1e9;
	time->running_s = running_seconds(file, loaded->profile, &time->is_estimate);
	if (time->running_s < 0)
		return 0;
	time->is_bound = !summary->near_gaps || summary->prompt_gaps < summary->near_gaps / 2;
	if (time->is_bound)
		time->running_s = (double)(summary->samples + 1) * tick_s;
	return 1;
}

bool running_time_mostly_waited(const struct running_time *time)
{
	return time->span_s * 1e3 >= LEAST_SPAN_MS &&
	       time->running_s < time->span_s * (time->is_estimate ? mostly_by_rate : mostly);
}
