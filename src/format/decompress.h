#ifndef XPROF_FORMAT_DECOMPRESS_H
#define XPROF_FORMAT_DECOMPRESS_H

/*
 * Records inside COMPRESSED records (perf record -z): one zstd stream runs through all compressed records of
 * a file, and a record may begin in one of them and end in the next. They are decompressed piece by piece, so
 * that memory does not depend on how much a record expands.
 */

#include "format/record_source.h"

struct decompressor;

/* Was xprof built with libzstd? Without libzstd no other function may be called. */
bool decompressor_available(void);

/*
 * retain: decompressed bytes stay valid until decompressor_destroy(), for a file that did not announce
 * compression; otherwise until the next refill.
 */
struct decompressor *decompressor_create(bool swap, bool retain);
void decompressor_destroy(struct decompressor *decompressor);

/*
 * Starts a thread that decompresses in advance. `records` begins with the compressed record that is fed
 * first, and its bytes must stay valid until decompressor_destroy(); the caller feeds the compressed records
 * in file order. Results do not change. Does nothing if no thread can be started.
 */
void decompressor_start_task(struct decompressor *decompressor, const struct record_source *records);

/*
 * Feeds the next bytes of the stream, from the record at `file_offset`. The bytes must stay valid until the
 * source ends.
 */
void decompressor_feed(struct decompressor *decompressor, const uint8_t *bytes, size_t size,
		       uint64_t file_offset);

/*
 * The decompressed records. RECORD_END and RECORD_CUT mean that the next compressed record must be fed. A
 * refill fails if the stream is damaged.
 */
struct record_source *decompressor_source(struct decompressor *decompressor);

/* Call after damage: drops the remaining input and expects a new zstd frame. */
void decompressor_reset(struct decompressor *decompressor);

#endif
