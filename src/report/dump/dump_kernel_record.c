/*
 * kernel_records[] has a row per type: a table of fixed fields, and a function for the rest. The sample_id trailer lies
 * at the payload's end and is decoded separately, by the attr of the event.
 */
#include "report/dump/dump_kernel_record.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "format/perf_abi.h"
#include "report/dump/dump_fields.h"
#include "report/dump/dump_sample.h"

static const struct dump_field lost_fields[] = { { DUMP_U64, "id", 0 }, { DUMP_U64, "lost", 0 }, { 0 } };
static const struct dump_field lost_samples_fields[] = { { DUMP_U64, "lost", 0 }, { 0 } };
static const struct dump_field comm_fields[] = {
	{ DUMP_S32, "pid", 0 }, { DUMP_S32, "tid", 0 }, { DUMP_TEXT, "comm", 0 }, { 0 }
};
static const struct dump_field task_fields[] = { { DUMP_S32, "pid", 0 },   { DUMP_S32, "ppid", 0 },
						 { DUMP_S32, "tid", 0 },   { DUMP_S32, "ptid", 0 },
						 { DUMP_TIME, "time", 0 }, { 0 } };
static const struct dump_field throttle_fields[] = {
	{ DUMP_TIME, "time", 0 }, { DUMP_U64, "id", 0 }, { DUMP_U64, "stream_id", 0 }, { 0 }
};
static const struct dump_field mmap_fields[] = { { DUMP_S32, "pid", 0 },     { DUMP_S32, "tid", 0 },
						 { DUMP_HEX64, "start", 0 }, { DUMP_HEX64, "length", 0 },
						 { DUMP_HEX64, "pgoff", 0 }, { 0 } };
static const struct dump_field inode_fields[] = { { DUMP_HEX32, "maj", 0 },
						  { DUMP_HEX32, "min", 0 },
						  { DUMP_U64, "ino", 0 },
						  { DUMP_U64, "ino_generation", 0 },
						  { 0 } };
static const struct dump_field path_fields[] = { { DUMP_TEXT, "path", 0 }, { 0 } };
static const struct dump_field aux_fields[] = {
	{ DUMP_HEX64, "aux_offset", 0 }, { DUMP_U64, "aux_size", 0 }, { DUMP_HEX64, "flags", 0 }, { 0 }
};
static const struct dump_field thread_fields[] = { { DUMP_S32, "pid", 0 }, { DUMP_S32, "tid", 0 }, { 0 } };
static const struct dump_field switch_cpu_wide_fields[] = { { DUMP_S32, "next_prev_pid", 0 },
							    { DUMP_S32, "next_prev_tid", 0 },
							    { 0 } };
static const struct dump_field namespace_fields[] = { { DUMP_U64, "dev", 0 },
						      { DUMP_U64, "inode", 0 },
						      { 0 } };
static const struct dump_field ksymbol_fields[] = { { DUMP_HEX64, "addr", 0 },    { DUMP_U32, "len", 0 },
						    { DUMP_U16, "ksym_type", 0 }, { DUMP_U16, "flags", 0 },
						    { DUMP_TEXT, "name", 0 },     { 0 } };
static const struct dump_field bpf_event_fields[] = { { DUMP_U16, "bpf_type", 0 },
						      { DUMP_U16, "flags", 0 },
						      { DUMP_U32, "id", 0 },
						      { DUMP_BYTES, "tag", 8 },
						      { 0 } };
static const struct dump_field cgroup_fields[] = { { DUMP_U64, "id", 0 }, { DUMP_TEXT, "path", 0 }, { 0 } };
static const struct dump_field hw_id_fields[] = { { DUMP_HEX64, "hw_id", 0 }, { 0 } };
static const struct dump_field no_fields[] = { { 0 } };

typedef void dump_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
		       const struct perf_attr *attr);

/* MMAP2: device and inode, or a build-id. */
static void dump_mmap2_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
			    const struct perf_attr *attr)
{
	static const struct dump_field protection_fields[] = {
		{ DUMP_HEX32, "prot", 0 }, { DUMP_HEX32, "flags", 0 }, { DUMP_TEXT, "path", 0 }, { 0 }
	};
	const uint8_t *bytes;

	(void)attr;
	if (event_mmap2_has_build_id(event)) {
		uint8_t size = byte_reader_u8(r);

		byte_reader_skip(r, 3);
		bytes = byte_reader_bytes(r, MMAP_BUILD_ID_BYTES);
		if (bytes)
			dump_bytes(out, "build_id", bytes, size);
	} else {
		dump_fields(out, r, inode_fields);
	}
	dump_fields(out, r, protection_fields);
}

static void dump_mmap_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
			   const struct perf_attr *attr)
{
	(void)event, (void)attr;
	dump_fields(out, r, path_fields);
}

static void dump_read_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
			   const struct perf_attr *attr)
{
	(void)event;
	if (attr)
		dump_read_values(out, *r, attr->read_format);
}

/* { u64 nr; struct { u64 dev, inode; }[nr]; } */
static void dump_namespaces_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
				 const struct perf_attr *attr)
{
	(void)event, (void)attr;
	dump_field_rows(out, "namespaces", r, byte_reader_u64(r), namespace_fields);
}

