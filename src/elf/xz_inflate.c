/* A loop around lzma_code() with a buffer that doubles up to inflate_limit(). The decoder's own memory is limited as well. */
#include "elf/xz_inflate.h"

#include <lzma.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum {
	/* xz -9 needs 65 MiB to decompress. */
	MAX_DECODER_BYTES = 128 * 1024 * 1024,
	FIRST_OUTPUT_BYTES = 64 * 1024,
};

size_t inflate_limit(size_t compressed)
{
	if (compressed <= INFLATE_ALWAYS_ALLOWED_BYTES / INFLATE_MAX_RATIO)
		return INFLATE_ALWAYS_ALLOWED_BYTES;
	return compressed < INFLATE_MAX_BYTES / INFLATE_MAX_RATIO ? compressed * INFLATE_MAX_RATIO :
								    INFLATE_MAX_BYTES;
}

static const char *describe(lzma_ret result)
{
	switch (result) {
	case LZMA_FORMAT_ERROR: return "it is not an xz stream";
	case LZMA_DATA_ERROR: return "its check does not match";
	case LZMA_BUF_ERROR: return "it is cut short";
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_MEM_ERROR: return "decompressing it needs too much memory";
	default: return "it cannot be decompressed";
	}
}

uint8_t *xz_inflate(const uint8_t *bytes, size_t size, size_t *inflated_size, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	size_t limit = inflate_limit(size);
	size_t capacity = FIRST_OUTPUT_BYTES;
	uint8_t *inflated = xmalloc(capacity);
	lzma_ret result = lzma_stream_decoder(&stream, MAX_DECODER_BYTES, LZMA_CONCATENATED);

	stream.next_in = bytes;
	stream.avail_in = size;
	while (result == LZMA_OK) {
		if (stream.total_out == capacity && capacity >= limit)
			break;
		if (stream.total_out == capacity) {
			capacity = capacity < limit / 2 ? capacity * 2 : limit;
			inflated = xrealloc(inflated, capacity);
		}
		stream.next_out = inflated + stream.total_out;
		stream.avail_out = capacity - (size_t)stream.total_out;
		result = lzma_code(&stream, LZMA_FINISH);
	}
	*inflated_size = (size_t)stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END)
		return inflated;
	free(inflated);
	if (result == LZMA_OK)
		error_set(err, "%zu bytes decompress to more than %zu", size, limit);
	else
		error_set(err, "%s", describe(result));
	return NULL;
}
