/*
 * feature_table_add() keeps the raw bytes of every feature and lets decode() fill in the known ones, one small decoder for
 * each. A feature may come as a record and in the file's table; the table wins. has_room() bounds what records can add.
 */
#include "format/feature_decode.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum {
	BUILD_ID_ENTRY_SIZE = 36,     /* header, s32 pid, build_id[24]; the path follows */
	BUILD_ID_FIELD_SIZE = 24,     /* 20 bytes, their number, 3 reserved */
	MISC_BUILD_ID_SIZE = 1 << 15, /* PERF_RECORD_MISC_BUILD_ID_SIZE: byte 20 of the field is its size */
};

void feature_table_init(struct feature_table *table)
{
	*table = (struct feature_table){ .decoded = { .clock_id = -1 } };
}

void feature_table_fini(struct feature_table *table)
{
	free(table->build_ids);
	arena_fini(&table->memory);
}

static bool has_bit(const uint64_t bits[], unsigned int feature)
{
	return bits[feature / 64] >> feature % 64 & 1;
}

static void set_bit(uint64_t bits[], unsigned int feature)
{
	bits[feature / 64] |= (uint64_t)1 << feature % 64;
}

/* u32 length with padding, then the text and its padding (struct perf_header_string). */
static const char *read_string(struct feature_table *table, struct byte_reader *r)
{
	uint32_t length = byte_reader_u32(r);
	const char *text = byte_reader_string(r, length);

	return text ? arena_strdup(&table->memory, text) : NULL;
}

static void decode_string(struct feature_table *table, struct byte_reader *r, const char **field)
{
	const char *text = read_string(table, r);

	if (text)
		*field = text;
}

static void decode_command_line(struct feature_table *table, struct byte_reader *r)
{
	uint32_t count = byte_reader_u32(r);
	const char **words;

	/* Each string takes at least the four bytes of its length. */
	if (count > byte_reader_left(r) / sizeof(uint32_t)) {
		r->failed = true;
		return;
	}
	words = arena_alloc(&table->memory, (count + 1) * sizeof(words[0]));
	for (uint32_t i = 0; i < count; i++) {
		words[i] = read_string(table, r);
		if (!words[i])
			return;
	}
	words[count] = NULL;
	table->decoded.command_line = words;
	table->decoded.command_line_count = count;
}

static void decode_cpu_counts(struct feature_table *table, struct byte_reader *r)
{
	uint32_t available = byte_reader_u32(r), online = byte_reader_u32(r);

	if (!byte_reader_ok(r))
		return;
	table->decoded.cpus_available = available;
	table->decoded.cpus_online = online;
}

/* u32 count; { string name; u32 leader, members; } each */
static void decode_groups(struct byte_reader *r, struct event_table *events)
{
	uint32_t count = byte_reader_u32(r);

	while (count-- && byte_reader_ok(r)) {
		uint32_t leader, members;

		byte_reader_skip(r, byte_reader_u32(r));
		leader = byte_reader_u32(r);
		members = byte_reader_u32(r);
		if (byte_reader_ok(r))
			event_table_set_group(events, leader, members);
	}
}

static void decode_sample_time(struct feature_table *table, struct byte_reader *r)
{
	table->decoded.first_sample_ns = byte_reader_u64(r);
	table->decoded.last_sample_ns = byte_reader_u64(r);
}

/* u32 version, u32 clockid, u64 wall_clock_ns, u64 clockid_time_ns */
static void decode_clock(struct feature_table *table, struct byte_reader *r)
{
	uint32_t clock_id;

	byte_reader_skip(r, sizeof(uint32_t));
	clock_id = byte_reader_u32(r);
	table->decoded.clock_wall_ns = byte_reader_u64(r);
	table->decoded.clock_clockid_ns = byte_reader_u64(r);
	if (byte_reader_ok(r))
		table->decoded.clock_id = (int32_t)clock_id;
}

