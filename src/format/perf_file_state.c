/* The damage found and the known events: all parts of an open perf_file add to these. */
#include "format/perf_file_state.h"

#include <stdarg.h>
#include <stdio.h>

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

int perf_file_add_event(struct perf_file *file, struct byte_reader attr, struct byte_reader ids,
			struct error *err)
{
	const struct byte_reader bytes = attr;
	struct perf_attr decoded;
	size_t number;

	if (perf_attr_decode(&decoded, &attr, err) != 0)
		return -1;
	number = event_table_add(&file->events, &decoded);
	event_table_set_attr_bytes(&file->events, number, bytes);
	event_table_add_ids(&file->events, number, ids);
	return 0;
}

uint64_t perf_file_time_of(const struct perf_file *file, const struct event *event)
{
	const size_t number = event_table_of(&file->events, event);
	const struct event_desc *desc = event_table_at(&file->events, number == SIZE_MAX ? 0 : number);
	struct sample_id id;

	if (!desc || event->type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	if (event->type == PERF_RECORD_SAMPLE)
		return sample_peek_time_ns(event, &desc->attr);
	return event_sample_id(event, &desc->attr, &id, NULL) == 0 ? id.time_ns : 0;
}
