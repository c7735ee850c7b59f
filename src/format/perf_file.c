/*
 * Start at perf_file_next(): it takes records from the compressed record at hand or from the file, joins split ones, and lets
 * perf_file_learn() see those of the tools. end_of_source() handles whatever stops the walk: damage, the end of a section, the
 * end of the file. Opening is in perf_file_open.c.
 */
#include "format/perf_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "format/perf_file_state.h"
#include "format/sample.h"

void perf_file_note_damage(struct perf_file *file, uint64_t file_offset, uint64_t skipped_records,
			   uint64_t skipped_bytes, const char *format, ...)
{
	struct perf_file_damage *damage = &file->damage;
	va_list arguments;

	damage->skipped_records += skipped_records;
	damage->skipped_bytes += skipped_bytes;
	if (damage->first_reason[0])
		return;
	damage->first_offset = file_offset;
	va_start(arguments, format);
	vsnprintf(damage->first_reason, sizeof(damage->first_reason), format, arguments);
	va_end(arguments);
}

static uint64_t bytes_at_hand(const struct record_source *source)
{
	return (uint64_t)(source->end - source->next);
}

/* A record that began in the last compressed record and was to end in one that did not come. */
static void note_cut_stream(struct perf_file *file)
{
	struct record_source *source;

	if (!file->decompressor)
		return;
	source = decompressor_source(file->decompressor);
	if (bytes_at_hand(source) == 0)
		return;
	file->damage.truncated = true;
	perf_file_note_damage(file, file->compressed_offset, 1, bytes_at_hand(source),
			      "the last compressed record ends inside a record");
	decompressor_reset(file->decompressor);
}

static int skip_large_record(struct perf_file *file, const struct event *event, struct error *err)
{
	struct record_source *source = file->source;

	perf_file_note_damage(file, source->file_offset, 1, event->size,
			      "a record of %" PRIu32 " bytes is larger than what is read at a time",
			      event->size);
	return record_source_skip(source, event->size, err) < 0 ? -1 : 1;
}

/* Its lines, to the end of the last that begins as such a line does. */
static int skip_status_text(struct perf_file *file, struct error *err)
{
	struct record_source *source = file->source;
	const uint64_t start = source->file_offset;
	bool line_ended = false;
	int need;

	while ((need = record_source_need(source, 1, err)) > 0 && !(line_ended && *source->next != '[')) {
		line_ended = *source->next == '\n';
		(void)record_source_skip(source, 1, err);
	}
	perf_file_note_damage(file, start, 0, source->file_offset - start,
			      "status text of perf record is among the records");
	return need < 0 ? -1 : 1;
}

/* Somebody writes to the file, or cuts it, while it is read: what comes from there on are zeros. */
static int refuse_cut_file(const struct perf_file *file, struct error *err)
{
	for (size_t i = 0; i < file->map_count; i++)
		if (mapped_file_was_cut(&file->maps[i]))
			return error_set(
				err,
				"%s: the file has become shorter while it was read, at offset 0x%" PRIx64
				" or before",
				file->path, file->mapped_records.file_offset);
	return 0;
}

/* The source has no more whole records: 1 to go on in it, 0 at the end, -1. */
static int end_of_source(struct perf_file *file, enum record_status status, const struct event *event,
			 struct error *err)
{
	const struct record_source *source = file->source;
	uint64_t rest = bytes_at_hand(source);

	if (status == RECORD_READ_FAILED || refuse_cut_file(file, err) != 0)
		return -1;
	note_cut_stream(file);
	if (status == RECORD_CUT) {
		file->damage.truncated = true;
		perf_file_note_damage(file, source->file_offset, 1, rest, "the file ends inside a record");
	} else if (status == RECORD_TOO_SMALL) {
		/* Nothing says where another record begins: what follows is lost. */
		file->damage.truncated = true;
		perf_file_note_damage(file, source->file_offset, 1, rest,
				      "size %" PRIu32 " is smaller than a record's %d-byte header",
				      event->size, PERF_RECORD_HEADER_SIZE);
	} else if (status == RECORD_TOO_LARGE) {
		return skip_large_record(file, event, err);
	} else if (status == RECORD_TEXT) {
		return skip_status_text(file, err);
	}
	if (file->split.size) {
		file->damage.truncated = true;
		perf_file_note_damage(file, file->split_offset, 1, file->split.size,
				      "the file ends inside a record that was cut into pieces");
		strbuf_reset(&file->split);
	}
	if (perf_file_next_section(file))
		return 1;
	file->ended = true;
	return perf_file_open_parts(file, err);
}

/* The compressed record is used up; what is left of its bytes goes on in the next. */
static void end_of_unfolding(struct perf_file *file, enum record_status status, const struct error *err)
{
	struct record_source *source = decompressor_source(file->decompressor);

	file->decompressing = false;
	if (status == RECORD_END || status == RECORD_CUT)
		return;
	perf_file_note_damage(file, file->compressed_offset, 1, bytes_at_hand(source), "%s",
			      status == RECORD_READ_FAILED ? err->message :
							     "a compressed record of an impossible size");
	decompressor_reset(file->decompressor);
}

static int next_unfolded(struct perf_file *file, struct event *event)
{
	struct error damage;
	enum record_status status =
		record_source_next(decompressor_source(file->decompressor), event, &damage);

	if (status == RECORD_OK) {
		event->file_offset = file->compressed_offset;
		event->compressed_size = file->compressed_size;
		return 1;
	}
	end_of_unfolding(file, status, &damage);
	return 0;
}

