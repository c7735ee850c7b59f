/*
 * Opens a perf.data of any bytes, walks over it, and decodes every record with everything that decodes such records. Bytes
 * that claim to be a pipe are read as one, too, and must give the same records. Seeds: the files of test/data and of the
 * corpus.
 */

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/event_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct totals {
	uint64_t records, record_bytes, samples, periods;
};

static void use_event(const struct perf_file *file, const struct event *event, struct totals *totals)
{
	size_t number = perf_file_event_of(file, event);
	struct sample sample;

	event_walk_record(event);
	if (number == SIZE_MAX || !event_walk_sample(event, &perf_file_event(file, number)->attr, &sample))
		return;
	totals->samples++;
	totals->periods += sample.period;
}

static void use_features(const struct perf_file *file)
{
	event_walk_features(perf_file_features(file));
	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++) {
		struct byte_reader bytes = perf_file_feature_bytes(file, i);

		event_walk_bytes(bytes.next, byte_reader_left(&bytes));
	}
	for (size_t i = 0; i < perf_file_event_count(file); i++) {
		const char *name = perf_file_event(file, i)->name;

		event_walk_bytes(name, strlen(name));
	}
}

static struct totals walk(struct perf_file *file)
{
	/* Compression makes many records from few bytes; the first of them suffice. */
	enum { RECORDS_MAX = 200000 };
	struct totals totals = { 0 };
	struct event event;
	struct error err;

	while (totals.records < RECORDS_MAX && perf_file_next(file, &event, &err) == 1) {
		totals.records++;
		totals.record_bytes += event.size;
		use_event(file, &event, &totals);
		if (perf_file_percent(file) > 100)
			abort();
	}
	use_features(file);
	return totals;
}

static void compare_with_pipe(const uint8_t *bytes, size_t size, const struct totals *expected)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct perf_file *file;
	struct totals totals;
	struct error err;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	file = perf_file_open_stream(fd, "fuzz", &err);
	if (!file)
		abort();
	totals = walk(file);
	if (memcmp(&totals, expected, sizeof(totals)) != 0)
		abort();
	perf_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	struct perf_file *file = perf_file_open_memory(bytes, size, "fuzz", &err);
	struct totals totals;

	if (!file)
		return 0;
	totals = walk(file);
	if (perf_file_mode(file) == PERF_FILE_PIPE)
		compare_with_pipe(bytes, size, &totals);
	perf_file_close(file);
	return 0;
}
