#include "format/perf_writer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/feature_encode.h"
#include "format/output_file.h"
#include "format/perf_abi.h"

enum {
	/* One write(2) a flush at usual rates, and little enough to lose when the recorder is killed. */
	BUFFER_SIZE_BYTES = 512 * 1024,
	ATTR_SIZE_BYTES = 128, /* PERF_ATTR_SIZE_VER7 */
	FILE_ATTR_SIZE_BYTES =
		ATTR_SIZE_BYTES + 16, /* struct perf_file_attr: the attr, then the section of its ids */
	DATA_SIZE_OFFSET = 48,        /* of data.size in struct perf_file_header */
	MAX_RECORD_SIZE_BYTES = UINT16_MAX & ~7, /* header.size has 16 bits */
};

struct perf_writer {
	struct output_file *output;
	struct feature_set features;
	struct strbuf buffer; /* whole records that are not written yet */
	uint64_t data_offset;
	uint64_t flushed_bytes;      /* of the data section */
	struct strbuf attrs;         /* struct perf_file_attr, each; kept for the final header */
	struct strbuf running_table; /* the feature table until the final one: TRACING_DATA, or empty */
	bool begun;
	bool failed; /* an earlier write failed: the file is cut back and takes no more */
};

struct perf_writer *perf_writer_create(const char *path, struct error *err)
{
	struct output_file *output = output_file_create(path, err);
	struct perf_writer *writer;

	if (!output)
		return NULL;
	writer = xcalloc(1, sizeof(*writer));
	writer->output = output;
	strbuf_init(&writer->buffer);
	strbuf_init(&writer->attrs);
	strbuf_init(&writer->running_table);
	feature_set_init(&writer->features);
	return writer;
}

void perf_writer_close(struct perf_writer *writer)
{
	if (!writer)
		return;
	output_file_close(writer->output);
	feature_set_fini(&writer->features);
	strbuf_fini(&writer->buffer);
	strbuf_fini(&writer->attrs);
	strbuf_fini(&writer->running_table);
	free(writer);
}

void perf_writer_set_feature(struct perf_writer *writer, unsigned int feature, const void *bytes, size_t size)
{
	feature_set_put(&writer->features, feature, bytes, size);
}

