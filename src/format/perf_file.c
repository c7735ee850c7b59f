/*
 * The interface of an open perf.data: facts about the file, and its records. Opening is in perf_file_open.c, the walk over
 * the records of one file in perf_file_walk.c, the files of a directory in directory_part.c.
 */
#include "format/perf_file.h"

#include "format/perf_file_state.h"

void perf_file_close(struct perf_file *file)
{
	if (!file)
		return;
	perf_file_close_parts(file);
	perf_file_free(file);
}

static __attribute__((noinline)) int next_of_directory(struct perf_file *file, struct event *event,
						       struct error *err)
{
	const int result = perf_file_next_own(file, event, err);

	if (result != 0)
		return result;
	if (perf_file_open_parts(file, err) != 0)
		return -1;
	return perf_file_next_of_parts(file, event, err);
}

int perf_file_next(struct perf_file *file, struct event *event, struct error *err)
{
	/* Called for each record, so the code for directories is kept out of it. */
	return file->mode == PERF_FILE_DIRECTORY ? next_of_directory(file, event, err) :
						   perf_file_next_own(file, event, err);
}

void perf_file_on_stale(struct perf_file *file, perf_file_stale *stale, void *context)
{
	file->stale = stale;
	file->stale_context = context;
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
	/* Once a directory's other files are being read, all of "data" has been read, its features included. */
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

bool perf_file_has_trace(const struct perf_file *file)
{
	return file->has_trace || file->features.raw[HEADER_AUXTRACE].size;
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

size_t perf_file_event_by_id(const struct perf_file *file, uint64_t id)
{
	return event_table_by_id(&file->events, id);
}
