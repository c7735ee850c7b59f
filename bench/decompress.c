/*
 * Measures how fast zstd itself is: decompresses the COMPRESSED records of a perf.data and discards the result.
 *
 * usage: decompress FILE
 */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "format/mapped_file.h"
#include "format/perf_abi.h"
#include "format/perf_header.h"
#include "format/record_source.h"

static void fail(const char *what)
{
	fprintf(stderr, "decompress: %s\n", what);
	exit(1);
}

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Each compressed record may begin or end a frame, or be in the middle of one. */
static uint64_t decompress_record(ZSTD_DStream *stream, const struct event *event)
{
	static uint8_t decompressed[256 * 1024];
	ZSTD_inBuffer input = { .src = event->payload, .size = event->payload_size };
	uint64_t bytes = 0;
	ZSTD_outBuffer output;

	do {
		output = (ZSTD_outBuffer){ .dst = decompressed, .size = sizeof(decompressed) };
		if (ZSTD_isError(ZSTD_decompressStream(stream, &output, &input)))
			fail("damaged zstd stream");
		bytes += output.pos;
	} while (input.pos < input.size || output.pos == output.size);
	return bytes;
}

int main(int argc, char **argv)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	struct mapped_file file;
	struct perf_header header;
	struct record_source source;
	struct event event;
	struct error err;
	uint64_t bytes = 0;
	double needed_s;

	if (argc != 2 || !stream)
		fail("usage: decompress FILE");
	if (mapped_file_init(&file, open(argv[1], O_RDONLY | O_CLOEXEC), argv[1], &err) != 0 ||
	    perf_header_decode(&header, file.bytes, file.size_bytes, &err) != 0)
		fail(err.message);
	source = (struct record_source){ .next = file.bytes + header.data.offset,
					 .end = file.bytes + header.data.offset + header.data.size };
	needed_s = cpu_seconds();
	while (record_source_next(&source, &event, &err) == RECORD_OK)
		if (event.type == PERF_RECORD_COMPRESSED)
			bytes += decompress_record(stream, &event);
	needed_s = cpu_seconds() - needed_s;
	printf("%.2f s of one core, %.2f GB/s of decompressed bytes\n", needed_s,
	       (double)bytes / 1e9 / needed_s);
	mapped_file_fini(&file);
	ZSTD_freeDStream(stream);
	return 0;
}