/* u32 version, type, level, ratio, mmap_len */
static void decode_compression(struct feature_table *table, struct byte_reader *r)
{
	byte_reader_skip(r, 2 * sizeof(uint32_t));
	table->decoded.compression_level = byte_reader_u32(r);
	table->decoded.compression_ratio = byte_reader_u32(r);
}

/*
 * u32 nr, u32 attr_size, then for each event: attr, u32 nr_ids, name, u64 ids. Events are matched by their ids, or by
 * position if they have none.
 */
static void decode_event_desc(struct feature_table *table, struct byte_reader *r, struct event_table *events)
{
	uint32_t count = byte_reader_u32(r), attr_size = byte_reader_u32(r);

	for (uint32_t i = 0; i < count && byte_reader_ok(r); i++) {
		struct byte_reader ids, first;
		const char *name;
		uint32_t id_count;
		size_t number = SIZE_MAX;

		byte_reader_skip(r, attr_size);
		id_count = byte_reader_u32(r);
		name = read_string(table, r);
		ids = byte_reader_sub(r, (size_t)id_count * sizeof(uint64_t));
		if (!name || !byte_reader_ok(r))
			return;
		first = ids;
		if (id_count)
			number = event_table_by_id(events, byte_reader_u64(&first));
		if (number == SIZE_MAX)
			number = i;
		event_table_set_name(events, number, name);
		event_table_add_ids(events, number, ids);
	}
}

static struct build_id_entry *append_build_id(struct feature_table *table)
{
	struct perf_features *decoded = &table->decoded;

	table->build_ids = array_grow(table->build_ids, &table->build_id_capacity,
				      decoded->build_id_count + 1, sizeof(table->build_ids[0]));
	decoded->build_ids = table->build_ids;
	return &table->build_ids[decoded->build_id_count++];
}

/*
 * { header; s32 pid; u8 build_id[24]; char path[] }, with `r` behind the header. Entries of Linux before 2.6.35 have no
 * pid: the path of the kernel then seems to lack its first four bytes.
 */
static int decode_build_id(struct feature_table *table, struct byte_reader r, uint16_t misc)
{
	struct byte_reader without_pid = r;
	uint32_t pid = byte_reader_u32(&r);
	const uint8_t *field = byte_reader_bytes(&r, BUILD_ID_FIELD_SIZE);
	const char *path = byte_reader_string(&r, byte_reader_left(&r));
	struct build_id_entry *entry;
	uint8_t size = 20;

	if (path && strncmp(path, "nel.kallsyms]", 13) == 0) {
		pid = UINT32_MAX;
		field = byte_reader_bytes(&without_pid, BUILD_ID_FIELD_SIZE);
		path = byte_reader_string(&without_pid, byte_reader_left(&without_pid));
	}
	if (!path || !field)
		return -1;
	if (misc & MISC_BUILD_ID_SIZE && field[20] <= 20)
		size = field[20];
	entry = append_build_id(table);
	*entry = (struct build_id_entry){ .pid = pid,
					  .misc = misc & RECORD_MISC_CPUMODE_MASK,
					  .build_id_size = size };
	memcpy(entry->build_id, field, size);
	entry->path = arena_strdup(&table->memory, path);
	return 0;
}

/* The section is a row of entries that look like records without a type. */
static void decode_build_id_section(struct feature_table *table, struct byte_reader *r)
{
	while (byte_reader_left(r) >= BUILD_ID_ENTRY_SIZE && byte_reader_ok(r)) {
		uint16_t misc, size;

		byte_reader_skip(r, sizeof(uint32_t));
		misc = byte_reader_u16(r);
		size = byte_reader_u16(r);
		if (size < BUILD_ID_ENTRY_SIZE ||
		    decode_build_id(table, byte_reader_sub(r, size - PERF_RECORD_HEADER_SIZE), misc) != 0)
			r->failed = true;
	}
}

static void decode(struct feature_table *table, unsigned int feature, struct byte_reader *r,
		   struct event_table *events)
{
	struct perf_features *decoded = &table->decoded;

