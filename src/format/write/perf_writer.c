/*
 * perf_writer_begin() writes header, attrs and ids; appended records gather in a buffer; a flush writes them behind the data
 * and then patches data.size, in write_piece(). That order is what keeps the file whole. When a write fails, write_what_fits()
 * saves as many records as there is room for, and cut_back() ends the file there.
 */
#include "format/write/perf_writer.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "format/record_header.h"
#include "format/write/feature_encode.h"
#include "format/write/output_file.h"

enum {
	/* One write(2) per flush at usual rates, and not much to lose if the recorder is killed. */
	BUFFER_SIZE_BYTES = 512 * 1024,
	SECTION_SIZE_BYTES = 16, /* struct perf_file_section: u64 offset, u64 size */
	DATA_SIZE_OFFSET = 48,   /* of data.size in struct perf_file_header */
};

struct perf_writer {
	struct output_file *output;
	struct perf_writer_options options;
	struct compressor *compressor; /* NULL: no compression */
	struct feature_set features;
	struct strbuf buffer; /* whole records, not yet written */
	struct strbuf packed; /* the same records, compressed */
	size_t attr_size;     /* of each event, in the file */
	uint64_t data_offset;
	uint64_t flushed_bytes;      /* size of the data section */
	struct strbuf attrs;         /* the struct perf_file_attr of each event, kept for the final header */
	struct strbuf running_table; /* the feature table until the final one; usually empty */
	/* May be NULL; see perf_writer_filter_by(). */
	size_t (*filter)(uint8_t *records, size_t size, void *context);
	void *filter_context;
	bool begun;
	bool failed; /* an earlier write failed: the file was cut back and accepts nothing more */
};

struct perf_writer *perf_writer_over(struct output_file *output)
{
	struct perf_writer *writer;

	if (!output)
		return NULL;
	writer = xcalloc(1, sizeof(*writer));
	writer->output = output;
	strbuf_init(&writer->buffer);
	strbuf_init(&writer->packed);
	strbuf_init(&writer->attrs);
	strbuf_init(&writer->running_table);
	return writer;
}

struct perf_writer *perf_writer_create_temporary(const char *path, struct error *err)
{
	return perf_writer_over(output_file_create_temporary(path, err));
}

int perf_writer_publish(struct perf_writer *writer, struct error *err)
{
	return output_file_publish(writer->output, err);
}

void perf_writer_close(struct perf_writer *writer)
{
	if (!writer)
		return;
	output_file_close(writer->output);
	compressor_destroy(writer->compressor);
	feature_set_fini(&writer->features);
	strbuf_fini(&writer->buffer);
	strbuf_fini(&writer->packed);
	strbuf_fini(&writer->attrs);
	strbuf_fini(&writer->running_table);
	free(writer);
}

bool perf_writer_is_pipe(const struct perf_writer *writer)
{
	return !output_file_seekable(writer->output);
}

/*
 * HEADER_COMPRESSED: u32 version, type (PERF_COMP_ZSTD), level, ratio, mmap_len. In front of the data the ratio is not
 * known yet; readers need only the others.
 */
