/*
 * Reads the files data.0, data.1 … of a recording directory side by side, the record with the earliest time
 * first. Each file was written by one thread of the recorder. Read one after the other, mappings from one
 * file would come too late for the samples of another.
 */

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_file_state.h"

void perf_file_close_parts(struct perf_file *file)
{
	for (size_t i = 0; i < file->part_count; i++)
		perf_file_free(file->parts[i].file);
	free(file->parts);
	free(file->part_times_ns);
}

/* Adds the part's damage to that of the recording. */
static void take_damage(struct perf_file *file, const struct perf_file_damage *damage)
{
	if (damage->skipped_records || damage->skipped_bytes || damage->first_reason[0])
		perf_file_note_damage(file, damage->first_offset, damage->skipped_records,
				      damage->skipped_bytes, "%s", damage->first_reason);
	file->damage.truncated |= damage->truncated;
}

/* Reads the part's next record. It is due at its time; without one, it is due when the record before it was. */
static int read_part(struct perf_file *file, size_t number, struct error *err)
{
	struct directory_part *part = &file->parts[number];
	const int more = perf_file_next_own(part->file, &part->event, err);
	uint64_t time_ns;

	if (more < 0)
		return -1;
	if (more == 0) {
		file->part_times_ns[number] = UINT64_MAX;
		take_damage(file, &part->file->damage);
		return 0;
	}
	time_ns = perf_file_time_of(file, &part->event);
	if (time_ns && time_ns != UINT64_MAX)
		file->part_times_ns[number] = time_ns;
	return 0;
}

static int open_part(struct perf_file *file, const char *path, struct error *err)
{
	struct perf_file *part = perf_file_create_part(file, path, err);

	if (!part)
		return -1;
	file->parts[file->part_count] = (struct directory_part){ .file = part };
	file->part_times_ns[file->part_count++] = 0;
	return read_part(file, file->part_count - 1, err);
}

int perf_file_open_parts(struct perf_file *file, struct error *err)
{
	const size_t count = file->directory.count;

	if (count < 2 || file->parts || file->mode != PERF_FILE_DIRECTORY)
		return 0;
	file->parts = xcalloc(count - 1, sizeof(file->parts[0]));
	file->part_times_ns = xcalloc(count - 1, sizeof(file->part_times_ns[0]));
	for (size_t i = 1; i < count; i++)
		if (open_part(file, file->directory.paths[i], err) != 0)
			return -1;
	return 0;
}

static size_t earliest_part(const struct perf_file *file)
{
	size_t earliest = 0;

	for (size_t i = 1; i < file->part_count; i++)
		if (file->part_times_ns[i] < file->part_times_ns[earliest])
			earliest = i;
	return earliest;
}

/*
 * Learns from records about the recording. Of AUXTRACE and HEADER_TRACING_DATA only the bytes behind them matter, which the
 * part itself keeps track of.
 */
static int hand_out(struct perf_file *file, struct event *event, struct error *err)
{
	*event = file->parts[file->current_part].event;
	if (event->type < PERF_RECORD_USER_TYPE_START || event->type == PERF_RECORD_AUXTRACE ||
	    event->type == PERF_RECORD_HEADER_TRACING_DATA)
		return 1;
	return perf_file_learn(file, event, err);
}

int perf_file_next_of_parts(struct perf_file *file, struct event *event, struct error *err)
{
	int result;

	if (file->part_count == 0)
		return 0;
	do {
		if (file->part_is_lent && read_part(file, file->current_part, err) != 0)
			return -1;
		file->part_is_lent = false;
		file->current_part = earliest_part(file);
		if (file->part_times_ns[file->current_part] == UINT64_MAX)
			return 0;
		file->part_is_lent = true;
		result = hand_out(file, event, err);
	} while (result == 0);
	return result;
}
