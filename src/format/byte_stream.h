#ifndef XPROF_FORMAT_BYTE_STREAM_H
#define XPROF_FORMAT_BYTE_STREAM_H

/*
 * A pipe as a source of records: a window over the bytes that were read last. Memory is limited to the
 * window, however long the input is.
 */

#include "format/record_source.h"

struct byte_stream;

/* Takes ownership of `fd`. `name` is for messages. */
struct byte_stream *byte_stream_create(int fd, const char *name);
void byte_stream_destroy(struct byte_stream *stream);

/* Valid as long as the stream. Bytes in its window are valid until the next refill. */
struct record_source *byte_stream_source(struct byte_stream *stream);

#endif
