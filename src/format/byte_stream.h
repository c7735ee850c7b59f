#ifndef XPROF_FORMAT_BYTE_STREAM_H
#define XPROF_FORMAT_BYTE_STREAM_H

/*
 * A pipe as a source of records: a window over the bytes that were read last.
 * Memory is the window's, whatever comes through the pipe.
 */

#include "format/record_source.h"

struct byte_stream;

/* Owns fd from now on. `name` is for messages. */
struct byte_stream *byte_stream_create(int fd, const char *name);
void byte_stream_destroy(struct byte_stream *stream);

/* Valid as long as the stream; bytes in its window until the next refill. */
struct record_source *byte_stream_source(struct byte_stream *stream);

#endif
