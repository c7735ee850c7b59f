/*
 * tool_records[] has a row per type: a table of fixed fields, and a function for the rest. A record of another type is
 * accepted, and shows no fields.
 */
#include "report/dump/dump_tool_record.h"

#include "format/map_piece.h"
#include "format/perf_abi.h"
#include "report/dump/dump_attr.h"
#include "report/dump/dump_feature.h"
#include "report/dump/dump_fields.h"

/* struct perf_record_*, tools/lib/perf/include/perf/event.h */
static const struct dump_field event_type_fields[] = { { DUMP_U64, "event_id", 0 },
						       { DUMP_TEXT, "name", 0 },
						       { 0 } };
static const struct dump_field tracing_data_fields[] = { { DUMP_U32, "payload_size", 0 }, { 0 } };
static const struct dump_field id_index_fields[] = {
	{ DUMP_U64, "id", 0 }, { DUMP_S64, "idx", 0 }, { DUMP_S64, "cpu", 0 }, { DUMP_S64, "tid", 0 }, { 0 }
};
static const struct dump_field auxtrace_info_fields[] = { { DUMP_U32, "auxtrace_type", 0 },
							  { DUMP_SKIP, NULL, 4 },
							  { 0 } };
static const struct dump_field auxtrace_fields[] = { { DUMP_U64, "payload_size", 0 },
						     { DUMP_HEX64, "offset", 0 },
						     { DUMP_HEX64, "reference", 0 },
						     { DUMP_U32, "idx", 0 },
						     { DUMP_S32, "tid", 0 },
						     { DUMP_S32, "cpu", 0 },
						     { 0 } };
static const struct dump_field auxtrace_error_fields[] = {
	{ DUMP_U32, "error_type", 0 }, { DUMP_U32, "code", 0 },
	{ DUMP_S32, "cpu", 0 },        { DUMP_S32, "pid", 0 },
	{ DUMP_S32, "tid", 0 },        { DUMP_U32, "fmt", 0 },
	{ DUMP_HEX64, "ip", 0 },       { DUMP_TIME, "time", 0 },
	{ DUMP_TEXT, "message", 0 },   { 0 }
};
static const struct dump_field thread_map_fields[] = { { DUMP_U64, "pid", 0 },
						       { DUMP_TEXT_FIXED, "comm", 16 },
						       { 0 } };
static const struct dump_field cpu_map_fields[] = { { DUMP_U16, "map_type", 0 }, { 0 } };
static const struct dump_field cpu_fields[] = { { DUMP_U16, "cpu", 0 }, { 0 } };
static const struct dump_field cpu_range_fields[] = { { DUMP_U8, "any_cpu", 0 },
						      { DUMP_SKIP, NULL, 1 },
						      { DUMP_U16, "start_cpu", 0 },
						      { DUMP_U16, "end_cpu", 0 },
						      { 0 } };
static const struct dump_field stat_config_fields[] = { { DUMP_U64, "tag", 0 },
							{ DUMP_U64, "val", 0 },
							{ 0 } };
static const struct dump_field stat_fields[] = { { DUMP_U64, "id", 0 },
						 { DUMP_S32, "cpu", 0 },
						 { DUMP_S32, "thread", 0 },
						 { DUMP_U64, "val", 0 },
						 { DUMP_U64, "ena", 0 },
						 { DUMP_U64, "run", 0 },
						 { 0 } };
static const struct dump_field stat_round_fields[] = { { DUMP_U64, "round_type", 0 },
						       { DUMP_TIME, "time", 0 },
						       { 0 } };
static const struct dump_field time_conv_fields[] = {
	{ DUMP_U64, "time_shift", 0 }, { DUMP_U64, "time_mult", 0 }, { DUMP_U64, "time_zero", 0 }, { 0 }
};
static const struct dump_field event_update_fields[] = { { DUMP_U64, "update_type", 0 },
							 { DUMP_U64, "id", 0 },
							 { 0 } };
