/*
 * Compares every perf.data of the corpus with its oracle: sample counts and period sums of each event. The corpus is not
 * part of a checkout; $CORPUS says where it is, and without it the test is skipped.
 */

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/perf_file.h"
#include "format/sample.h"
#include "support/cmocka.h"

static const char *corpus_path(void)
{
	const char *path = getenv("CORPUS");

	return path && *path ? path : "../shared/corpus";
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Some events have other names in the oracle than here, so the sorted sums are compared. */
static void add_sorted(struct strbuf *out, char **lines, size_t count)
{
	if (count)
		qsort(lines, count, sizeof(lines[0]), compare_lines);
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(out, lines[i]);
		free(lines[i]);
	}
	free(lines);
}

/* "event NAME samples=N period=P ..." lines of the section [pdinfo] */
static void read_oracle(const char *path, struct strbuf *sums)
{
	char **lines = NULL, line[4096];
	size_t count = 0, capacity = 0;
	FILE *oracle = fopen(path, "re");
	bool inside = false;

	assert_non_null(oracle);
	while (fgets(line, sizeof(line), oracle)) {
		uint64_t samples, period;
		const char *numbers;

		if (line[0] == '[')
			inside = strncmp(line, "[pdinfo]", 8) == 0;
		numbers = strncmp(line, "event ", 6) == 0 ? strstr(line, " samples=") : NULL;
		if (!inside || !numbers ||
		    sscanf(numbers, " samples=%" SCNu64 " period=%" SCNu64, &samples, &period) != 2)
			continue;
		lines = array_grow(lines, &capacity, count + 1, sizeof(lines[0]));
		lines[count++] = xasprintf("samples=%" PRIu64 " period=%" PRIu64 "\n", samples, period);
	}
	(void)fclose(oracle);
	add_sorted(sums, lines, count);
}

struct event_sum {
	uint64_t samples, period;
};

/* Each sample must belong to an event and be decodable. */
static void sum_samples(struct perf_file *file, struct event_sum **sums, size_t *capacity)
{
	struct event event;
	struct sample sample;
	struct error err;
	int result;

	while ((result = perf_file_next(file, &event, &err)) == 1) {
		size_t number, known = *capacity;

		*sums = array_grow(*sums, capacity, perf_file_event_count(file), sizeof((*sums)[0]));
		if (*capacity > known)
			memset(*sums + known, 0, (*capacity - known) * sizeof((*sums)[0]));
		if (event.type != PERF_RECORD_SAMPLE)
			continue;
		number = perf_file_event_of(file, &event);
		assert_true(number < perf_file_event_count(file));
		assert_int_equal(sample_decode(&sample, &event, &perf_file_event(file, number)->attr, &err),
				 0);
		(*sums)[number].samples++;
		(*sums)[number].period += sample.period;
	}
	assert_int_equal(result, 0);
}

static void read_file(struct perf_file *file, struct strbuf *out)
{
	struct event_sum *sums = NULL;
	size_t capacity = 0, count;
	char **lines;

	sum_samples(file, &sums, &capacity);
	count = perf_file_event_count(file);
	lines = xcalloc(count + 1, sizeof(lines[0]));
	for (size_t i = 0; i < count; i++)
		lines[i] = xasprintf("samples=%" PRIu64 " period=%" PRIu64 "\n",
				     i < capacity ? sums[i].samples : 0, i < capacity ? sums[i].period : 0);
	add_sorted(out, lines, count);
	free(sums);
}

/* Hostile files: damage in the header or in attrs may make xprof refuse the file or an event, but nothing else may. */
static bool is_hostile(const char *name)
{
	return strncmp(name, "quipper-fuzz/", 13) == 0;
}

/* The oracle of quipper/x is oracle/quipper__x.txt. */
static char *oracle_path_of(const char *corpus, const char *name)
{
	struct strbuf path;

	strbuf_init(&path);
	strbuf_addf(&path, "%s/oracle/", corpus);
	for (; *name; name++) {
		if (*name == '/')
			strbuf_adds(&path, "__");
		else
			strbuf_addc(&path, *name);
	}
	strbuf_adds(&path, ".txt");
	return strbuf_detach(&path);
}

static bool same_sums(struct perf_file *file, const char *oracle_path, const char *name)
{
	struct strbuf expected, got;
	bool same;

	strbuf_init(&expected);
	strbuf_init(&got);
	read_file(file, &got);
	read_oracle(oracle_path, &expected);
	same = strcmp(got.bytes, expected.bytes) == 0;
	if (!same && !is_hostile(name))
		fail_msg("%s: got\n%sexpected\n%s", name, got.bytes, expected.bytes);
	strbuf_fini(&expected);
	strbuf_fini(&got);
	return same;
}

/* 1 if it agrees with the oracle; 0 if the file or one of its events was refused. */
static unsigned int compare_one(const char *corpus, const char *name)
{
	char *path = xasprintf("%s/%s", corpus, name), *oracle_path = oracle_path_of(corpus, name);
	struct error err;
	struct perf_file *file = perf_file_open(path, &err);
	bool same = file && same_sums(file, oracle_path, name);

	if (!is_hostile(name)) {
		if (!file)
			fail_msg("%s", err.message);
		if (perf_file_damage(file)->first_reason[0])
			fail_msg("%s: %s", name, perf_file_damage(file)->first_reason);
	}
	perf_file_close(file);
	free(oracle_path);
	free(path);
	return same;
}

static FILE *open_index(void)
{
	char *path = xasprintf("%s/INDEX.tsv", corpus_path());
	FILE *index = fopen(path, "re");

	free(path);
	return index;
}

static void every_file_has_the_samples_and_periods_of_its_oracle(void **state)
{
	FILE *index = open_index();
	unsigned int files = 0, compared = 0;
	char line[8192];

	(void)state;
	assert_non_null(index);
	assert_non_null(fgets(line, sizeof(line), index)); /* heading */
	while (fgets(line, sizeof(line), index)) {
		line[strcspn(line, "\t")] = '\0';
		files++;
		compared += compare_one(corpus_path(), line);
	}
	(void)fclose(index);
	print_message("# %u files, %u agree, %u hostile ones refused\n", files, compared, files - compared);
	assert_true(files > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_has_the_samples_and_periods_of_its_oracle),
	};

	FILE *index = open_index();

	if (!index) { /* skips all tests, in TAP */
		printf("1..0 # SKIP no corpus at %s: set CORPUS to where it is\n", corpus_path());
		return 0;
	}
	(void)fclose(index);
	return cmocka_run_group_tests_name("format/corpus", tests, NULL, NULL);
}
