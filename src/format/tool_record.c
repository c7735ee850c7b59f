/*
 * Handles records of type 64 and above, which tools write, not the kernel. Some repeat facts of the file's header; some
 * precede bytes that their size does not include (perf.data-file-format.txt, "Data").
 */

#include <inttypes.h>

#include "base/usable_cpus.h"
#include "format/decompress_task.h"
#include "format/map_piece.h"
#include "format/perf_file_state.h"

/* Tracing data from a pipe is copied, since there is no section to point to: formats of all events, and kallsyms. */
enum { TRACING_DATA_MAX_BYTES = 256 * 1024 * 1024 };

/* A kernel has a few thousand tracepoints. Without a limit, compressed attrs could take any amount of memory. */
enum { PIPE_EVENTS_MAX = 1 << 16 };

static struct record_source *current_source(struct perf_file *file)
{
	return file->decompressing ? decompressor_source(file->decompressor) : file->source;
}

/* { header; attr; u64 ids[] }. The ids begin attr.size bytes behind the beginning of the attr. */
static int learn_attr(struct perf_file *file, const struct event *event, struct error *err)
{
	struct byte_reader r = event_payload(event), first = r;
	uint32_t attr_size;

	if (!file->header.pipe)
		return 0; /* the file's header had them */
	if (file->events.count >= PIPE_EVENTS_MAX)
		return error_set(err, "HEADER_ATTR record at offset 0x%" PRIx64 ": more than %d events",
				 event->file_offset, PIPE_EVENTS_MAX);
	byte_reader_skip(&first, sizeof(uint32_t));
	attr_size = byte_reader_u32(&first);
	if (attr_size == 0)
		attr_size = 64; /* PERF_ATTR_SIZE_VER0 */
	if (attr_size > byte_reader_left(&r))
		return error_set(err,
				 "HEADER_ATTR record at offset 0x%" PRIx64 ": an attribute of %" PRIu32
				 " bytes does not fit into it",
				 event->file_offset, attr_size);
	return perf_file_add_event(file, byte_reader_sub(&r, attr_size), r, err);
}

/* { header; u64 type; u64 id; … }. Of its types, only the name matters to a sampling profile. */
static int learn_event_update(struct perf_file *file, const struct event *event, struct error *err)
{
	enum { EVENT_UPDATE_NAME = 2 };
	struct byte_reader r = event_payload(event);
	uint64_t type = byte_reader_u64(&r), id = byte_reader_u64(&r);
	const char *name;

	if (type == EVENT_UPDATE_MAP_PIECE)
		perf_file_keep_map_piece(file, event);
	if (type != EVENT_UPDATE_NAME)
		return 0;
	name = byte_reader_string(&r, byte_reader_left(&r));
	if (!name)
		return error_set(err,
				 "EVENT_UPDATE record at offset 0x%" PRIx64 ": its name is not terminated",
				 event->file_offset);
	event_table_set_name(&file->events, event_table_by_id(&file->events, id), name);
	return 0;
}

static bool has_feature_table(const struct perf_file *file)
{
	for (unsigned int feature = 0; feature < HEADER_FEATURE_BITS; feature++)
		if (perf_header_has(&file->header, feature))
			return true;
	return false;
}

/* { header; u64 feat_id; char data[] } */
static int learn_feature(struct perf_file *file, const struct event *event, struct error *err)
{
	struct byte_reader r = event_payload(event);
	uint64_t feature = byte_reader_u64(&r);

	if (!byte_reader_ok(&r))
		return error_set(err, "HEADER_FEATURE record at offset 0x%" PRIx64 ": too short",
				 event->file_offset);
	if (feature >= HEADER_FEATURE_BITS || byte_reader_left(&r) == 0)
		return 0; /* in a pipe, an empty feature with the number after the last one ends the features */
	if (file->mode == PERF_FILE_SEEKABLE && !has_feature_table(file))
		file->damage.unfinished = true;
	return feature_table_add(&file->features, (unsigned int)feature, r, FEATURE_FROM_RECORD,
				 &file->events, err);
}

/* Fills `data` and returns 1; 0 if the source ends before, or -1. */
static int read_tracing_data(struct strbuf *data, struct record_source *source, uint64_t size,
			     struct error *err)
{
	while (size > 0) {
		int need = record_source_need(source, 1, err);
		size_t piece = (size_t)(source->end - source->next);

		if (need <= 0)
			return need;
		if (piece > size)
			piece = size;
		strbuf_add(data, source->next, piece);
		if (record_source_skip(source, piece, err) <= 0)
			return -1;
		size -= piece;
	}
	return 1;
}

