/*
 * Measures how fast records are read, in CPU time, which other activity on the machine does not change: walks a perf.data from
 * front to back, finds each sample's event, decodes the sample and adds up its fields, as every command does before its own work.
 *
 * usage: read_walk FILE
 */

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "format/perf_file.h"
#include "format/sample.h"

struct walk {
	uint64_t records, record_bytes, samples, damaged;
	uint64_t sum; /* of every sample's fields, so that each is read */
};

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void add_sample(struct walk *walk, const struct perf_file *file, const struct event *event)
{
	size_t number = perf_file_event_of(file, event);
	struct sample sample;
	struct error err;

	if (number == SIZE_MAX ||
	    sample_decode(&sample, event, &perf_file_event(file, number)->attr, &err) != 0) {
		walk->damaged++;
		return;
	}
	walk->samples++;
	walk->sum += sample.ip + sample.pid + sample.tid + sample.time_ns + sample.cpu + sample.period;
	for (size_t i = 0; i < sample.callchain_count; i++)
		walk->sum += sample_callchain_entry(&sample, i);
}

static int walk_records(struct walk *walk, struct perf_file *file, struct error *err)
{
	struct event event;
	int result;

	while ((result = perf_file_next(file, &event, err)) == 1) {
		walk->records++;
		walk->record_bytes += event.size;
		if (event.type == PERF_RECORD_SAMPLE)
			add_sample(walk, file, &event);
	}
	return result;
}

int main(int argc, char **argv)
{
	struct walk walk = { 0 };
	struct error err;
	struct perf_file *file;
	struct rusage usage;
	double start_s = seconds(CLOCK_PROCESS_CPUTIME_ID), reader_start_s = seconds(CLOCK_THREAD_CPUTIME_ID),
	       needed_s, reader_s, slower_s;

	if (argc != 2) {
		fprintf(stderr, "usage: read_walk FILE\n");
		return 2;
	}
	file = perf_file_open(argv[1], &err);
	if (!file || walk_records(&walk, file, &err) != 0) {
		fprintf(stderr, "read_walk: %s\n", err.message);
		perf_file_close(file);
		return 1;
	}
	needed_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - start_s;
	reader_s = seconds(CLOCK_THREAD_CPUTIME_ID) - reader_start_s;
	perf_file_close(file);
	getrusage(RUSAGE_SELF, &usage);
	printf("%" PRIu64 " samples, %" PRIu64 " damaged, sum %016" PRIx64 "\n", walk.samples, walk.damaged,
	       walk.sum);
	/* A second thread decompresses compressed records; with a core for each, the slower thread decides. */
	slower_s = needed_s - reader_s > reader_s ? needed_s - reader_s : reader_s;
	printf("%.2f s of CPU, %.2f GB/s of records", needed_s, (double)walk.record_bytes / 1e9 / slower_s);
	if (slower_s < 0.99 * needed_s)
		printf(" by two cores (reading %.2f s, decompressing %.2f s)", reader_s, needed_s - reader_s);
	printf(", %.0f ns a record, peak %ld MiB\n", needed_s * 1e9 / (double)walk.records,
	       usage.ru_maxrss / 1024);
	return 0;
}
