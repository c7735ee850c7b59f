/*
 * Compares real recordings of other tools with what perf 6.1 makes of them. The oracle next to each file has perf's sample
 * counts, period sums, command names, threads, time range and rows. Addresses only: no symbols are looked up.
 */

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "report/load/profile_loader.h"
#include "support/cmocka.h"

enum { MAX_LINE = 4096 };

static const char *corpus_path(void)
{
	const char *path = getenv("CORPUS");

	return path && *path ? path : "../shared/corpus";
}

struct recording {
	struct perf_file *file;
	struct loaded_profile loaded;
	char oracle_path[1024];
	unsigned int problems;
	bool by_branch;   /* the oracle's rows count branches, and its periods are made up */
	const char *name; /* name of its oracle */
};

static void complain(struct recording *recording, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void complain(struct recording *recording, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "# %s: ", recording->name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	recording->problems++;
}

/* "quipper__perf.data.txt" belongs to "quipper/perf.data". */
static void recording_path(const char *oracle_name, char *path, size_t size)
{
	const char *c = oracle_name;
	size_t used = (size_t)snprintf(path, size, "%s/", corpus_path());

	for (; *c && strcmp(c, ".txt") != 0 && used + 1 < size; c++) {
		if (c[0] == '_' && c[1] == '_') {
			path[used++] = '/';
			c++;
		} else {
			path[used++] = *c;
		}
	}
	path[used] = '\0';
}

static int load(struct recording *recording)
{
	const struct load_options options = { .symbols = { .symfs = "/proc/nonexistent",
							   .kallsyms_path = "/proc/nonexistent" } };
	struct error err;
	char path[1024];

	recording_path(recording->name, path, sizeof(path));
	recording->file = perf_file_open(path, &err);
	if (!recording->file || profile_load(recording->file, &options, &recording->loaded, &err) < 0) {
		complain(recording, "%s", err.message);
		return -1;
	}
	return 0;
}

static void unload(struct recording *recording)
{
	loaded_profile_fini(&recording->loaded);
	perf_file_close(recording->file);
}

/* --- what perf script and perf report say ------------------------------------ */

static uint32_t event_by_name(const struct profile *profile, const char *name)
{
	uint32_t i;

	for (i = 0; i < profile_event_count(profile); i++)
		if (!strcmp(profile_text(profile, profile_event_at(profile, i)->name), name))
			return i;
	return PROFILE_NONE;
}

static const char *comm_of(const struct profile *profile, const struct profile_sample *sample)
{
	return profile_text(profile, profile_thread_at(profile, sample->thread)->comm);
}

/* "event cycles samples=1548 period=1628001751". perf gives some names other modifiers, so sums are compared. */
static void check_event(struct recording *recording, const char *line)
{
	const struct profile *profile = recording->loaded.profile;
	const char *samples_at = strstr(line, " samples="), *period_at = strstr(line, " period=");
	uint64_t samples, period;
	uint32_t i;

	if (!samples_at || !period_at)
		return;
	samples = strtoull(samples_at + 9, NULL, 10);
	period = strtoull(period_at + 8, NULL, 10);
	recording->by_branch = strstr(line, "(fixed period)") != NULL;
	for (i = 0; i < profile_event_count(profile); i++) {
		const struct profile_event *event = profile_event_at(profile, i);

		if (event->samples == samples && (event->weight == period || recording->by_branch))
			return;
	}
	complain(recording, "no event has what perf says: %s", line);
}

static bool seen_before(const struct profile *profile, uint32_t number, bool by_comm)
{
	const struct profile_sample *sample = profile_sample_at(profile, number);
	const struct profile_thread *thread = profile_thread_at(profile, sample->thread);
	uint32_t i;

	for (i = 0; i < number; i++) {
		const struct profile_thread *other =
			profile_thread_at(profile, profile_sample_at(profile, i)->thread);

		if (by_comm ? other->comm == thread->comm : other->tid == thread->tid)
			return true;
	}
	return false;
}

static unsigned long distinct(const struct profile *profile, bool by_comm)
{
	unsigned long count = 0;
	uint32_t i;

	for (i = 0; i < profile_sample_count(profile); i++)
		count += !seen_before(profile, i, by_comm);
	return count;
}

/* "distinct_comms=26: 'X' 'bash' …" or "distinct_tids=86" */
static void check_distinct(struct recording *recording, const char *line, bool by_comm)
{
	unsigned long expected = strtoul(strchr(line, '=') + 1, NULL, 10);
	unsigned long count = distinct(recording->loaded.profile, by_comm);

	if (count != expected)
		complain(recording, "%lu distinct %s, perf has %s", count, by_comm ? "comms" : "tids", line);
}

/* "time 14424.495396..14426.872708", in microseconds */
static void check_time(struct recording *recording, const char *line)
{
	const struct profile_facts *facts = &recording->loaded.facts;
	uint64_t s[2], us[2];

	if (sscanf(line, "time %" SCNu64 ".%" SCNu64 "..%" SCNu64 ".%" SCNu64, &s[0], &us[0], &s[1],
		   &us[1]) != 4)
		return;
	if (facts->first_time_ns == UINT64_MAX)
		return; /* samples without times, for which perf prints 0 */
	if (facts->first_time_ns / 1000 != s[0] * 1000000 + us[0] ||
	    facts->last_time_ns / 1000 != s[1] * 1000000 + us[1])
		complain(recording, "from %" PRIu64 " to %" PRIu64 " ns, perf has %s", facts->first_time_ns,
			 facts->last_time_ns, line);
}

struct row { /* "49713692|41|kworker/1:2|[kernel.kallsyms]|[k] 0xffffffff811b65d4" */
	uint64_t period, samples, address;
	char comm[64], dso[256], mode;
};

static int parse_row(const char *line, struct row *row)
{
	return sscanf(line, "%" SCNu64 "|%" SCNu64 "|%63[^|]|%255[^|]|[%c] 0x%" SCNx64, &row->period,
		      &row->samples, row->comm, row->dso, &row->mode, &row->address) == 6 ?
		       0 :
		       -1;
}

/* perf cuts comms to the width of their column, so a prefix suffices unless the whole name is known. */
static bool is_of_row(const struct profile *profile, const struct profile_sample *sample,
		      const struct row *row, bool whole_comm)
{
	const struct profile_location *location =
		profile_location_at(profile, profile_stack_at(profile, sample->stack)->location);
	const char *dso = location->dso == PROFILE_NONE ?
				  "[unknown]" :
				  profile_text(profile, profile_dso_at(profile, location->dso)->name);
	const char *comm = comm_of(profile, sample);

	return location->address == row->address && !strcmp(dso, row->dso) &&
	       (whole_comm ? strcmp(comm, row->comm) : strncmp(comm, row->comm, strlen(row->comm))) == 0;
}

/*
 * perf gives addresses in modules relative to their start; xprof gives runtime addresses, as /proc/kallsyms. Addresses in
 * simpleperf's JIT code are runtime addresses, too: several pieces of it have the same offset in one file.
 */
static bool has_runtime_addresses(const char *dso)
{
	if (strstr(dso, "_jit_app_cache:"))
		return true;
	return dso[0] == '[' && strcmp(dso, "[kernel.kallsyms]") != 0 && strcmp(dso, "[unknown]") != 0 &&
	       strcmp(dso, "[vdso]") != 0;
}

static void check_row(struct recording *recording, const char *line, uint32_t event)
{
	const struct profile *profile = recording->loaded.profile;
	uint64_t period[2] = { 0 }, samples[2] = { 0 };
	struct row row;
	uint32_t i;
	int whole;

	if (recording->by_branch || parse_row(line, &row) < 0 || has_runtime_addresses(row.dso))
		return;
	for (i = 0; i < profile_sample_count(profile); i++) {
		const struct profile_sample *sample = profile_sample_at(profile, i);

		for (whole = 0; whole < 2; whole++) {
			if (sample->event != event || !is_of_row(profile, sample, &row, whole))
				continue;
			period[whole] += sample->weight;
			samples[whole] += sample->count;
		}
	}
	for (whole = 0; whole < 2; whole++)
		if (period[whole] == row.period && samples[whole] == row.samples)
			return;
	complain(recording, "%" PRIu64 "|%" PRIu64 ", perf has %s", period[1], samples[1], line);
}

/* --- oracles ----------------------------------------------------------------- */

/* "# Samples: 1K of event 'cycles'" */
static uint32_t event_of_heading(const struct recording *recording, const char *line)
{
	const char *start = strchr(line, '\''), *end = start ? strchr(start + 1, '\'') : NULL;
	char name[256];

	if (!end || (size_t)(end - start) > sizeof(name))
		return PROFILE_NONE;
	memcpy(name, start + 1, (size_t)(end - start - 1));
	name[end - start - 1] = '\0';
	return event_by_name(recording->loaded.profile, name);
}

static void check_line(struct recording *recording, const char *section, const char *line, uint32_t *event)
{
	if (!strncmp(section, "[perf script]", 13)) {
		if (!strncmp(line, "event ", 6))
			check_event(recording, line);
		else if (!strncmp(line, "distinct_comms=", 15))
			check_distinct(recording, line, true);
		else if (!strncmp(line, "distinct_tids=", 14))
			check_distinct(recording, line, false);
		else if (!strncmp(line, "time ", 5))
			check_time(recording, line);
	} else if (!strncmp(section, "[perf report", 12)) {
		if (!strncmp(line, "# Samples: ", 11))
			*event = event_of_heading(recording, line);
		else if (*event != PROFILE_NONE)
			check_row(recording, line, *event);
	}
}

static unsigned int check_recording(const char *oracle_name)
{
	struct recording recording = { .name = oracle_name };
	char section[64] = "", *line = xmalloc(MAX_LINE);
	uint32_t event = PROFILE_NONE;
	FILE *oracle;

	snprintf(recording.oracle_path, sizeof(recording.oracle_path), "%s/oracle/%s", corpus_path(),
		 oracle_name);
	oracle = fopen(recording.oracle_path, "re");
	if (oracle && load(&recording) == 0) {
		while (fgets(line, MAX_LINE, oracle)) {
			line[strcspn(line, "\n")] = '\0';
			if (line[0] == '[' && strlen(line) < sizeof(section))
				strcpy(section, line);
			else
				check_line(&recording, section, line, &event);
		}
	}
	if (oracle)
		fclose(oracle);
	unload(&recording);
	free(line);
	return recording.problems;
}

/* Hostile files may be refused. That they do no harm is tested in test/format. */
static bool is_well_formed(const char *oracle_name)
{
	return strstr(oracle_name, ".txt") && strncmp(oracle_name, "quipper-fuzz__", 14) != 0;
}

static void every_file_reads_as_perf_reads_it(void **state)
{
	unsigned int problems = 0, files = 0;
	struct dirent *entry;
	char path[1024];
	DIR *folder;

	(void)state;
	snprintf(path, sizeof(path), "%s/oracle", corpus_path());
	folder = opendir(path);
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		if (!is_well_formed(entry->d_name))
			continue;
		problems += check_recording(entry->d_name);
		files++;
	}
	closedir(folder);
	assert_int_equal(problems, 0);
	assert_true(files > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_reads_as_perf_reads_it),
	};

	if (access(corpus_path(), R_OK) != 0) { /* skips all tests, in TAP */
		printf("1..0 # SKIP no corpus at %s: set CORPUS to where it is\n", corpus_path());
		return 0;
	}
	return cmocka_run_group_tests_name("report/corpus", tests, NULL, NULL);
}
