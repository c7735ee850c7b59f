/*
 * record_source_next() asks for the header, then for the whole record, and points the event into the window. Odd sizes have
 * helpers of their own: simpleperf's 32-bit sizes, perf's wrapped COMPRESSED2 size, and status text in place of a record.
 */
#include "format/record_source.h"

#include "format/perf_abi.h"

static size_t at_hand(const struct record_source *source)
{
	return (size_t)(source->end - source->next);
}

int record_source_need(struct record_source *source, size_t size, struct error *err)
{
	if (at_hand(source) >= size)
		return 1;
	return source->refill ? source->refill(source->context, size, err) : 0;
}

static void step(struct record_source *source, size_t size)
{
	source->next += size;
	source->file_offset += size;
}

/* struct perf_event_header, linux/perf_event.h: u32 type, u16 misc, u16 size */
static void decode_header(const struct record_source *source, struct event *event)
{
	uint32_t type;
	uint16_t misc, size;

	memcpy(&type, source->next, sizeof(type));
	memcpy(&misc, source->next + 4, sizeof(misc));
	memcpy(&size, source->next + 6, sizeof(size));
	event->type = source->swap ? __builtin_bswap32(type) : type;
	event->misc = source->swap ? __builtin_bswap16(misc) : misc;
	event->size = source->swap ? __builtin_bswap16(size) : size;
}

/* "[ perf record: Woken up 1 times to write data ]" */
static bool is_status_text(const struct record_source *source)
{
	return memcmp(source->next, "[ perf r", PERF_RECORD_HEADER_SIZE) == 0;
}

/* struct simpleperf_record_header: u32 type, u16 upper half of the size, u16 lower half */
static enum record_status decode_long_size(const struct record_source *source, struct event *event)
{
	enum { REFILLED_MAX_BYTES = 256 * 1024 }; /* decompressed at a time */

	if (is_status_text(source))
		return RECORD_TEXT;
	event->size |= (uint32_t)event->misc << 16;
	event->misc = 0;
	return source->refill && event->size > REFILLED_MAX_BYTES ? RECORD_TOO_LARGE : RECORD_OK;
}

/*
 * perf 6.16 pads COMPRESSED2 records to eight bytes after filling them, so the size of the largest, 65536, is written as 0.
 * The size of their data, in the next word, gives it away.
 */
static int recover_wrapped_size(struct record_source *source, struct event *event, struct error *err)
{
	const uint32_t wrapped = UINT16_MAX + 1;
	uint64_t data_size;
	int need = record_source_need(source, PERF_RECORD_HEADER_SIZE + sizeof(data_size), err);

	if (need <= 0)
		return need;
	memcpy(&data_size, source->next + PERF_RECORD_HEADER_SIZE, sizeof(data_size));
	if (source->swap)
		data_size = __builtin_bswap64(data_size);
	if (data_size <= wrapped - 16 && data_size > wrapped - 16 - 8)
		event->size = wrapped;
	return 1;
}

static enum record_status status_without_bytes(const struct record_source *source, int need)
{
	if (need < 0)
		return RECORD_READ_FAILED;
	return at_hand(source) ? RECORD_CUT : RECORD_END;
}

enum record_status record_source_next(struct record_source *source, struct event *event, struct error *err)
{
	int need = record_source_need(source, PERF_RECORD_HEADER_SIZE, err);

	if (need <= 0)
		return status_without_bytes(source, need);
	decode_header(source, event);
	if (event->type >= SIMPLEPERF_RECORD_TYPE_START) {
		enum record_status status = decode_long_size(source, event);

		if (status != RECORD_OK)
			return status;
	}
	if (event->type == PERF_RECORD_COMPRESSED2 && event->size == 0) {
		need = recover_wrapped_size(source, event, err);
		if (need <= 0)
			return status_without_bytes(source, need);
	}
	if (event->size < PERF_RECORD_HEADER_SIZE)
		return RECORD_TOO_SMALL;
	need = record_source_need(source, event->size, err);
	if (need <= 0)
		return status_without_bytes(source, need);
	event->payload = source->next + PERF_RECORD_HEADER_SIZE;
	event->payload_size = event->size - PERF_RECORD_HEADER_SIZE;
	event->file_offset = source->file_offset;
	event->compressed_size = 0;
	event->swap = source->swap;
	step(source, event->size);
	/* Samples with stack dumps are of similar size: prefetches the header of the record after the next. */
	__builtin_prefetch(source->next + event->size);
	return RECORD_OK;
}

int record_source_skip(struct record_source *source, uint64_t size, struct error *err)
{
	while (size > at_hand(source)) {
		int need;

		size -= at_hand(source);
		step(source, at_hand(source));
		need = record_source_need(source, 1, err);
		if (need <= 0)
			return need;
	}
	step(source, size);
	return 1;
}
