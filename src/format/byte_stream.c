/*
 * If a record is cut at the end of the window and would not fit behind, refill() moves its first part to the front. Then it
 * reads until the record is whole. The window is larger than any record, so that is all the buffering there is.
 */
#include "format/byte_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"

/* Sixteen times the capacity of a pipe, so that an incomplete record rarely has to move; larger than any record. */
enum { WINDOW_SIZE_BYTES = 1024 * 1024 };

struct byte_stream {
	struct record_source source;
	int fd;
	char *name;
	uint8_t *window;
};

/* Reads into the window until `size` bytes are there. 0 if the input ends before. */
static int read_until(struct byte_stream *stream, size_t size, struct error *err)
{
	uint8_t *end = stream->window + (stream->source.end - stream->window);
	const uint8_t *limit = stream->window + WINDOW_SIZE_BYTES;

	while ((size_t)(end - stream->source.next) < size) {
		ssize_t got = TEMP_FAILURE_RETRY(read(stream->fd, end, (size_t)(limit - end)));

		if (got < 0)
			return error_set_errno(err, errno, "cannot read %s", stream->name);
		if (got == 0)
			return 0;
		end += got;
		stream->source.end = end;
	}
	return 1;
}

static int refill(void *context, size_t size, struct error *err)
{
	struct byte_stream *stream = context;
	size_t kept = (size_t)(stream->source.end - stream->source.next);

	if (size > WINDOW_SIZE_BYTES)
		return error_set(err, "%s: a record of %zu bytes is larger than the read buffer for pipes",
				 stream->name, size);
	if ((size_t)(stream->window + WINDOW_SIZE_BYTES - stream->source.next) < size) {
		memmove(stream->window, stream->source.next, kept);
		stream->source.next = stream->window;
		stream->source.end = stream->window + kept;
	}
	return read_until(stream, size, err);
}

struct byte_stream *byte_stream_create(int fd, const char *name)
{
	struct byte_stream *stream = xcalloc(1, sizeof(*stream));

	stream->fd = fd;
	stream->name = xstrdup(name);
	stream->window = xmalloc(WINDOW_SIZE_BYTES);
	stream->source = (struct record_source){
		.next = stream->window,
		.end = stream->window,
		.refill = refill,
		.context = stream,
	};
	return stream;
}

void byte_stream_destroy(struct byte_stream *stream)
{
	if (!stream)
		return;
	close(stream->fd);
	free(stream->name);
	free(stream->window);
	free(stream);
}

struct record_source *byte_stream_source(struct byte_stream *stream)
{
	return &stream->source;
}
