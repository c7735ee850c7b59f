/*
 * tool_records[] has a row per type: the layout of its fixed fields, and a function for the rest. A record of another type is
 * accepted, and shows no fields.
 */
#include "report/dump/dump_record.h"

#include "format/map_piece.h"
#include "format/perf_abi.h"
#include "report/dump/dump_attr.h"
#include "report/dump/dump_feature.h"
#include "report/dump/dump_fields.h"

typedef void dump_rest(struct dump_out *out, struct byte_reader *r, const struct event *event);

/* { attr; u64 ids[] } */
static void dump_header_attr(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	struct byte_reader peek = *r, attr_bytes;
	struct perf_attr attr;
	uint32_t size;

	(void)event;
	byte_reader_skip(&peek, sizeof(uint32_t));
	size = byte_reader_u32(&peek);
	attr_bytes = byte_reader_sub(r, size ? size : 64);
	if (perf_attr_decode(&attr, &attr_bytes, NULL) != 0) {
		r->failed = true;
		return;
	}
	dump_group(out, "attr");
	dump_attr(out, &attr);
	dump_group_end(out);
	dump_list(out, "ids");
	while (byte_reader_left(r) >= sizeof(uint64_t))
		dump_unsigned(out, NULL, byte_reader_u64(r));
	dump_list_end(out);
}

/* { s32 pid; u8 build_id[24]; char filename[] } */
static void dump_build_id(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	enum { MISC_BUILD_ID_SIZE = 1 << 15 };
	int32_t pid = (int32_t)byte_reader_u32(r);
	const uint8_t *field = byte_reader_bytes(r, 24);
	const char *path = byte_reader_string(r, byte_reader_left(r));

	if (!path || !field)
		return;
	dump_signed(out, "pid", pid);
	dump_bytes(out, "build_id", field,
		   event->misc & MISC_BUILD_ID_SIZE && field[20] < 20 ? field[20] : 20);
	dump_string(out, "path", path);
}

static void dump_private_words(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	(void)event;
	dump_list(out, "private");
	while (byte_reader_left(r) >= sizeof(uint64_t))
		dump_hex(out, NULL, byte_reader_u64(r));
	dump_list_end(out);
}

/*
 * u16 nr, long_size, then words at a multiple of their size from the record's start, or (perf before 6.1) four bytes after
 * long_size.
 */
static void dump_cpu_mask(struct dump_out *out, struct byte_reader *r)
{
	uint16_t count = byte_reader_u16(r), word_size = byte_reader_u16(r);

	if (word_size == 8)
		byte_reader_skip(r, byte_reader_left(r) >= 10 + 8 * (size_t)count ? 4 : 2);
	dump_list(out, "mask");
	while (count-- && byte_reader_left(r) >= word_size && (word_size == 4 || word_size == 8))
		dump_hex(out, NULL, word_size == 8 ? byte_reader_u64(r) : byte_reader_u32(r));
	dump_list_end(out);
}

/* struct perf_record_cpu_map_data: a list of cpus, a mask, or a range */
static void dump_cpu_map(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	enum { MAP_CPUS, MAP_MASK, MAP_RANGE };
	struct byte_reader peek = event_payload(event);
	uint16_t type = byte_reader_u16(&peek);

	if (type == MAP_CPUS)
		dump_field_rows(out, "cpus", r, byte_reader_u16(r), "u16 cpu");
	else if (type == MAP_MASK)
		dump_cpu_mask(out, r);
	else if (type == MAP_RANGE)
		dump_fields(out, r, "u8 any_cpu, skip[1], u16 start_cpu, u16 end_cpu");
}

/* A record of xprof's recorder: a part of a perf map. */
static void dump_map_piece(struct dump_out *out, const struct event *event)
{
	struct map_piece piece;

	if (!map_piece_decode(&piece, event))
		return;
	dump_unsigned(out, "map_of_pid", piece.pid);
	dump_unsigned(out, "map_flags", piece.flags);
	dump_unsigned(out, "text_size", piece.text_size);
	dump_unsigned(out, "packed_size", piece.packed_size);
}

