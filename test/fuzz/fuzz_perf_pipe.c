/* Reads any bytes behind the header of a pipe, in memory. fuzz_perf_file reads real pipes, which is slower. */

#include <stdlib.h>

#include "support/event_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void walk(struct perf_file *file)
{
	enum { RECORDS_MAX = 20000 }; /* a few compressed bytes can be many records */
	struct event event;
	struct sample sample;
	struct error err;

	for (size_t i = 0; i < RECORDS_MAX && perf_file_next(file, &event, &err) == 1; i++) {
		size_t number = perf_file_event_of(file, &event);

		event_walk_record(&event);
		if (number != SIZE_MAX)
			(void)event_walk_sample(&event, &perf_file_event(file, number)->attr, &sample);
	}
	event_walk_features(perf_file_features(file));
	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++) {
		struct byte_reader section = perf_file_feature_bytes(file, i);

		event_walk_bytes(section.next, byte_reader_left(&section));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint8_t *recording = malloc(PERF_PIPE_HEADER_SIZE + size);
	const uint64_t header[2] = { PERF_FILE_MAGIC2, PERF_PIPE_HEADER_SIZE };
	struct error err;
	struct perf_file *file;

	if (!recording)
		return 0;
	memcpy(recording, header, sizeof(header));
	if (size)
		memcpy(recording + sizeof(header), bytes, size);
	file = perf_file_open_memory(recording, PERF_PIPE_HEADER_SIZE + size, "fuzz", &err);
	if (!file)
		abort();
	walk(file);
	perf_file_close(file);
	free(recording);
	return 0;
}
