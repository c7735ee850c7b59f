#ifndef XPROF_FORMAT_PERF_WRITER_H
#define XPROF_FORMAT_PERF_WRITER_H

/*
 * Writes a perf.data that can be read at any moment.
 *
 *   header (104) | attr + its ids section, each | ids | data … | feature table | features
 *
 * Until perf_writer_finish() the header has no feature bits: features that readers need are in front of the
 * data, as HEADER_FEATURE and HEADER_BUILD_ID records. Every flush ends on a record boundary and then patches
 * data.size, so that everything up to the last flush can be read if the recorder is killed. The ordinary
 * feature table is written at the end, behind the data; then the header is made final.
 *
 * perf refuses a file with tracepoints if its feature table has no TRACING_DATA, and some of its commands
 * refuse one with compressed records if the table has no COMPRESSED. So the bytes of these two features are
 * between the ids and the data, and each flush writes a table of them behind the data.
 *
 * Writing to a pipe ("-") uses pipe mode: attrs as HEADER_ATTR records, no patching, no table.
 *
 * Integers are in this machine's byte order, unless perf_writer_configure() says otherwise. attr.size written
 * is at most 128 (PERF_ATTR_SIZE_VER7), which every reader in use accepts; attrs given as bytes keep their
 * size.
 *
 *     struct perf_writer *writer = perf_writer_over(output_file_create("perf.data", &err));
 *
 *     perf_writer_set_string(writer, HEADER_HOSTNAME, name);
 *     if (perf_writer_begin(writer, events, event_count, &err) == 0 &&
 *         perf_writer_append(writer, records, size, &err) == 0)
 *             perf_writer_finish(writer, &err);
 *     perf_writer_close(writer);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "format/write/compress.h"
#include "format/write/event_encode.h"
#include "format/write/output_file.h"

struct perf_writer;

/*
 * For a file that is useless until it is complete: the new file has mode 0600 and no name, and `path` stays unchanged,
 * until perf_writer_finish(). Returns NULL with err set on failure.
 */
struct perf_writer *perf_writer_create_temporary(const char *path, struct error *err);

/*
 * Gives such a file its name before it is finished. Call it when enough has been written and flushed that readers can open
 * the file.
 */
int perf_writer_publish(struct perf_writer *writer, struct error *err);

/* Writes to an output that is open already and takes ownership of it; returns NULL for NULL. */
struct perf_writer *perf_writer_over(struct output_file *output);

struct perf_writer_options {
	unsigned int compression_level; /* zstd, see compress.h; 0: no compression */
	bool swap;     /* attr_bytes, records, features and the output are in the opposite byte order to this
			  machine's; requires verbatim */
	bool verbatim; /* for copies of files: features are written as they were set, only behind the data (in
			  a pipe: before it), and no EVENT_DESC is made */
};

/* Is it pipe mode? If so, all features must be set before perf_writer_begin(). */
bool perf_writer_is_pipe(const struct perf_writer *writer);

/* Call before all other functions. Returns -1 with err set if compression is requested but not available. */
int perf_writer_configure(struct perf_writer *writer, const struct perf_writer_options *options,
			  struct error *err);

/* Closes without finishing: the file stays readable up to the last flush. */
void perf_writer_close(struct perf_writer *writer);

/*
 * Sets a feature's bytes, in the format of its section (perf.data-file-format.txt). If set before
 * perf_writer_begin(), they are also written as a record in front of the data. They may be set again later; the
 * final table has the last ones.
 */
void perf_writer_set_feature(struct perf_writer *writer, unsigned int feature, const void *bytes,
			     size_t size);

/* Helpers that encode common features. Strings are padded as perf pads them. */
void perf_writer_set_string(struct perf_writer *writer, unsigned int feature, const char *text);
void perf_writer_set_strings(struct perf_writer *writer, unsigned int feature, const char *const *texts,
			     size_t count);
/* Adds a HEADER_BUILD_ID entry; misc is the cpumode. For equal paths, only the last build-id is kept. */
void perf_writer_add_build_id(struct perf_writer *writer, const char *path, uint16_t misc,
			      const uint8_t *build_id, size_t build_id_size);

/*
 * Writes header, attrs, ids and the features set so far. Makes EVENT_DESC from the events. Call it once, before
 * appending.
 */
int perf_writer_begin(struct perf_writer *writer, const struct written_event *events, size_t count,
		      struct error *err);

/*
 * Appends whole records, which are buffered. Returns -1 with err set if the disk is full or the pipe is closed; the file is
 * then cut back to the last whole record that could be written.
 */
int perf_writer_append(struct perf_writer *writer, const void *records, size_t size, struct error *err);

/*
 * Appends bytes that must not be compressed: a record that is followed by bytes that its size does not count
 * (AUXTRACE), and those bytes, in any number of calls.
 */
int perf_writer_append_plain(struct perf_writer *writer, const void *bytes, size_t size, struct error *err);

/* Overwrites bytes from perf_writer_append_plain(). Not for pipes. */
int perf_writer_overwrite(struct perf_writer *writer, uint64_t file_offset, const void *bytes, size_t size,
			  struct error *err);

/*
 * `filter` is called for the buffered records before they are written. It may leave out some, moves the others together, and
 * returns their size.
 */
void perf_writer_filter_by(struct perf_writer *writer,
			   size_t (*filter)(uint8_t *records, size_t size, void *context), void *context);

/* Writes the buffered records and patches data.size. */
int perf_writer_flush(struct perf_writer *writer, struct error *err);

/* Flushes, writes the feature table and the final header. */
int perf_writer_finish(struct perf_writer *writer, struct error *err);

/* The size of the data so far, without the header; buffered records count uncompressed. */
uint64_t perf_writer_data_bytes(const struct perf_writer *writer);

/* Are records compressed when they are flushed? */
bool perf_writer_compresses(const struct perf_writer *writer);

/* The uncompressed size of the records that the next flush writes. */
size_t perf_writer_buffered_bytes(const struct perf_writer *writer);

/* Sizes before and after compression up to the last flush; all 0 without compression. */
struct compression_totals perf_writer_compression(const struct perf_writer *writer);

/* The file offset of the next perf_writer_append_plain(), behind everything appended so far. */
int perf_writer_file_offset(struct perf_writer *writer, uint64_t *file_offset, struct error *err);

#endif
