/* Decompresses any bytes as a zstd stream that comes in pieces: { u8 swap and length of a piece; the stream }. */

#include "format/decompress.h"
#include "support/event_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static enum record_status walk(struct decompressor *decompressor, uint64_t *decompressed_bytes)
{
	struct event event;
	struct error err;
	enum record_status status;

	while ((status = record_source_next(decompressor_source(decompressor), &event, &err)) == RECORD_OK) {
		event_walk_record(&event);
		*decompressed_bytes += event.size;
	}
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint64_t enough_bytes = 1 << 20; /* enough of a decompression bomb */
	struct decompressor *decompressor;
	uint64_t decompressed_bytes = 0;
	size_t piece;

	if (size == 0 || !decompressor_available())
		return 0;
	piece = 1 + (size_t)(bytes[0] >> 1) * 8;
	decompressor = decompressor_create(bytes[0] & 1, bytes[0] & 2);
	for (size_t start = 1; start < size && decompressed_bytes < enough_bytes; start += piece) {
		enum record_status status;

		decompressor_feed(decompressor, bytes + start, size - start < piece ? size - start : piece,
				  start);
		status = walk(decompressor, &decompressed_bytes);
		if (status != RECORD_END && status != RECORD_CUT)
			decompressor_reset(decompressor);
	}
	decompressor_destroy(decompressor);
	return 0;
}