/* The rest depends on the type: a unit, a scale (double), a name, or a cpu map. */
static void dump_event_update(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	static const char *const names[] = { "unit", NULL, "name" };
	struct byte_reader peek = event_payload(event);
	uint64_t type = byte_reader_u64(&peek);
	const char *text;

	if (type == EVENT_UPDATE_MAP_PIECE)
		dump_map_piece(out, event);
	if (type >= sizeof(names) / sizeof(names[0]) || !names[type])
		return;
	text = byte_reader_string(r, byte_reader_left(r));
	if (text)
		dump_string(out, names[type], text);
}

static void dump_header_feature(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	uint64_t feature = byte_reader_u64(r);
	char name[24];

	(void)event;
	if (!byte_reader_ok(r))
		return;
	dump_unsigned(out, "feature", feature);
	dump_word(out, "name", dump_feature_name(feature, name));
	dump_unsigned(out, "bytes", byte_reader_left(r));
}

struct tool_record {
	uint32_t type;
	const char *fields;
	dump_rest *rest;
};

/* struct perf_record_*, tools/lib/perf/include/perf/event.h */
static const struct tool_record tool_records[] = {
	{ PERF_RECORD_HEADER_ATTR, "", dump_header_attr },
	{ PERF_RECORD_HEADER_EVENT_TYPE, "u64 event_id, text name", NULL },
	{ PERF_RECORD_HEADER_TRACING_DATA, "u32 payload_size", NULL },
	{ PERF_RECORD_HEADER_BUILD_ID, "", dump_build_id },
	{ PERF_RECORD_ID_INDEX, "rows64 entries: u64 id, s64 idx, s64 cpu, s64 tid", NULL },
	{ PERF_RECORD_AUXTRACE_INFO, "u32 auxtrace_type, skip[4]", dump_private_words },
	{ PERF_RECORD_AUXTRACE, "u64 payload_size, x64 offset, x64 reference, u32 idx, s32 tid, s32 cpu",
	  NULL },
	{ PERF_RECORD_AUXTRACE_ERROR,
	  "u32 error_type, u32 code, s32 cpu, s32 pid, s32 tid, u32 fmt, x64 ip, time time, text message",
	  NULL },
	{ PERF_RECORD_THREAD_MAP, "rows64 threads: u64 pid, text[16] comm", NULL },
	{ PERF_RECORD_CPU_MAP, "u16 map_type", dump_cpu_map },
	{ PERF_RECORD_STAT_CONFIG, "rows64 config: u64 tag, u64 val", NULL },
	{ PERF_RECORD_STAT, "u64 id, s32 cpu, s32 thread, u64 val, u64 ena, u64 run", NULL },
	{ PERF_RECORD_STAT_ROUND, "u64 round_type, time time", NULL },
	{ PERF_RECORD_EVENT_UPDATE, "u64 update_type, u64 id", dump_event_update },
	{ PERF_RECORD_TIME_CONV, "u64 time_shift, u64 time_mult, u64 time_zero", NULL },
	{ PERF_RECORD_HEADER_FEATURE, "", dump_header_feature },
	{ PERF_RECORD_BPF_METADATA, "text[16] prog_name, rows64 entries: text[64] key, text[256] value",
	  NULL },
	/* The counters after these fields depend on the version of /proc/schedstat. */
	{ PERF_RECORD_SCHEDSTAT_CPU, "u64 timestamp, u32 cpu, u16 version", NULL },
	{ PERF_RECORD_SCHEDSTAT_DOMAIN, "u64 timestamp, u32 cpu, u16 version, u16 domain", NULL },
};

int dump_tool_record(struct dump_out *out, const struct event *event, struct error *err)
{
	struct byte_reader r = event_payload(event);

	for (size_t i = 0; i < sizeof(tool_records) / sizeof(tool_records[0]); i++) {
		const struct tool_record *record = &tool_records[i];

		if (record->type != event->type)
			continue;
		dump_fields(out, &r, record->fields);
		if (byte_reader_ok(&r) && record->rest)
			record->rest(out, &r, event);
		break;
	}
	if (byte_reader_ok(&r))
		return 0;
	return error_set(err, "%zu bytes are too few for its type", event->payload_size);
}
