#include "format/decompress.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#ifdef HAVE_LIBZSTD

#include <zstd.h>

enum {
	/* Of what is unfolded at a time: four of the largest records. */
	BLOCK_SIZE_BYTES = 256 * 1024,
	/* In case a file that does not announce compression holds it: more than its user would wait for. */
	RETAINED_MAX_BLOCKS = 8192,
};

struct block {
	struct block *older;
	uint8_t bytes[BLOCK_SIZE_BYTES];
};

struct decompressor {
	struct record_source source;
	ZSTD_DStream *stream;
	ZSTD_inBuffer input;
	struct block *newest;
	size_t block_count;
	bool retain;
};

static struct block *push_block(struct decompressor *decompressor)
{
	struct block *block = xmalloc(sizeof(*block));

	block->older = decompressor->newest;
	decompressor->newest = block;
	decompressor->block_count++;
	return block;
}

/* Moves what is left of the window to the front of the block, or of a new one. */
static int make_room(struct decompressor *decompressor, struct error *err)
{
	struct record_source *source = &decompressor->source;
	size_t kept = (size_t)(source->end - source->next);
	struct block *block = decompressor->newest;

	if (!block || decompressor->retain) {
		if (decompressor->block_count == RETAINED_MAX_BLOCKS)
			return error_set(
				err,
				"compressed records expand to more than %d MiB in a file that announces none",
				RETAINED_MAX_BLOCKS / (1024 * 1024 / BLOCK_SIZE_BYTES));
		block = push_block(decompressor);
	}
	if (kept)
		memmove(block->bytes, source->next, kept);
	source->next = block->bytes;
	source->end = block->bytes + kept;
	return 0;
}

static int decompress_more(struct decompressor *decompressor, struct error *err)
{
	struct record_source *source = &decompressor->source;
	struct block *block = decompressor->newest;
	ZSTD_outBuffer output = { .dst = block->bytes,
				  .size = BLOCK_SIZE_BYTES,
				  .pos = (size_t)(source->end - block->bytes) };
	size_t before = output.pos, consumed = decompressor->input.pos;
	size_t status = ZSTD_decompressStream(decompressor->stream, &output, &decompressor->input);

	if (ZSTD_isError(status))
		return error_set(err, "damaged zstd stream: %s", ZSTD_getErrorName(status));
	source->end = block->bytes + output.pos;
	return output.pos > before || decompressor->input.pos > consumed;
}

static int refill(void *context, size_t size, struct error *err)
{
	struct decompressor *decompressor = context;
	struct record_source *source = &decompressor->source;

	if (!decompressor->stream)
		return error_set(err, "cannot set up zstd");
	if ((!decompressor->newest ||
	     (size_t)(decompressor->newest->bytes + BLOCK_SIZE_BYTES - source->next) < size) &&
	    make_room(decompressor, err) != 0)
		return -1;
	while ((size_t)(source->end - source->next) < size) {
		int more = decompress_more(decompressor, err);

		if (more <= 0)
			return more;
	}
	return 1;
}

struct decompressor *decompressor_create(bool swap, bool retain)
{
	struct decompressor *decompressor = xcalloc(1, sizeof(*decompressor));

	decompressor->source =
		(struct record_source){ .swap = swap, .refill = refill, .context = decompressor };
	decompressor->retain = retain;
	decompressor->stream = ZSTD_createDStream();
	return decompressor;
}

void decompressor_destroy(struct decompressor *decompressor)
{
	if (!decompressor)
		return;
	while (decompressor->newest) {
		struct block *block = decompressor->newest;

		decompressor->newest = block->older;
		free(block);
	}
	ZSTD_freeDStream(decompressor->stream);
	free(decompressor);
}

void decompressor_feed(struct decompressor *decompressor, const uint8_t *bytes, size_t size)
{
	decompressor->input = (ZSTD_inBuffer){ .src = bytes, .size = size };
}

void decompressor_reset(struct decompressor *decompressor)
{
	decompressor->source.next = decompressor->source.end;
	decompressor->input = (ZSTD_inBuffer){ 0 };
	if (decompressor->stream)
		ZSTD_DCtx_reset(decompressor->stream, ZSTD_reset_session_only);
}

bool decompressor_available(void)
{
	return true;
}

#else

struct decompressor {
	struct record_source source;
};

bool decompressor_available(void)
{
	return false;
}

struct decompressor *decompressor_create(bool swap, bool retain)
{
	struct decompressor *decompressor = xcalloc(1, sizeof(*decompressor));

	(void)retain;
	decompressor->source = (struct record_source){ .swap = swap };
	return decompressor;
}

void decompressor_destroy(struct decompressor *decompressor)
{
	free(decompressor);
}

void decompressor_feed(struct decompressor *decompressor, const uint8_t *bytes, size_t size)
{
	(void)decompressor;
	(void)bytes;
	(void)size;
}

void decompressor_reset(struct decompressor *decompressor)
{
	decompressor->source.next = decompressor->source.end;
}

#endif

struct record_source *decompressor_source(struct decompressor *decompressor)
{
	return &decompressor->source;
}