/* Keeps the first complete tracing data only: readers point into it, so it must not move. */
static int keep_tracing_data(struct perf_file *file, struct record_source *source, uint64_t size,
			     struct error *err)
{
	struct strbuf *data = &file->tracing_data;
	int result;

	if (data->size || size > TRACING_DATA_MAX_BYTES)
		return record_source_skip(source, size, err);
	result = read_tracing_data(data, source, size, err);
	if (result == 1)
		feature_table_set_tracing_data(&file->features,
					       byte_reader_over(data->bytes, data->size, source->swap));
	else
		strbuf_reset(data);
	return result;
}

/* 1 if the source is now behind the tracing data, 0 if it ends before, or -1. */
static int pass_tracing_data(struct perf_file *file, struct record_source *source, uint64_t size,
			     struct error *err)
{
	struct byte_reader bytes;
	int passed;

	if (source->refill)
		return keep_tracing_data(file, source, size, err);
	bytes = byte_reader_over(source->next, (size_t)(source->end - source->next), source->swap);
	if (size < byte_reader_left(&bytes))
		bytes = byte_reader_sub(&bytes, size);
	passed = record_source_skip(source, size, err);
	if (passed == 1)
		feature_table_set_tracing_data(&file->features, bytes);
	return passed;
}

int perf_file_pass_payload(struct perf_file *file, struct error *err)
{
	struct record_source *source = current_source(file);
	uint64_t size = file->payload_bytes;
	int passed;

	file->payload_bytes = 0;
	passed = file->payload_is_tracing_data ? pass_tracing_data(file, source, size, err) :
						 record_source_skip(source, size, err);
	if (passed != 0)
		return passed < 0 ? -1 : 0;
	file->damage.truncated = true;
	perf_file_note_damage(file, source->file_offset, 0, 0,
			      "the file ends inside the bytes that a record announces");
	return 0;
}

uint64_t perf_file_payload_bytes(const struct perf_file *file)
{
	if (file->part_is_lent)
		return perf_file_payload_bytes(file->parts[file->current_part].file);
	return file->payload_is_tracing_data ? 0 : file->payload_bytes;
}

int perf_file_next_payload(struct perf_file *file, const uint8_t **bytes, size_t *size, struct error *err)
{
	struct record_source *source = current_source(file);
	int need;

	if (file->part_is_lent)
		return perf_file_next_payload(file->parts[file->current_part].file, bytes, size, err);
	if (perf_file_payload_bytes(file) == 0)
		return 0;
	need = record_source_need(source, 1, err);
	if (need <= 0)
		return need; /* perf_file_next() notes that the file ends here */
	*bytes = source->next;
	*size = (size_t)(source->end - source->next);
	if (*size > file->payload_bytes)
		*size = (size_t)file->payload_bytes;
	file->payload_bytes -= *size;
	return record_source_skip(source, *size, err) < 0 ? -1 : 1;
}

/*
 * HEADER_TRACING_DATA { header; u32 size } precedes that many bytes. perf does not include them in header.size, simpleperf
 * does.
 */
static void announce_tracing_data(struct perf_file *file, const struct event *event)
{
	struct byte_reader r = event_payload(event);
	uint32_t size = byte_reader_u32(&r);

	if (size && byte_reader_left(&r) >= size) {
		feature_table_add(&file->features, HEADER_TRACING_DATA, byte_reader_sub(&r, size),
				  FEATURE_FROM_RECORD, &file->events, NULL);
		return;
	}
	file->payload_bytes = ((uint64_t)size + 7) & ~(uint64_t)7;
	file->payload_is_tracing_data = true;
}

/*
 * AUXTRACE { header; u64 size; … } precedes the trace, which header.size does not include.
 *
 * Payloads are skipped when the next record is requested: skipping moves the window of a pipe, where the present record is.
 */
static void announce_auxtrace(struct perf_file *file, const struct event *event)
{
	struct byte_reader r = event_payload(event);

	file->payload_bytes = byte_reader_u64(&r);
	file->payload_is_tracing_data = false;
	file->has_trace = true;
}

