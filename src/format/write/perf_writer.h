#ifndef XPROF_FORMAT_PERF_WRITER_H
#define XPROF_FORMAT_PERF_WRITER_H

/*
 * Writes a perf.data that is whole at every moment.
 *
 *   header (104) | attr + its ids section, each | ids | data … | feature table | features
 *
 * Until perf_writer_finish() the header has no feature bits: what readers need
 * to know goes in front of the data as HEADER_FEATURE and HEADER_BUILD_ID
 * records. Every flush ends on a record boundary and then patches data.size, so
 * whatever kills the recorder, everything up to the last flush can be read. The
 * ordinary feature table is written at the end, behind the data, and only then
 * the header is made final.
 *
 * perf refuses a file with tracepoints whose feature table has no TRACING_DATA, and
 * some of its commands one with compressed records whose table has no COMPRESSED: so
 * these bytes lie between the ids and the data, and a table of these features follows
 * the data after every flush.
 *
 * Writing to a pipe ("-") uses pipe mode: attrs as HEADER_ATTR records, no
 * patching, no table.
 *
 * Integers are in this machine's byte order, unless perf_writer_configure() says
 * otherwise. attr.size written is at most 128 (PERF_ATTR_SIZE_VER7), which every
 * reader in use accepts; attrs given as bytes keep their size.
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
 * until perf_writer_finish(). NULL with err on failure.
 */
struct perf_writer *perf_writer_create_temporary(const char *path, struct error *err);

/*
 * Gives such a file its name before it is finished: the caller has written, and flushed, as much as a reader needs to open
 * it. From then on it is a file like others.
 */
int perf_writer_publish(struct perf_writer *writer, struct error *err);

/* Writes to an output that is open already and takes ownership of it; returns NULL for NULL. */
struct perf_writer *perf_writer_over(struct output_file *output);

struct perf_writer_options {
	unsigned int compression_level; /* zstd, see compress.h; 0: records stay as they are */
	bool swap;     /* attr_bytes, records and features are in the opposite byte order to this
					   machine's, and the file is written so: verbatim alone */
	bool verbatim; /* for a file that is a copy: features are written as they were set, behind
					   the data only (in a pipe: ahead), and no EVENT_DESC is made */
};

/* Is it pipe mode? If so, all features must be set before perf_writer_begin(). */
bool perf_writer_is_pipe(const struct perf_writer *writer);

/* Before anything else. -1 when compression is asked for and cannot be had. */
int perf_writer_configure(struct perf_writer *writer, const struct perf_writer_options *options,
			  struct error *err);

/* Closes without finishing: the file stays readable up to the last flush. */
void perf_writer_close(struct perf_writer *writer);

/*
 * Sets a feature's bytes (format of its section, see perf.data-file-format.txt). Before perf_writer_begin() they are
 * written ahead as a record too; set again later, the final table has the new ones.
 */
void perf_writer_set_feature(struct perf_writer *writer, unsigned int feature, const void *bytes,
			     size_t size);

/* Helpers that encode common features. Strings are padded as perf pads them. */
void perf_writer_set_string(struct perf_writer *writer, unsigned int feature, const char *text);
void perf_writer_set_strings(struct perf_writer *writer, unsigned int feature, const char *const *texts,
			     size_t count);
/* One HEADER_BUILD_ID entry more; misc is the cpumode. Equal paths are kept once, the last build-id wins. */
void perf_writer_add_build_id(struct perf_writer *writer, const char *path, uint16_t misc,
			      const uint8_t *build_id, size_t build_id_size);

/* Writes header, attrs, ids and the features written ahead. EVENT_DESC is made from the events. Once, first. */
int perf_writer_begin(struct perf_writer *writer, const struct written_event *events, size_t count,
		      struct error *err);

/* Appends whole records; buffered. -1 when the disk is full or the pipe is gone; the file is cut back to the last flush. */
int perf_writer_append(struct perf_writer *writer, const void *records, size_t size, struct error *err);

/*
 * Appends bytes that are never compressed: a record with bytes behind it that its size does not
 * count (AUXTRACE), and those bytes, in as many pieces as there are.
 */
int perf_writer_append_plain(struct perf_writer *writer, const void *bytes, size_t size, struct error *err);

/* Writes over bytes that were appended plainly. Not in a pipe. */
int perf_writer_overwrite(struct perf_writer *writer, uint64_t file_offset, const void *bytes, size_t size,
			  struct error *err);

/* Writes out what is buffered and patches data.size. */
int perf_writer_flush(struct perf_writer *writer, struct error *err);

/* Flushes, writes the feature table and the final header. */
int perf_writer_finish(struct perf_writer *writer, struct error *err);

/* Of the data so far, without header; what is buffered counts as it is before it is compressed. */
uint64_t perf_writer_data_bytes(const struct perf_writer *writer);

/* Are records compressed when they are flushed? */
bool perf_writer_compresses(const struct perf_writer *writer);

/* Of records that the next flush writes, as they are before they are compressed. */
size_t perf_writer_buffered_bytes(const struct perf_writer *writer);

/* Sizes before and after compression up to the last flush; all 0 without compression. */
struct compression_totals perf_writer_compression(const struct perf_writer *writer);

/* The file offset of the next append_plain(): behind everything that was appended. */
int perf_writer_file_offset(struct perf_writer *writer, uint64_t *file_offset, struct error *err);

#endif