static void set_compression_feature(struct perf_writer *writer)
{
	enum { VERSION = 1, PERF_COMP_ZSTD = 1 };
	const double ratio = compression_ratio(compressor_totals(writer->compressor));
	const uint32_t fields[] = { VERSION, PERF_COMP_ZSTD, writer->options.compression_level,
				    (uint32_t)(ratio + 0.5), DECOMPRESSED_MAX_BYTES };
	struct strbuf bytes = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		strbuf_add_u32(&bytes, fields[i], writer->options.swap);
	feature_set_put(&writer->features, HEADER_COMPRESSED, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

int perf_writer_configure(struct perf_writer *writer, const struct perf_writer_options *options,
			  struct error *err)
{
	writer->options = *options;
	writer->features.swap = options->swap;
	if (!options->compression_level)
		return 0;
	writer->compressor = compressor_create(options->compression_level, options->swap, err);
	if (!writer->compressor)
		return -1;
	set_compression_feature(writer);
	return 0;
}

void perf_writer_set_feature(struct perf_writer *writer, unsigned int feature, const void *bytes, size_t size)
{
	feature_set_put(&writer->features, feature, bytes, size);
}

void perf_writer_set_string(struct perf_writer *writer, unsigned int feature, const char *text)
{
	struct strbuf bytes = STRBUF_INIT;

	feature_add_string(&bytes, text);
	feature_set_put(&writer->features, feature, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

void perf_writer_set_strings(struct perf_writer *writer, unsigned int feature, const char *const *texts,
			     size_t count)
{
	struct strbuf bytes = STRBUF_INIT;

	strbuf_add_u32(&bytes, (uint32_t)count, false);
	for (size_t i = 0; i < count; i++)
		feature_add_string(&bytes, texts[i]);
	feature_set_put(&writer->features, feature, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

void perf_writer_add_build_id(struct perf_writer *writer, const char *path, uint16_t misc,
			      const uint8_t *build_id, size_t build_id_size)
{
	feature_set_add_build_id(&writer->features, path, misc, build_id, build_id_size);
}

static void put_feature(struct perf_writer *writer, unsigned int feature, const struct strbuf *bytes)
{
	feature_set_put(&writer->features, feature, bytes->bytes, bytes->size);
}

static void describe_events(struct perf_writer *writer, const struct written_events *events)
{
	struct strbuf bytes = STRBUF_INIT;

	written_events_add_desc(events, &bytes);
	put_feature(writer, HEADER_EVENT_DESC, &bytes);
	strbuf_reset(&bytes);
	if (written_events_add_groups(events, &bytes))
		put_feature(writer, HEADER_GROUP_DESC, &bytes);
	strbuf_fini(&bytes);
	/* Empty: its presence says that samples have branches. */
	if (written_events_have_branches(events))
		feature_set_put(&writer->features, HEADER_BRANCH_STACK, "", 0);
}

static void add_section(const struct perf_writer *writer, struct strbuf *out, uint64_t offset, uint64_t size)
{
	strbuf_add_u64(out, offset, writer->options.swap);
	strbuf_add_u64(out, size, writer->options.swap);
}

/* struct perf_file_header */
static void add_file_header(const struct perf_writer *writer, struct strbuf *out,
			    const uint64_t feature_bits[4])
{
	const bool swap = writer->options.swap;

	strbuf_add_u64(out, PERF_FILE_MAGIC2, swap);
	strbuf_add_u64(out, PERF_FILE_HEADER_SIZE, swap);
	strbuf_add_u64(out, writer->attr_size + SECTION_SIZE_BYTES, swap); /* size of struct perf_file_attr */
	add_section(writer, out, PERF_FILE_HEADER_SIZE, writer->attrs.size);
	add_section(writer, out, writer->data_offset, writer->flushed_bytes);
	add_section(writer, out, 0, 0); /* event_types: obsolete */
	for (int i = 0; i < 4; i++)
		strbuf_add_u64(out, feature_bits[i], swap);
}

/*
 * Features that perf must find in a feature table, because some of its commands do not read HEADER_FEATURE records: the
 * formats of tracepoints, and the buffer size of compressed records.
 */
static const unsigned int running_features[] = { HEADER_TRACING_DATA, HEADER_COMPRESSED };

/* Puts these features in front of the data, since the feature table moves with the end of the data. */
static void add_running_features(struct perf_writer *writer, struct strbuf *front, uint64_t feature_bits[4])
{
	for (size_t i = 0; i < sizeof(running_features) / sizeof(running_features[0]); i++) {
		struct feature_bytes *feature = &writer->features.features[running_features[i]];

		if (!feature->set)
			continue;
		feature_bits[0] |= (uint64_t)1 << running_features[i];
		feature->section_offset = writer->data_offset;
		add_section(writer, &writer->running_table, writer->data_offset, feature->size);
		strbuf_add(front, feature->bytes, feature->size);
		strbuf_add_zeros(front, -feature->size & 7);
		writer->data_offset += (feature->size + 7) & ~(size_t)7;
	}
}

static void add_ids_of_all(struct perf_writer *writer, struct strbuf *front,
			   const struct written_events *events)
{
	writer->data_offset =
		PERF_FILE_HEADER_SIZE + events->count * (events->attr_bytes + SECTION_SIZE_BYTES);
	for (size_t i = 0; i < events->count; i++) {
		uint64_t ids_size = events->items[i].id_count * sizeof(uint64_t);

		written_events_add_attr(events, i, &writer->attrs);
		add_section(writer, &writer->attrs, writer->data_offset, ids_size);
		written_events_add_ids(events, i, front);
		writer->data_offset += ids_size;
	}
}

/* Writes everything in front of the data. */
static int write_front(struct perf_writer *writer, const struct written_events *events, struct error *err)
{
	uint64_t feature_bits[4] = { 0 };
	struct strbuf header = STRBUF_INIT, front = STRBUF_INIT;
	int result;

	add_ids_of_all(writer, &front, events);
	add_running_features(writer, &front, feature_bits);
	add_file_header(writer, &header, feature_bits);
	strbuf_add(&header, writer->attrs.bytes, writer->attrs.size);
	strbuf_add(&header, front.bytes, front.size);
	strbuf_add(&header, writer->running_table.bytes, writer->running_table.size);
	result = output_file_write_at(writer->output, header.bytes, header.size, 0, err);
	strbuf_fini(&header);
	strbuf_fini(&front);
	return result;
}

static int write_pipe_header(struct perf_writer *writer, struct error *err)
{
	struct strbuf header = STRBUF_INIT;
	int result;

	strbuf_add_u64(&header, PERF_FILE_MAGIC2, writer->options.swap);
	strbuf_add_u64(&header, PERF_PIPE_HEADER_SIZE, writer->options.swap);
	result = output_file_write(writer->output, header.bytes, header.size, err);
	strbuf_fini(&header);
	return result;
}

/* Writes as records the features that readers need before the data. */
static void add_features_ahead(struct perf_writer *writer, const struct written_events *events, bool pipe)
{
	enum feature_record_form form = pipe ? FEATURE_RECORDS_IN_PIPE : FEATURE_RECORDS_IN_FILE;

	if (writer->options.verbatim && !pipe)
		return;
	if (feature_set_add_records(&writer->features, form, &writer->buffer) & FEATURE_LEFT_OUT_EVENT_DESC)
		written_events_add_name_records(events, &writer->buffer);
}

static int write_out(struct perf_writer *writer, const void *bytes, size_t size, struct error *err);

int perf_writer_begin(struct perf_writer *writer, const struct written_event *events, size_t count,
		      struct error *err)
{
	const bool pipe = perf_writer_is_pipe(writer);
	struct written_events all;

	if (writer->begun || count == 0)
		return error_set(err, "%s: a recording begins once, with at least one event",
				 output_file_name(writer->output));
	writer->begun = true;
	if (written_events_init(&all, events, count, writer->options.swap, output_file_name(writer->output),
				err) != 0)
		goto failed;
	writer->attr_size = all.attr_bytes;
	if (!writer->options.verbatim)
		describe_events(writer, &all);
	if ((pipe ? write_pipe_header(writer, err) : write_front(writer, &all, err)) != 0)
		goto failed;
	if (pipe && written_events_add_attr_records(&all, &writer->buffer, err) != 0)
		goto failed;
	add_features_ahead(writer, &all, pipe);
	/* Not compressed: these records say how others are compressed. */
	if (write_out(writer, writer->buffer.bytes, writer->buffer.size, err) != 0)
		return -1;
	strbuf_reset(&writer->buffer);
	return 0;
failed:
	writer->failed = true;
	return -1;
}

static uint64_t data_end(const struct perf_writer *writer)
{
	return writer->data_offset + writer->flushed_bytes;
}

/*
 * A write failed, probably because the disk is full. Half a record may have been written: cuts the file back to data.size,
 * where all records are whole.
 */
static int cut_back(struct perf_writer *writer, struct error *err)
{
	const struct strbuf *table = &writer->running_table;

	writer->failed = true;
	strbuf_reset(&writer->buffer);
	if (!output_file_seekable(writer->output) || output_file_is_temporary(writer->output))
		return -1;
	/* The disk space for the table is already allocated. */
	if (table->size)
		(void)output_file_write_at(writer->output, table->bytes, table->size, data_end(writer), NULL);
	output_file_truncate(writer->output, data_end(writer) + table->size);
	return error_wrap(err, "the recording ends here; everything written before can be read");
}

static int refuse_after_failure(const struct perf_writer *writer, struct error *err)
{
	return error_set(err, "%s: nothing more is written after an error", output_file_name(writer->output));
}

/*
 * Appends to the data. With a running table, writes the part that does not overlap the table first, then the table behind
 * it, then the rest. The file thus lacks a table where perf looks for it only between the last write here and that of
 * data.size, for a microsecond.
 */
static int write_data(struct perf_writer *writer, const char *bytes, size_t size, struct error *err)
{
	struct output_file *output = writer->output;
	const struct strbuf *table = &writer->running_table;
	const uint64_t end = data_end(writer);
	size_t covered = size < table->size ? size : table->size;

	if (output_file_write_at(output, bytes + covered, size - covered, end + covered, err) != 0)
		return -1;
	if (covered == 0)
		return 0;
	if (output_file_write_at(output, table->bytes, table->size, end + size, err) != 0)
		return -1;
	return output_file_write_at(output, bytes, covered, end, err);
}

static int patch_data_size(struct perf_writer *writer, uint64_t size_bytes, struct error *err)
{
	if (writer->options.swap)
		size_bytes = __builtin_bswap64(size_bytes);
	return output_file_write_at(writer->output, &size_bytes, sizeof(size_bytes), DATA_SIZE_OFFSET, err);
}

/* Appends to the data. Afterwards the file is whole with the new bytes, or data.size is unchanged. */
static int write_piece(struct perf_writer *writer, const void *bytes, size_t size, struct error *err)
{
	const bool seekable = output_file_seekable(writer->output);
	int result = seekable ? write_data(writer, bytes, size, err) :
				output_file_write(writer->output, bytes, size, err);

	/* Comes last: a reader never sees a size that the file does not have. */
	if (result == 0 && seekable)
		result = patch_data_size(writer, writer->flushed_bytes + size, err);
	if (result == 0)
		writer->flushed_bytes += size;
	return result;
}

/* How many of the bytes are whole records that fit into `limit`. */
static size_t whole_records(const char *records, size_t size, size_t limit, bool swap)
{
	struct perf_event_header header;
	size_t end = 0;

	while (size - end >= sizeof(header)) {
		memcpy(&header, records + end, sizeof(header));
		if (swap)
			header.size = __builtin_bswap16(header.size);
		if (header.size < sizeof(header) || header.size > limit - end || header.size > size - end)
			break;
		end += header.size;
	}
	return end;
}

/*
 * If the disk is full or the size of files is limited, there may be room for a part of the bytes, which can be megabytes.
 * Finds it by trying smaller and smaller pieces.
 */
static void write_what_fits(struct perf_writer *writer, const char *records, size_t size)
{
	enum { SMALLEST_PIECE_BYTES = 4096 };

	for (size_t limit = size / 2; limit >= SMALLEST_PIECE_BYTES; limit /= 2) {
		const size_t piece = whole_records(records, size, limit, writer->options.swap);

		output_file_truncate(writer->output, data_end(writer) + writer->running_table.size);
		if (piece == 0 || write_piece(writer, records, piece, NULL) != 0)
			continue;
		records += piece;
		size -= piece;
	}
}

static int write_out(struct perf_writer *writer, const void *bytes, size_t size, struct error *err)
{
	if (size == 0 || write_piece(writer, bytes, size, err) == 0)
		return 0;
	if (output_file_seekable(writer->output) && !output_file_is_temporary(writer->output))
		write_what_fits(writer, bytes, size);
	return cut_back(writer, err);
}

/* Writes whole records, compressed if compression is on. */
static int write_records(struct perf_writer *writer, const void *records, size_t size, struct error *err)
{
	if (!writer->compressor)
		return write_out(writer, records, size, err);
	strbuf_reset(&writer->packed);
	if (compressor_pack(writer->compressor, records, size, &writer->packed, err) != 0)
		return cut_back(writer, err);
	return write_out(writer, writer->packed.bytes, writer->packed.size, err);
}

void perf_writer_filter_by(struct perf_writer *writer,
			   size_t (*filter)(uint8_t *records, size_t size, void *context), void *context)
{
	writer->filter = filter;
	writer->filter_context = context;
}

int perf_writer_flush(struct perf_writer *writer, struct error *err)
{
	struct strbuf *buffer = &writer->buffer;

	if (writer->failed)
		return refuse_after_failure(writer, err);
	if (writer->filter)
		buffer->size = writer->filter((uint8_t *)buffer->bytes, buffer->size, writer->filter_context);
	if (write_records(writer, buffer->bytes, buffer->size, err) != 0)
		return -1;
	strbuf_reset(buffer);
	return 0;
}

int perf_writer_append(struct perf_writer *writer, const void *records, size_t size, struct error *err)
{
	if (writer->failed)
		return refuse_after_failure(writer, err);
	if (writer->buffer.size + size > BUFFER_SIZE_BYTES && perf_writer_flush(writer, err) != 0)
		return -1;
	if (size > BUFFER_SIZE_BYTES)
		return write_records(writer, records, size, err);
	strbuf_add(&writer->buffer, records, size);
	return 0;
}

int perf_writer_append_plain(struct perf_writer *writer, const void *bytes, size_t size, struct error *err)
{
	if (perf_writer_flush(writer, err) != 0)
		return -1;
	return write_out(writer, bytes, size, err);
}

int perf_writer_overwrite(struct perf_writer *writer, uint64_t file_offset, const void *bytes, size_t size,
			  struct error *err)
{
	if (writer->failed)
		return refuse_after_failure(writer, err);
	if (output_file_write_at(writer->output, bytes, size, file_offset, err) != 0)
		return cut_back(writer, err);
	return 0;
}

int perf_writer_file_offset(struct perf_writer *writer, uint64_t *file_offset, struct error *err)
{
	if (perf_writer_flush(writer, err) != 0)
		return -1;
	*file_offset = data_end(writer);
	return 0;
}

/* Writes a table of sections, one per feature in ascending order, and behind it their contents. */
static int write_features(struct perf_writer *writer, uint64_t feature_bits[4], struct error *err)
{
	struct strbuf table = STRBUF_INIT;
	int result;

	feature_set_tell_layout(&writer->features);
	feature_set_add_table(&writer->features, &table, data_end(writer), feature_bits);
	result = output_file_write_at(writer->output, table.bytes, table.size, data_end(writer), err);
	strbuf_fini(&table);
	return result;
}

/* A killed recorder leaves a data section of size 0, which perf refuses, so an empty recording gets a FINISHED_ROUND. */
static int fill_empty_data(struct perf_writer *writer, struct error *err)
{
	if (writer->flushed_bytes > 0 || writer->buffer.size > 0)
		return 0;
	record_header_add(&writer->buffer, PERF_RECORD_FINISHED_ROUND, 0, PERF_RECORD_HEADER_SIZE,
			  writer->options.swap);
	if (write_out(writer, writer->buffer.bytes, writer->buffer.size, err) != 0)
		return -1;
	strbuf_reset(&writer->buffer);
	return 0;
}

int perf_writer_finish(struct perf_writer *writer, struct error *err)
{
	uint64_t feature_bits[4];
	struct strbuf header = STRBUF_INIT;
	int result;

	if (perf_writer_flush(writer, err) != 0 || fill_empty_data(writer, err) != 0)
		return -1;
	if (!output_file_seekable(writer->output)) {
		writer->failed = true; /* no more appends */
		return 0;
	}
	if (writer->compressor)
		set_compression_feature(writer);
	if (write_features(writer, feature_bits, err) != 0)
		return cut_back(writer, err);
	add_file_header(writer, &header, feature_bits);
	result = output_file_write_at(writer->output, header.bytes, header.size, 0, err);
	strbuf_fini(&header);
	writer->failed = true;
	return result == 0 ? output_file_publish(writer->output, err) : result;
}

uint64_t perf_writer_data_bytes(const struct perf_writer *writer)
{
	return writer->flushed_bytes + writer->buffer.size;
}

bool perf_writer_compresses(const struct perf_writer *writer)
{
	return writer->compressor != NULL;
}

size_t perf_writer_buffered_bytes(const struct perf_writer *writer)
{
	return writer->buffer.size;
}

struct compression_totals perf_writer_compression(const struct perf_writer *writer)
{
	if (!writer->compressor)
		return (struct compression_totals){ 0 };
	return compressor_totals(writer->compressor);
}