/* Decompresses in the background if there is a second CPU, and enough data to be worth a thread. */
static void start_task(struct perf_file *file, const struct event *event)
{
	enum { WORTHWHILE_BYTES = 1024 * 1024 };
	struct record_source records = file->mapped_records;

	if (file->mode != PERF_FILE_SEEKABLE || file->is_part || file->source != &file->mapped_records ||
	    records.end - records.next < WORTHWHILE_BYTES)
		return;
	if (usable_cpus() < 2)
		return;
	records.next = event->payload - PERF_RECORD_HEADER_SIZE;
	records.file_offset = event->file_offset;
	decompressor_start_task(file->decompressor, &records);
}

/* COMPRESSED: { header; char data[] }, COMPRESSED2: { header; u64 data_size; char data[] } padded to eight. */
static int begin_decompression(struct perf_file *file, const struct event *event, struct error *err)
{
	const struct byte_reader bytes = decompress_task_stream_bytes(event);

	if (!decompressor_available())
		return error_set(err,
				 "%s: record at offset 0x%" PRIx64
				 " is compressed with zstd, and this xprof was built "
				 "without libzstd: install libzstd's development package and build again "
				 "('xprof version --build-options' lists what is on)",
				 file->path, event->file_offset);
	if (file->decompressing) {
		perf_file_note_damage(file, event->file_offset, 1, event->size,
				      "a compressed record inside another");
		return 0;
	}
	if (!file->decompressor) {
		file->decompressor = decompressor_create(event->swap, file->stable);
		start_task(file, event);
	}
	decompressor_feed(file->decompressor, bytes.next, byte_reader_left(&bytes), event->file_offset);
	file->decompressing = true;
	file->compressed_offset = event->file_offset;
	file->compressed_size = event->size;
	return 0;
}

/* EVENT_ID: { header; u64 count; { u64 number of the attr; u64 id }[count] }: ids that were created while recording */
static int learn_event_ids(struct perf_file *file, const struct event *event, struct error *err)
{
	struct byte_reader r = event_payload(event);
	uint64_t count = byte_reader_u64(&r);

	if (!byte_reader_ok(&r) || count > byte_reader_left(&r) / 16)
		return error_set(err,
				 "EVENT_ID record at offset 0x%" PRIx64 ": %" PRIu64
				 " ids do not fit into it",
				 event->file_offset, count);
	while (count--) {
		uint64_t number = byte_reader_u64(&r);

		event_table_add_ids(&file->events, number, byte_reader_sub(&r, sizeof(uint64_t)));
	}
	return 0;
}

/* TRACING_DATA of simpleperf's own type: { header; u32 size; char data[] } */
static int learn_tracing_data(struct perf_file *file, const struct event *event, struct error *err)
{
	struct byte_reader r = event_payload(event), bytes;

	bytes = byte_reader_sub(&r, byte_reader_u32(&r));
	if (!byte_reader_ok(&bytes))
		return error_set(err,
				 "TRACING_DATA record at offset 0x%" PRIx64 ": its data do not fit into it",
				 event->file_offset);
	return feature_table_add(&file->features, HEADER_TRACING_DATA, bytes, FEATURE_FROM_RECORD,
				 &file->events, err);
}

static int learn(struct perf_file *file, const struct event *event, struct error *err)
{
	switch (event->type) {
	case PERF_RECORD_HEADER_ATTR: return learn_attr(file, event, err);
	case PERF_RECORD_EVENT_UPDATE: return learn_event_update(file, event, err);
	case PERF_RECORD_HEADER_FEATURE: return learn_feature(file, event, err);
	case PERF_RECORD_HEADER_BUILD_ID: return feature_table_add_build_id(&file->features, event, err);
	case SIMPLEPERF_RECORD_EVENT_ID: return learn_event_ids(file, event, err);
	case SIMPLEPERF_RECORD_TRACING_DATA: return learn_tracing_data(file, event, err);
	default: return 0;
	}
}

int perf_file_learn(struct perf_file *file, const struct event *event, struct error *err)
{
	struct error damage;

	switch (event->type) {
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2: return begin_decompression(file, event, err);
	case PERF_RECORD_AUXTRACE: announce_auxtrace(file, event); return 1;
	case PERF_RECORD_HEADER_TRACING_DATA: announce_tracing_data(file, event); return 1;
	case PERF_RECORD_FINISHED_ROUND: return file->mode != PERF_FILE_DIRECTORY;
	default:
		if (!file->is_part && learn(file, event, &damage) != 0)
			perf_file_note_damage(file, event->file_offset, 0, event->size, "%s", damage.message);
		return 1;
	}
}