	switch (feature) {
	case HEADER_HOSTNAME: decode_string(table, r, &decoded->hostname); break;
	case HEADER_OSRELEASE: decode_string(table, r, &decoded->os_release); break;
	case HEADER_VERSION: decode_string(table, r, &decoded->perf_version); break;
	case HEADER_ARCH: decode_string(table, r, &decoded->arch); break;
	case HEADER_CPUDESC: decode_string(table, r, &decoded->cpu_description); break;
	case HEADER_CPUID: decode_string(table, r, &decoded->cpu_id); break;
	case HEADER_NRCPUS: decode_cpu_counts(table, r); break;
	case HEADER_TOTAL_MEM: decoded->total_memory_kib = byte_reader_u64(r); break;
	case HEADER_CMDLINE: decode_command_line(table, r); break;
	case HEADER_EVENT_DESC: decode_event_desc(table, r, events); break;
	case HEADER_GROUP_DESC: decode_groups(r, events); break;
	case HEADER_BUILD_ID: decode_build_id_section(table, r); break;
	case HEADER_SAMPLE_TIME: decode_sample_time(table, r); break;
	case HEADER_CLOCK_DATA: decode_clock(table, r); break;
	case HEADER_COMPRESSED: decode_compression(table, r); break;
	default: break; /* kept undecoded */
	}
}

/*
 * A recorder writes each feature once. A file that repeats them, at a few compressed bytes each, must not take more memory
 * than the features of the largest machine.
 */
static bool has_room(const struct feature_table *table, size_t size)
{
	enum { RECORDED_MAX_BYTES = 64 * 1024 * 1024 };

	return table->memory.used_bytes + table->decoded.build_id_count * sizeof(table->build_ids[0]) +
		       size <=
	       RECORDED_MAX_BYTES;
}

int feature_table_add(struct feature_table *table, unsigned int feature, struct byte_reader bytes,
		      enum feature_origin origin, struct event_table *events, struct error *err)
{
	struct feature_bytes_read raw = { .bytes = bytes.next, .size = byte_reader_left(&bytes) };

	if (feature == 0 || feature >= HEADER_FEATURE_BITS)
		return 0; /* in a pipe, the record that ends the features has the number after the last */
	if (origin == FEATURE_FROM_RECORD) {
		if (has_bit(table->from_table, feature))
			return 0;
		if (!has_room(table, raw.size))
			return error_set(err, "feature %u: too many features in records", feature);
		raw.bytes = arena_copy(&table->memory, raw.bytes, raw.size);
	} else {
		set_bit(table->from_table, feature);
	}
	table->raw[feature] = raw;
	set_bit(table->decoded.present, feature);
	/* BRANCH_STACK is always empty: its presence says all. Others are empty if perf could not find out their contents. */
	if (raw.size == 0)
		return 0;
	decode(table, feature, &bytes, events);
	if (!byte_reader_ok(&bytes))
		return error_set(err, "feature %u: its %zu bytes end too early", feature, raw.size);
	return 0;
}

void feature_table_set_tracing_data(struct feature_table *table, struct byte_reader bytes)
{
	if (has_bit(table->decoded.present, HEADER_TRACING_DATA))
		return; /* the first complete one is kept */
	table->raw[HEADER_TRACING_DATA] =
		(struct feature_bytes_read){ .bytes = bytes.next, .size = byte_reader_left(&bytes) };
	set_bit(table->decoded.present, HEADER_TRACING_DATA);
}

int feature_table_add_build_id(struct feature_table *table, const struct event *event, struct error *err)
{
	/* A table that was read repeats the build-ids of the records before it. */
	if (has_bit(table->from_table, HEADER_BUILD_ID))
		return 0;
	set_bit(table->decoded.present, HEADER_BUILD_ID);
	if (!has_room(table, event->payload_size))
		return error_set(err, "BUILD_ID record at offset 0x%" PRIx64 ": too many build-ids",
				 event->file_offset);
	if (decode_build_id(table, event_payload(event), event->misc) != 0)
		return error_set(err, "HEADER_BUILD_ID record at offset 0x%" PRIx64 ": no path, or too short",
				 event->file_offset);
	return 0;
}
