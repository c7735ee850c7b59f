/*
 * refill() makes room in a block of 256 KiB and decompresses into it until the present record is complete, so memory never
 * holds a large expansion at once. decompress() takes bytes from the background thread as long as that has any, then runs
 * zstd itself from where the thread stopped. The #else part is for builds without libzstd.
 */
#include "format/decompress.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/decompress_task.h"

#ifdef HAVE_LIBZSTD

#include <zstd.h>

enum {
	/* Decompressed at a time: as much as four of the largest records. */
	BLOCK_SIZE_BYTES = 256 * 1024,
	/* Limit for compressed records in a file that does not announce compression: more than its user would wait for. */
	RETAINED_MAX_BLOCKS = 8192,
};

struct block {
	struct block *older;
	uint8_t bytes[BLOCK_SIZE_BYTES];
};

struct decompressor {
	struct record_source source;
	ZSTD_DStream *stream;
	struct decompress_piece input; /* its output is set for each step */
	uint64_t input_offset;         /* in the file */
	struct decompress_task *task;  /* NULL: this thread runs zstd itself */
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

/* Moves the rest of the window to the front of the block, or of a new one. */
static int make_room(struct decompressor *decompressor, struct error *err)
{
	struct record_source *source = &decompressor->source;
	size_t kept = (size_t)(source->end - source->next);
	struct block *block = decompressor->newest;

	if (!block || decompressor->retain) {
		if (decompressor->block_count == RETAINED_MAX_BLOCKS)
			return error_set(
				err,
				"compressed records expand to more than %d MiB in a file whose header does "
				"not announce compression",
				RETAINED_MAX_BLOCKS / (1024 * 1024 / BLOCK_SIZE_BYTES));
		block = push_block(decompressor);
	}
	if (kept)
		memmove(block->bytes, source->next, kept);
	source->next = block->bytes;
	source->end = block->bytes + kept;
	return 0;
}

static int step_of_zstd(void *stream, struct decompress_piece *piece, struct error *err)
{
	ZSTD_inBuffer input = { .src = piece->in, .size = piece->in_size, .pos = piece->in_done };
	ZSTD_outBuffer output = { .dst = piece->out, .size = piece->out_size, .pos = piece->out_done };
	const size_t status = ZSTD_decompressStream(stream, &output, &input);
	bool more;

	if (ZSTD_isError(status))
		return error_set(err, "damaged zstd stream: %s", ZSTD_getErrorName(status));
	more = output.pos > piece->out_done || input.pos > piece->in_done;
	piece->in_done = input.pos;
	piece->out_done = output.pos;
	return more;
}

static void stop_looking_ahead(struct decompressor *decompressor)
{
	decompress_task_stop(decompressor->task);
	decompressor->task = NULL;
}

/* 1; 0 if the compressed record has no more bytes; -1 if the stream is damaged. */
static int decompress(struct decompressor *decompressor, struct error *err)
{
	enum decompress_status status = DECOMPRESS_YOURSELF;

	if (decompressor->task)
		status = decompress_task_take(decompressor->task, decompressor->input_offset,
					      &decompressor->input, err);
	if (status != DECOMPRESS_YOURSELF)
		return (int)status;
	stop_looking_ahead(decompressor);
	return step_of_zstd(decompressor->stream, &decompressor->input, err);
}

static int decompress_more(struct decompressor *decompressor, struct error *err)
{
	struct record_source *source = &decompressor->source;
	struct block *block = decompressor->newest;
	int more;

	decompressor->input.out = block->bytes;
	decompressor->input.out_size = BLOCK_SIZE_BYTES;
	decompressor->input.out_done = (size_t)(source->end - block->bytes);
	more = decompress(decompressor, err);
	source->end = block->bytes + decompressor->input.out_done;
	return more;
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
	stop_looking_ahead(decompressor);
	while (decompressor->newest) {
		struct block *block = decompressor->newest;

		decompressor->newest = block->older;
		free(block);
	}
	ZSTD_freeDStream(decompressor->stream);
	free(decompressor);
}

void decompressor_start_task(struct decompressor *decompressor, const struct record_source *records)
{
	if (decompressor->stream && !decompressor->task)
		decompressor->task = decompress_task_start(records, step_of_zstd, decompressor->stream);
}

void decompressor_feed(struct decompressor *decompressor, const uint8_t *bytes, size_t size,
		       uint64_t file_offset)
{
	decompressor->input = (struct decompress_piece){ .in = bytes, .in_size = size };
	decompressor->input_offset = file_offset;
}

void decompressor_reset(struct decompressor *decompressor)
{
	stop_looking_ahead(decompressor);
	decompressor->source.next = decompressor->source.end;
	decompressor->input = (struct decompress_piece){ 0 };
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

void decompressor_start_task(struct decompressor *decompressor, const struct record_source *records)
{
	(void)decompressor, (void)records;
}

void decompressor_feed(struct decompressor *decompressor, const uint8_t *bytes, size_t size,
		       uint64_t file_offset)
{
	(void)decompressor, (void)bytes, (void)size, (void)file_offset;
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