/* { u64 addr; u16 old_len, new_len; u8 old[], new[]; } */
static void dump_text_poke_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
				const struct perf_attr *attr)
{
	uint64_t addr = byte_reader_u64(r);
	uint16_t old_size = byte_reader_u16(r), new_size = byte_reader_u16(r);
	const uint8_t *old_bytes = byte_reader_bytes(r, old_size),
		      *new_bytes = byte_reader_bytes(r, new_size);

	(void)event, (void)attr;
	if (!byte_reader_ok(r))
		return;
	dump_hex(out, "addr", addr);
	dump_bytes(out, "old", old_bytes, old_size);
	dump_bytes(out, "new", new_bytes, new_size);
}

/* { u64 cookie, nr; u64 ips[nr]; } (Linux 6.19) */
static void dump_deferred_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
			       const struct perf_attr *attr)
{
	uint64_t cookie = byte_reader_u64(r), count = byte_reader_u64(r);

	(void)event, (void)attr;
	if (count > byte_reader_left(r) / sizeof(uint64_t)) {
		r->failed = true;
		return;
	}
	dump_hex(out, "cookie", cookie);
	dump_callchain(out, byte_reader_sub(r, count * sizeof(uint64_t)));
}

struct kernel_record {
	const struct dump_field *fields;
	dump_rest *rest;
	bool has_lines; /* the rest is on lines of its own, after the trailer */
};

static const struct kernel_record kernel_records[] = {
	[PERF_RECORD_MMAP] = { mmap_fields, dump_mmap_rest, false },
	[PERF_RECORD_LOST] = { lost_fields, NULL, false },
	[PERF_RECORD_COMM] = { comm_fields, NULL, false },
	[PERF_RECORD_EXIT] = { task_fields, NULL, false },
	[PERF_RECORD_THROTTLE] = { throttle_fields, NULL, false },
	[PERF_RECORD_UNTHROTTLE] = { throttle_fields, NULL, false },
	[PERF_RECORD_FORK] = { task_fields, NULL, false },
	[PERF_RECORD_READ] = { thread_fields, dump_read_rest, true },
	[PERF_RECORD_MMAP2] = { mmap_fields, dump_mmap2_rest, false },
	[PERF_RECORD_AUX] = { aux_fields, NULL, false },
	[PERF_RECORD_ITRACE_START] = { thread_fields, NULL, false },
	[PERF_RECORD_LOST_SAMPLES] = { lost_samples_fields, NULL, false },
	[PERF_RECORD_SWITCH] = { no_fields, NULL, false },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { switch_cpu_wide_fields, NULL, false },
	[PERF_RECORD_NAMESPACES] = { thread_fields, dump_namespaces_rest, true },
	[PERF_RECORD_KSYMBOL] = { ksymbol_fields, NULL, false },
	[PERF_RECORD_BPF_EVENT] = { bpf_event_fields, NULL, false },
	[PERF_RECORD_CGROUP] = { cgroup_fields, NULL, false },
	[PERF_RECORD_TEXT_POKE] = { no_fields, dump_text_poke_rest, false },
	[RECORD_AUX_OUTPUT_HW_ID] = { hw_id_fields, NULL, false },
	[RECORD_CALLCHAIN_DEFERRED] = { no_fields, dump_deferred_rest, true },
};

bool dump_knows_kernel_record(uint32_t type)
{
	return type < sizeof(kernel_records) / sizeof(kernel_records[0]) && kernel_records[type].fields;
}

/* Only fields that are not 0; the event's attr says which it has. */
static void dump_trailer(struct dump_out *out, const struct sample_id *id)
{
	dump_group(out, "sample_id");
	if (id->pid || id->tid) {
		dump_signed(out, "pid", (int32_t)id->pid);
		dump_signed(out, "tid", (int32_t)id->tid);
	}
	if (id->time_ns)
		dump_time(out, "time", id->time_ns);
	if (id->cpu)
		dump_unsigned(out, "cpu", id->cpu);
	if (id->id)
		dump_unsigned(out, "id", id->id);
	if (id->stream_id)
		dump_unsigned(out, "stream_id", id->stream_id);
	dump_group_end(out);
}

int dump_kernel_record(struct dump_out *out, const struct event *event, const struct perf_attr *attr,
		       struct error *err)
{
	const struct kernel_record *record = &kernel_records[event->type];
	const bool has_trailer = attr && perf_attr_has(attr, PERF_ATTR_SAMPLE_ID_ALL);
	struct byte_reader r = event_payload(event);
	struct sample_id id;

	if (has_trailer && event_sample_id(event, attr, &id, err) != 0)
		return -1;
	dump_fields(out, &r, record->fields);
	if (has_trailer && record->has_lines)
		dump_trailer(out, &id);
	if (byte_reader_ok(&r) && record->rest)
		record->rest(out, &r, event, attr);
	if (has_trailer && !record->has_lines)
		dump_trailer(out, &id);
	if (byte_reader_ok(&r))
		return 0;
	return error_set(err, "%zu bytes are too few for its type", event->payload_size);
}
