/*
 * Converts a perf.data of any bytes and reads the result. For any input, the output must open, have no damage of
 * its own, and have the records and samples that the conversion reports as copied. Bits of the last byte: compressed or
 * not, without what quipper refuses or not.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/perf_file.h"
#include "report/convert/conversion.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct totals {
	uint64_t records, samples;
};

/* A conversion does not count records that describe their container. */
static bool describes_container(uint32_t type)
{
	return type == PERF_RECORD_HEADER_ATTR || type == PERF_RECORD_HEADER_FEATURE ||
	       type == PERF_RECORD_HEADER_BUILD_ID || type == PERF_RECORD_HEADER_TRACING_DATA;
}

/* False if there is more than one execution should read: a few compressed bytes can be many records. */
static bool count_records(struct perf_file *file, struct totals *totals)
{
	enum { RECORDS_MAX = 20000, BYTES_MAX = 1 << 20 };
	uint64_t bytes = 0;
	struct event event;
	struct error err;

	*totals = (struct totals){ 0 };
	while (perf_file_next(file, &event, &err) == 1) {
		bytes += event.size;
		if (totals->records > RECORDS_MAX || bytes > BYTES_MAX)
			return false;
		totals->records += !describes_container(event.type);
		totals->samples += event.type == PERF_RECORD_SAMPLE;
	}
	return true;
}

static bool is_short(const uint8_t *bytes, size_t size)
{
	struct error err;
	struct perf_file *file = perf_file_open_memory(bytes, size, "input", &err);
	struct totals totals;
	bool result = file && count_records(file, &totals);

	perf_file_close(file);
	return result;
}

static void check_output(const char *path, const struct conversion_counts *counts, bool plain_samples)
{
	struct error err;
	struct perf_file *file = perf_file_open(path, &err);
	struct totals totals;

	if (!file) {
		fprintf(stderr, "%s\n", err.message);
		abort();
	}
	(void)count_records(file, &totals);
	if (counts->records == 0)
		totals.records = 0; /* an empty recording gets one, see perf_writer_finish() */
	if (perf_file_damage(file)->skipped_records || perf_file_damage(file)->truncated ||
	    totals.records != counts->records || (!plain_samples && totals.samples != counts->samples)) {
		fprintf(stderr, "%llu records, %llu samples; %llu, %llu told; %s\n",
			(unsigned long long)totals.records, (unsigned long long)totals.samples,
			(unsigned long long)counts->records, (unsigned long long)counts->samples,
			perf_file_damage(file)->first_reason);
		abort();
	}
	perf_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[64];
	struct conversion_options options = { .output = path };
	struct conversion_counts counts;
	struct perf_file *file;
	struct error err;

	if (size == 0 || !is_short(bytes, size))
		return 0;
	snprintf(path, sizeof(path), "/dev/shm/fuzz_convert.%ld", (long)getpid());
	options.compression_level = bytes[size - 1] & 1;
	options.plain_samples = bytes[size - 1] >> 1 & 1;
	file = perf_file_open_memory(bytes, size, "input", &err);
	if (file && conversion_run_from(file, &options, &counts, &err) == 0) {
		check_output(path, &counts, options.plain_samples);
		unlink(path);
	}
	perf_file_close(file);
	return 0;
}