static const struct dump_field program_fields[] = { { DUMP_TEXT_FIXED, "prog_name", 16 }, { 0 } };
static const struct dump_field metadata_fields[] = { { DUMP_TEXT_FIXED, "key", 64 },
						     { DUMP_TEXT_FIXED, "value", 256 },
						     { 0 } };
/* The counters after these depend on the version of /proc/schedstat. */
static const struct dump_field schedstat_cpu_fields[] = {
	{ DUMP_U64, "timestamp", 0 }, { DUMP_U32, "cpu", 0 }, { DUMP_U16, "version", 0 }, { 0 }
};
static const struct dump_field schedstat_domain_fields[] = { { DUMP_U64, "timestamp", 0 },
							     { DUMP_U32, "cpu", 0 },
							     { DUMP_U16, "version", 0 },
							     { DUMP_U16, "domain", 0 },
							     { 0 } };
static const struct dump_field no_fields[] = { { 0 } };

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

static void dump_id_index(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	(void)event;
	dump_field_rows(out, "entries", r, byte_reader_u64(r), id_index_fields);
}

static void dump_private_words(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	(void)event;
	dump_list(out, "private");
	while (byte_reader_left(r) >= sizeof(uint64_t))
		dump_hex(out, NULL, byte_reader_u64(r));
	dump_list_end(out);
}

static void dump_thread_map(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	(void)event;
	dump_field_rows(out, "threads", r, byte_reader_u64(r), thread_map_fields);
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
		dump_field_rows(out, "cpus", r, byte_reader_u16(r), cpu_fields);
	else if (type == MAP_MASK)
		dump_cpu_mask(out, r);
	else if (type == MAP_RANGE)
		dump_fields(out, r, cpu_range_fields);
}

static void dump_stat_config(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	(void)event;
	dump_field_rows(out, "config", r, byte_reader_u64(r), stat_config_fields);
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

/* { char prog_name[16]; u64 nr_entries; { char key[64], value[256]; }[nr_entries]; } (perf 6.17) */
static void dump_bpf_metadata(struct dump_out *out, struct byte_reader *r, const struct event *event)
{
	(void)event;
	dump_field_rows(out, "entries", r, byte_reader_u64(r), metadata_fields);
}

struct tool_record {
	uint32_t type;
	const struct dump_field *fields;
	dump_rest *rest;
};

static const struct tool_record tool_records[] = {
	{ PERF_RECORD_HEADER_ATTR, no_fields, dump_header_attr },
	{ PERF_RECORD_HEADER_EVENT_TYPE, event_type_fields, NULL },
	{ PERF_RECORD_HEADER_TRACING_DATA, tracing_data_fields, NULL },
	{ PERF_RECORD_HEADER_BUILD_ID, no_fields, dump_build_id },
	{ PERF_RECORD_ID_INDEX, no_fields, dump_id_index },
	{ PERF_RECORD_AUXTRACE_INFO, auxtrace_info_fields, dump_private_words },
	{ PERF_RECORD_AUXTRACE, auxtrace_fields, NULL },
	{ PERF_RECORD_AUXTRACE_ERROR, auxtrace_error_fields, NULL },
	{ PERF_RECORD_THREAD_MAP, no_fields, dump_thread_map },
	{ PERF_RECORD_CPU_MAP, cpu_map_fields, dump_cpu_map },
	{ PERF_RECORD_STAT_CONFIG, no_fields, dump_stat_config },
	{ PERF_RECORD_STAT, stat_fields, NULL },
	{ PERF_RECORD_STAT_ROUND, stat_round_fields, NULL },
	{ PERF_RECORD_EVENT_UPDATE, event_update_fields, dump_event_update },
	{ PERF_RECORD_TIME_CONV, time_conv_fields, NULL },
	{ PERF_RECORD_HEADER_FEATURE, no_fields, dump_header_feature },
	{ PERF_RECORD_BPF_METADATA, program_fields, dump_bpf_metadata },
	{ PERF_RECORD_SCHEDSTAT_CPU, schedstat_cpu_fields, NULL },
	{ PERF_RECORD_SCHEDSTAT_DOMAIN, schedstat_domain_fields, NULL },
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