void perf_file_on_stale(struct perf_file *file, perf_file_stale *stale, void *context)
{
	file->stale = stale;
	file->stale_context = context;
}

/*
 * A mapped page counts as this process's memory from when it is read until it is
 * given back, so that a walk would seem to need as much as the file is long.
 */
static void release_what_was_read(struct perf_file *file)
{
	/* Samples wait for the end of the next round, and then for others to be unwound with them. */
	enum { STEP_BYTES = 16 * 1024 * 1024, KEPT_BYTES = 32 * 1024 * 1024 };
	const uint64_t offset = file->mapped_records.file_offset;
	const uint8_t *pages;
	size_t size_bytes;

	if (offset < file->released_offset + STEP_BYTES + KEPT_BYTES)
		return;
	size_bytes = mapped_file_pages(&file->maps[file->map_count - 1], file->released_offset,
				       offset - KEPT_BYTES, &pages);
	file->released_offset = offset - KEPT_BYTES;
	if (size_bytes && file->stale)
		file->stale(file->stale_context, pages, size_bytes);
	else if (size_bytes)
		mapped_pages_release(pages, size_bytes);
}

/* 1 and *event, 0 to try again, -1 when reading fails. */
static int next_read(struct perf_file *file, struct event *event, struct error *err)
{
	enum record_status status = record_source_next(file->source, event, err);

	if (status == RECORD_OK) {
		release_what_was_read(file);
		return 1;
	}
	return end_of_source(file, status, event, err) < 0 ? -1 : 0;
}

int perf_file_next(struct perf_file *file, struct event *event, struct error *err)
{
	if (file->payload_bytes && perf_file_pass_payload(file, err) != 0)
		return -1;
	while (!file->ended) {
		int result = file->decompressing ? next_unfolded(file, event) : next_read(file, event, err);

		if (result == 0)
			continue;
		if (result < 0)
			return result;
		if ((file->split.size || event->type >= SIMPLEPERF_RECORD_TYPE_START) &&
		    !perf_file_join_split(file, event))
			continue;
		if (event->type < PERF_RECORD_USER_TYPE_START)
			return result;
		result = perf_file_learn(file, event, err);
		if (result != 0)
			return result;
	}
	return perf_file_next_of_parts(file, event, err);
}

bool perf_file_is_stable(const struct perf_file *file)
{
	return file->stable;
}

size_t perf_file_following(const struct perf_file *file, size_t most, const uint8_t **bytes)
{
	const struct record_source *records = &file->mapped_records;
	size_t size;

	*bytes = NULL;
	if (file->ended || file->source != records || !records->next || !file->map_count)
		return 0;
	*bytes = records->next;
	size = (size_t)(records->end - records->next);
	return size < most ? size : most;
}

unsigned int perf_file_percent(const struct perf_file *file)
{
	/* Once it is the turn of a directory's other files, all of "data" is passed, its features included. */
	uint64_t read_bytes = file->part_count ? file->maps[0].size_bytes : file->source->file_offset;

	for (size_t i = 0; i < file->part_count; i++)
		read_bytes += file->parts[i].file->source->file_offset;

	if (file->size_bytes == 0 || file->init_records.size)
		return 0;
	return read_bytes >= file->size_bytes ? 100 : (unsigned int)(read_bytes * 100 / file->size_bytes);
}

const char *perf_file_path(const struct perf_file *file)
{
	return file->path;
}

enum perf_file_mode perf_file_mode(const struct perf_file *file)
{
	return file->mode;
}

bool perf_file_swapped(const struct perf_file *file)
{
	return file->header.swap;
}

int64_t perf_file_modified_s(const struct perf_file *file)
{
	return file->modified_s;
}

uint64_t perf_file_size_bytes(const struct perf_file *file)
{
	return file->size_bytes;
}

const struct perf_file_damage *perf_file_damage(const struct perf_file *file)
{
	return &file->damage;
}

const struct perf_features *perf_file_features(const struct perf_file *file)
{
	return &file->features.decoded;
}

struct byte_reader perf_file_feature_bytes(const struct perf_file *file, unsigned int feature)
{
	struct feature_bytes_read raw = { 0 };

	if (feature < HEADER_FEATURE_BITS)
		raw = file->features.raw[feature];
	return byte_reader_over(raw.bytes, raw.size, file->header.swap);
}

size_t perf_file_event_count(const struct perf_file *file)
{
	return file->events.count;
}

const struct event_desc *perf_file_event(const struct perf_file *file, size_t number)
{
	return event_table_at(&file->events, number);
}

size_t perf_file_event_of(const struct perf_file *file, const struct event *event)
{
	return event_table_of(&file->events, event);
}

uint64_t perf_file_time_of(const struct perf_file *file, const struct event *event)
{
	const size_t number = perf_file_event_of(file, event);
	const struct event_desc *desc = perf_file_event(file, number == SIZE_MAX ? 0 : number);
	struct sample_id id;

	if (!desc || event->type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	if (event->type == PERF_RECORD_SAMPLE)
		return sample_peek_time_ns(event, &desc->attr);
	return event_sample_id(event, &desc->attr, &id, NULL) == 0 ? id.time_ns : 0;
}

size_t perf_file_event_by_id(const struct perf_file *file, uint64_t id)
{
	return event_table_by_id(&file->events, id);
}
