/*
 * kernel_records[] has a row per type: the layout of its fixed fields, and a function for the rest. The sample_id trailer lies
 * at the payload's end and is decoded separately, by the attr of the event.
 */
#include "report/dump/dump_record.h"

#include <inttypes.h>
#include <linux/perf_event.h>

#include "format/perf_abi.h"
#include "report/dump/dump_fields.h"

typedef void dump_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
		       const struct perf_attr *attr);

/* MMAP2: device and inode, or a build-id. */
static void dump_mmap2_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
			    const struct perf_attr *attr)
{
	const uint8_t *bytes;

	(void)attr;
	if (event_mmap2_has_build_id(event)) {
		uint8_t size = byte_reader_u8(r);

		byte_reader_skip(r, 3);
		bytes = byte_reader_bytes(r, MMAP_BUILD_ID_BYTES);
		if (bytes)
			dump_bytes(out, "build_id", bytes, size);
	} else {
		dump_fields(out, r, "x32 maj, x32 min, u64 ino, u64 ino_generation");
	}
	dump_fields(out, r, "x32 prot, x32 flags, text path");
}

static void dump_mmap_rest(struct dump_out *out, struct byte_reader *r, const struct event *event,
			   const struct perf_attr *attr)
{
	(void)event, (void)attr;
	dump_fields(out, r, "text path");
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
	dump_field_rows(out, "namespaces", r, byte_reader_u64(r), "u64 dev, u64 inode");
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
	const char *fields;
	dump_rest *rest;
	bool has_lines; /* the rest is on lines of its own, after the trailer */
};

static const struct kernel_record kernel_records[] = {
	[PERF_RECORD_MMAP] = { "s32 pid, s32 tid, x64 start, x64 length, x64 pgoff", dump_mmap_rest, false },
	[PERF_RECORD_LOST] = { "u64 id, u64 lost", NULL, false },
	[PERF_RECORD_COMM] = { "s32 pid, s32 tid, text comm", NULL, false },
	[PERF_RECORD_EXIT] = { "s32 pid, s32 ppid, s32 tid, s32 ptid, time time", NULL, false },
	[PERF_RECORD_THROTTLE] = { "time time, u64 id, u64 stream_id", NULL, false },
	[PERF_RECORD_UNTHROTTLE] = { "time time, u64 id, u64 stream_id", NULL, false },
	[PERF_RECORD_FORK] = { "s32 pid, s32 ppid, s32 tid, s32 ptid, time time", NULL, false },
	[PERF_RECORD_READ] = { "s32 pid, s32 tid", dump_read_rest, true },
	[PERF_RECORD_MMAP2] = { "s32 pid, s32 tid, x64 start, x64 length, x64 pgoff", dump_mmap2_rest,
				false },
	[PERF_RECORD_AUX] = { "x64 aux_offset, u64 aux_size, x64 flags", NULL, false },
	[PERF_RECORD_ITRACE_START] = { "s32 pid, s32 tid", NULL, false },
	[PERF_RECORD_LOST_SAMPLES] = { "u64 lost", NULL, false },
	[PERF_RECORD_SWITCH] = { "", NULL, false },
	[PERF_RECORD_SWITCH_CPU_WIDE] = { "s32 next_prev_pid, s32 next_prev_tid", NULL, false },
	[PERF_RECORD_NAMESPACES] = { "s32 pid, s32 tid", dump_namespaces_rest, true },
	[PERF_RECORD_KSYMBOL] = { "x64 addr, u32 len, u16 ksym_type, u16 flags, text name", NULL, false },
	[PERF_RECORD_BPF_EVENT] = { "u16 bpf_type, u16 flags, u32 id, bytes[8] tag", NULL, false },
	[PERF_RECORD_CGROUP] = { "u64 id, text path", NULL, false },
	[PERF_RECORD_TEXT_POKE] = { "", dump_text_poke_rest, false },
	[RECORD_AUX_OUTPUT_HW_ID] = { "x64 hw_id", NULL, false },
	[RECORD_CALLCHAIN_DEFERRED] = { "", dump_deferred_rest, true },
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