void perf_writer_set_string(struct perf_writer *writer, unsigned int feature, const char *text)
{
	struct strbuf bytes;

	strbuf_init(&bytes);
	feature_add_string(&bytes, text);
	feature_set_put(&writer->features, feature, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

void perf_writer_set_strings(struct perf_writer *writer, unsigned int feature, const char *const *texts,
			     size_t count)
{
	struct strbuf bytes;

	strbuf_init(&bytes);
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

/* struct perf_event_header */
static void add_record_header(struct strbuf *out, uint32_t type, uint16_t misc, size_t size)
{
	strbuf_add_u32(out, type, false);
	strbuf_add_u16(out, misc, false);
	strbuf_add_u16(out, (uint16_t)size, false);
}

/* The attr in the size that is written: what a shorter one lacks is 0, what a longer one has more is left out. */
static void add_attr(struct strbuf *out, const struct perf_event_attr *attr)
{
	unsigned char bytes[ATTR_SIZE_BYTES] = { 0 };
	size_t size = attr->size ? attr->size : sizeof(*attr);
	const uint32_t written_size = ATTR_SIZE_BYTES;

	if (size > sizeof(*attr))
		size = sizeof(*attr);
	memcpy(bytes, attr, size < sizeof(bytes) ? size : sizeof(bytes));
	memcpy(bytes + offsetof(struct perf_event_attr, size), &written_size, sizeof(written_size));
	strbuf_add(out, bytes, sizeof(bytes));
}

static void add_ids(struct strbuf *out, const struct perf_writer_event *event)
{
	strbuf_add(out, event->ids, event->id_count * sizeof(event->ids[0]));
}

/* HEADER_EVENT_DESC: u32 nr, u32 attr_size, then of each event attr, u32 nr_ids, name, ids */
static void set_event_desc(struct perf_writer *writer, const struct perf_writer_event *events, size_t count)
{
	struct strbuf bytes;

	strbuf_init(&bytes);
	strbuf_add_u32(&bytes, (uint32_t)count, false);
	strbuf_add_u32(&bytes, ATTR_SIZE_BYTES, false);
	for (size_t i = 0; i < count; i++) {
		add_attr(&bytes, events[i].attr);
		strbuf_add_u32(&bytes, (uint32_t)events[i].id_count, false);
		feature_add_string(&bytes, events[i].name);
		add_ids(&bytes, &events[i]);
	}
	feature_set_put(&writer->features, HEADER_EVENT_DESC, bytes.bytes, bytes.size);
	strbuf_fini(&bytes);
}

/*
 * PERF_RECORD_EVENT_UPDATE with the name, for events whose EVENT_DESC is too
 * large for a record: { header; u64 type; u64 id; char name[] }
 */
static void add_event_names(struct strbuf *out, const struct perf_writer_event *events, size_t count)
{
	enum { EVENT_UPDATE_NAME = 2, FIXED_SIZE = PERF_RECORD_HEADER_SIZE + 16 };

	for (size_t i = 0; i < count; i++) {
		size_t length = strnlen(events[i].name, MAX_RECORD_SIZE_BYTES - FIXED_SIZE - 8);
		size_t padded = (length + 8) & ~(size_t)7;

		if (events[i].id_count == 0)
			continue;
		add_record_header(out, PERF_RECORD_EVENT_UPDATE, 0, FIXED_SIZE + padded);
		strbuf_add_u64(out, EVENT_UPDATE_NAME, false);
		strbuf_add_u64(out, events[i].ids[0], false);
		strbuf_add(out, events[i].name, length);
		strbuf_add_zeros(out, padded - length);
	}
}

/* PERF_RECORD_HEADER_ATTR: { header; attr; u64 ids[] }, the way a pipe says what a file has in its header. */
static int add_attr_records(struct perf_writer *writer, const struct perf_writer_event *events, size_t count,
			    struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		size_t size =
			PERF_RECORD_HEADER_SIZE + ATTR_SIZE_BYTES + events[i].id_count * sizeof(uint64_t);

		if (size > MAX_RECORD_SIZE_BYTES)
			return error_set(
				err,
				"%s: event %s has %zu ids, more than a record in a pipe can hold (%zu): write to a "
				"file with -o FILE, or record fewer threads",
				output_file_name(writer->output), events[i].name, events[i].id_count,
				(size_t)(MAX_RECORD_SIZE_BYTES - PERF_RECORD_HEADER_SIZE - ATTR_SIZE_BYTES) /
					8);
		add_record_header(&writer->buffer, PERF_RECORD_HEADER_ATTR, 0, size);
		add_attr(&writer->buffer, events[i].attr);
		add_ids(&writer->buffer, &events[i]);
	}
	return 0;
}

static void add_section(struct strbuf *out, uint64_t offset, uint64_t size)
{
	strbuf_add_u64(out, offset, false);
	strbuf_add_u64(out, size, false);
}

/* struct perf_file_header */
static void add_file_header(const struct perf_writer *writer, struct strbuf *out,
			    const uint64_t feature_bits[4])
{
	strbuf_add_u64(out, PERF_FILE_MAGIC2, false);
	strbuf_add_u64(out, PERF_FILE_HEADER_SIZE, false);
	strbuf_add_u64(out, FILE_ATTR_SIZE_BYTES, false);
	add_section(out, PERF_FILE_HEADER_SIZE, writer->attrs.size);
	add_section(out, writer->data_offset, writer->flushed_bytes);
	add_section(out, 0, 0); /* event_types: obsolete */
	for (int i = 0; i < 4; i++)
		strbuf_add_u64(out, feature_bits[i], false);
}

/* Puts the tracing data in front of the data, for a feature table that moves with the data's end. */
static void add_tracing_data(struct perf_writer *writer, struct strbuf *front)
{
	struct feature_bytes *tracing_data = &writer->features.features[HEADER_TRACING_DATA];

	if (!tracing_data->set)
		return;
	tracing_data->section_offset = writer->data_offset;
	add_section(&writer->running_table, writer->data_offset, tracing_data->size);
	strbuf_add(front, tracing_data->bytes, tracing_data->size);
	strbuf_add_zeros(front, -tracing_data->size & 7);
	writer->data_offset += (tracing_data->size + 7) & ~(size_t)7;
}

static void add_ids_of_all(struct perf_writer *writer, struct strbuf *front,
			   const struct perf_writer_event *events, size_t count)
{
	writer->data_offset = PERF_FILE_HEADER_SIZE + count * FILE_ATTR_SIZE_BYTES;
	for (size_t i = 0; i < count; i++) {
		uint64_t ids_size = events[i].id_count * sizeof(uint64_t);

		add_attr(&writer->attrs, events[i].attr);
		add_section(&writer->attrs, writer->data_offset, ids_size);
		add_ids(front, &events[i]);
		writer->data_offset += ids_size;
	}
}

/* Everything in front of the data. */
static int write_front(struct perf_writer *writer, const struct perf_writer_event *events, size_t count,
		       struct error *err)
{
	uint64_t feature_bits[4] = { 0 };
	struct strbuf header, front;
	int result;

	strbuf_init(&header);
	strbuf_init(&front);
	add_ids_of_all(writer, &front, events, count);
	add_tracing_data(writer, &front);
	if (writer->running_table.size)
		feature_bits[0] = (uint64_t)1 << HEADER_TRACING_DATA;
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
	const uint64_t header[2] = { PERF_FILE_MAGIC2, PERF_PIPE_HEADER_SIZE };

	return output_file_write(writer->output, header, sizeof(header), err);
}

int perf_writer_begin(struct perf_writer *writer, const struct perf_writer_event *events, size_t count,
		      struct error *err)
{
	bool pipe = !output_file_seekable(writer->output);

	if (writer->begun || count == 0)
		return error_set(err, "%s: a recording begins once, with at least one event",
				 output_file_name(writer->output));
	writer->begun = true;
	set_event_desc(writer, events, count);
	if ((pipe ? write_pipe_header(writer, err) : write_front(writer, events, count, err)) != 0)
		goto failed;
	if (pipe && add_attr_records(writer, events, count, err) != 0)
		goto failed;
	if (feature_set_add_records(&writer->features,
				    pipe ? FEATURE_RECORDS_IN_PIPE : FEATURE_RECORDS_IN_FILE,
				    &writer->buffer) &
	    FEATURE_LEFT_OUT_EVENT_DESC)
		add_event_names(&writer->buffer, events, count);
	return perf_writer_flush(writer, err);
failed:
	writer->failed = true;
	return -1;
}

static uint64_t data_end(const struct perf_writer *writer)
{
	return writer->data_offset + writer->flushed_bytes;
}

/*
 * A write failed, most likely because the disk is full. Half a record may have
 * been written: cut the file back to what data.size says, which is whole.
 */
static int cut_back(struct perf_writer *writer, struct error *err)
{
	const struct strbuf *table = &writer->running_table;

	writer->failed = true;
	strbuf_reset(&writer->buffer);
	if (!output_file_seekable(writer->output))
		return -1;
	/* The table's place on the disk is there already. */
	if (table->size)
		(void)output_file_write_at(writer->output, table->bytes, table->size, data_end(writer), NULL);
	output_file_truncate(writer->output, data_end(writer) + table->size);
	return error_wrap(err, "the recording ends here, what was written before can be read");
}

static int refuse_after_failure(const struct perf_writer *writer, struct error *err)
{
	return error_set(err, "%s: nothing more is written after an error", output_file_name(writer->output));
}

/*
 * Appends to the data. With a running table, what the table does not lie on goes
 * first and the table behind it, so that only between the last write here and
 * that of data.size, a microsecond, the file has no table where perf looks for it.
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

static int write_out(struct perf_writer *writer, const void *bytes, size_t size, struct error *err)
{
	const uint64_t flushed = writer->flushed_bytes + size;
	int result;

	if (size == 0)
		return 0;
	if (!output_file_seekable(writer->output))
		result = output_file_write(writer->output, bytes, size, err);
	else
		result = write_data(writer, bytes, size, err);
	/* Only now, when the bytes are there: a reader never sees a size that the file does not have. */
	if (result == 0 && output_file_seekable(writer->output))
		result = output_file_write_at(writer->output, &flushed, sizeof(flushed), DATA_SIZE_OFFSET,
					      err);
	if (result != 0)
		return cut_back(writer, err);
	writer->flushed_bytes = flushed;
	return 0;
}

int perf_writer_flush(struct perf_writer *writer, struct error *err)
{
	if (writer->failed)
		return refuse_after_failure(writer, err);
	if (write_out(writer, writer->buffer.bytes, writer->buffer.size, err) != 0)
		return -1;
	strbuf_reset(&writer->buffer);
	return 0;
}

int perf_writer_append(struct perf_writer *writer, const void *records, size_t size, struct error *err)
{
	if (writer->failed)
		return refuse_after_failure(writer, err);
	if (writer->buffer.size + size > BUFFER_SIZE_BYTES && perf_writer_flush(writer, err) != 0)
		return -1;
	if (size > BUFFER_SIZE_BYTES)
		return write_out(writer, records, size, err);
	strbuf_add(&writer->buffer, records, size);
	return 0;
}

/* A table of sections, one per feature in ascending order, and behind it what they hold. */
static int write_features(struct perf_writer *writer, uint64_t feature_bits[4], struct error *err)
{
	struct strbuf table;
	int result;

	strbuf_init(&table);
	feature_set_add_table(&writer->features, &table, data_end(writer), feature_bits);
	result = output_file_write_at(writer->output, table.bytes, table.size, data_end(writer), err);
	strbuf_fini(&table);
	return result;
}

int perf_writer_finish(struct perf_writer *writer, struct error *err)
{
	uint64_t feature_bits[4];
	struct strbuf header;
	int result;

	if (perf_writer_flush(writer, err) != 0)
		return -1;
	if (!output_file_seekable(writer->output)) {
		writer->failed = true; /* no more appends */
		return 0;
	}
	if (write_features(writer, feature_bits, err) != 0)
		return cut_back(writer, err);
	strbuf_init(&header);
	add_file_header(writer, &header, feature_bits);
	result = output_file_write_at(writer->output, header.bytes, header.size, 0, err);
	strbuf_fini(&header);
	writer->failed = true;
	return result;
}

uint64_t perf_writer_data_bytes(const struct perf_writer *writer)
{
	return writer->flushed_bytes + writer->buffer.size;
}
