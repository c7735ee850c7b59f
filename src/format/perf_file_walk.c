/*
 * Reads the records of one file, section after section. Start at perf_file_next_own(): it takes records from the present
 * compressed record or from the file, joins split ones, and passes those of tools to perf_file_learn(). end_of_source()
 * handles whatever stops the walk: damage, the end of a section, the end of the file.
 */
#include <inttypes.h>

#include "format/perf_file_state.h"

static uint64_t bytes_at_hand(const struct record_source *source)
{
	return (uint64_t)(source->end - source->next);
}

/* A record began in the last compressed record, and the one with its end never came. */
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
			      "a record of %" PRIu32 " bytes is larger than the read buffer", event->size);
	return record_source_skip(source, event->size, err) < 0 ? -1 : 1;
}

/* Skips status text: lines that begin with '[', up to the end of the last of them. */
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

/* Another program writes to the file or truncates it while it is read: from there on, the map reads as zeros. */
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

/* The source has no more whole records. 1 to go on reading, 0 at the end, or -1. */
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
		/* Nothing tells where another record begins, so the rest is lost. */
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
	return 0;
}

/* The compressed record is used up. A record that does not end in it continues in the next one. */
static void end_decompression(struct perf_file *file, enum record_status status, const struct error *err)
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

static int next_decompressed(struct perf_file *file, struct event *event)
{
	struct error damage;
	enum record_status status =
		record_source_next(decompressor_source(file->decompressor), event, &damage);

	if (status == RECORD_OK) {
		event->file_offset = file->compressed_offset;
		event->compressed_size = file->compressed_size;
		return 1;
	}
	end_decompression(file, status, &damage);
	return 0;
}

static void release_until(struct perf_file *file, uint64_t offset)
{
	const uint8_t *pages;
	const size_t size_bytes =
		mapped_file_pages(&file->maps[file->map_count - 1], file->released_offset, offset, &pages);

	file->released_offset = offset;
	if (size_bytes && file->stale)
		file->stale(file->stale_context, pages, size_bytes);
	else if (size_bytes)
		mapped_pages_release(pages, size_bytes);
}

void perf_file_release(struct perf_file *file)
{
	if (file->map_count && file->mapped_records.file_offset > file->released_offset)
		release_until(file, file->mapped_records.file_offset);
}

/*
 * A mapped page counts as this process's memory from the first read until it is given back. Without this, a walk would seem
 * to need as much memory as the file is large.
 */
static void release_what_was_read(struct perf_file *file)
{
	/* Samples wait for the end of the next round, and then to be unwound together with others. */
	enum { STEP_BYTES = 16 * 1024 * 1024, KEPT_BYTES = 32 * 1024 * 1024 };
	const uint64_t offset = file->mapped_records.file_offset;

	if (offset >= file->released_offset + STEP_BYTES + KEPT_BYTES)
		release_until(file, offset - KEPT_BYTES);
}

/* 1 and *event, 0 to try again, -1 if reading fails. */
static int next_read(struct perf_file *file, struct event *event, struct error *err)
{
	enum record_status status = record_source_next(file->source, event, err);

	if (status == RECORD_OK) {
		release_what_was_read(file);
		return 1;
	}
	return end_of_source(file, status, event, err) < 0 ? -1 : 0;
}

int perf_file_next_own(struct perf_file *file, struct event *event, struct error *err)
{
	if (file->payload_bytes && perf_file_pass_payload(file, err) != 0)
		return -1;
	while (!file->ended) {
		int result =
			file->decompressing ? next_decompressed(file, event) : next_read(file, event, err);

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
	return 0;
}
