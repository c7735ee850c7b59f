/*
 * Each decoder reads the fields in the order of the kernel's struct and checks the reader once at the end, in finish(). Two
 * are not that simple: event_mmap2_has_build_id() tells two layouts of one record apart, and event_sample_id() reads a trailer
 * from the end of a record.
 */
#include "format/event.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>

#include "format/perf_abi.h"

const char *const event_namespace_names[EVENT_NAMESPACES] = { "net",  "uts", "ipc",   "pid",
							      "user", "mnt", "cgroup" };

/* enum perf_event_type, linux/perf_event.h, and enum perf_user_record */
static const char *const record_names[] = {
	[PERF_RECORD_MMAP] = "MMAP",
	[PERF_RECORD_LOST] = "LOST",
	[PERF_RECORD_COMM] = "COMM",
	[PERF_RECORD_EXIT] = "EXIT",
	[PERF_RECORD_THROTTLE] = "THROTTLE",
	[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PERF_RECORD_FORK] = "FORK",
	[PERF_RECORD_READ] = "READ",
	[PERF_RECORD_SAMPLE] = "SAMPLE",
	[PERF_RECORD_MMAP2] = "MMAP2",
	[PERF_RECORD_AUX] = "AUX",
	[PERF_RECORD_ITRACE_START] = "ITRACE_START",
	[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PERF_RECORD_SWITCH] = "SWITCH",
	[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PERF_RECORD_NAMESPACES] = "NAMESPACES",
	[PERF_RECORD_KSYMBOL] = "KSYMBOL",
	[PERF_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PERF_RECORD_CGROUP] = "CGROUP",
	[PERF_RECORD_TEXT_POKE] = "TEXT_POKE",
	[RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
	[PERF_RECORD_HEADER_ATTR] = "HEADER_ATTR",
	[PERF_RECORD_HEADER_EVENT_TYPE] = "HEADER_EVENT_TYPE",
	[PERF_RECORD_HEADER_TRACING_DATA] = "HEADER_TRACING_DATA",
	[PERF_RECORD_HEADER_BUILD_ID] = "HEADER_BUILD_ID",
	[PERF_RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
	[PERF_RECORD_ID_INDEX] = "ID_INDEX",
	[PERF_RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
	[PERF_RECORD_AUXTRACE] = "AUXTRACE",
	[PERF_RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
	[PERF_RECORD_THREAD_MAP] = "THREAD_MAP",
	[PERF_RECORD_CPU_MAP] = "CPU_MAP",
	[PERF_RECORD_STAT_CONFIG] = "STAT_CONFIG",
	[PERF_RECORD_STAT] = "STAT",
	[PERF_RECORD_STAT_ROUND] = "STAT_ROUND",
	[PERF_RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
	[PERF_RECORD_TIME_CONV] = "TIME_CONV",
	[PERF_RECORD_HEADER_FEATURE] = "HEADER_FEATURE",
	[PERF_RECORD_COMPRESSED] = "COMPRESSED",
	[PERF_RECORD_FINISHED_INIT] = "FINISHED_INIT",
	[PERF_RECORD_COMPRESSED2] = "COMPRESSED2",
	[PERF_RECORD_BPF_METADATA] = "BPF_METADATA",
	[PERF_RECORD_SCHEDSTAT_CPU] = "SCHEDSTAT_CPU",
	[PERF_RECORD_SCHEDSTAT_DOMAIN] = "SCHEDSTAT_DOMAIN",
};

enum { RECORD_NAME_COUNT = sizeof(record_names) / sizeof(record_names[0]) };

const char *event_type_name(uint32_t type, char buffer[static 24])
{
	if (type < RECORD_NAME_COUNT && record_names[type])
		return record_names[type];
	snprintf(buffer, 24, "UNKNOWN_%" PRIu32, type);
	return buffer;
}

static int damaged(const struct event *event, struct error *err)
{
	char name[24];

	return error_set(err, "%s record at offset 0x%" PRIx64 ": %" PRIu32 " bytes are too few for its type",
			 event_type_name(event->type, name), event->file_offset, event->size);
}

static int finish(const struct event *event, const struct byte_reader *r, struct error *err)
{
	return byte_reader_ok(r) ? 0 : damaged(event, err);
}

/*
 * A build-id is { u8 size; u8 reserved[3]; u8 bytes[20] }, zero behind its size (linux/perf_event.h, PERF_RECORD_MMAP2), in
 * place of { u32 maj, min; u64 ino, ino_generation }. The bit in misc that tells them apart is not reliable: the kernel
 * (6.18 still does) sets it once for all events that a mapping is reported to. One event with attr.build_id, even another
 * recorder's, thus makes the records of events after it look as if they had a build-id. Device numbers and inodes do not
 * look like one, though: major 8 could be a size, but the minor behind it is small, and no hash begins like that.
 */
bool event_mmap2_has_build_id(const struct event *event)
{
	struct byte_reader r = event_payload(event);
	const uint8_t *reserved, *bytes;
	uint8_t size;

	if (event->type != PERF_RECORD_MMAP2 || !(event->misc & RECORD_MISC_MMAP_BUILD_ID))
		return false;
	byte_reader_skip(&r, 2 * sizeof(uint32_t) + 3 * sizeof(uint64_t)); /* pid, tid, addr, len, pgoff */
	size = byte_reader_u8(&r);
	reserved = byte_reader_bytes(&r, 3);
	bytes = byte_reader_bytes(&r, MMAP_BUILD_ID_BYTES);
	if (!bytes || size == 0 || size > MMAP_BUILD_ID_BYTES || reserved[0] || reserved[1] || reserved[2])
		return false;
	if (!bytes[1] && !bytes[2] && !bytes[3])
		return false;
	for (size_t i = size; i < MMAP_BUILD_ID_BYTES; i++)
		if (bytes[i])
			return false;
	return true;
}

static void decode_mmap2_identity(const struct event *event, struct byte_reader *r,
				  struct mmap_record *record)
{
	const uint8_t *build_id;

	if (!event_mmap2_has_build_id(event)) {
		record->device_major = byte_reader_u32(r);
		record->device_minor = byte_reader_u32(r);
		record->inode = byte_reader_u64(r);
		record->inode_generation = byte_reader_u64(r);
		return;
	}
	record->build_id_size = byte_reader_u8(r);
	byte_reader_skip(r, 3);
	build_id = byte_reader_bytes(r, sizeof(record->build_id));
	memcpy(record->build_id, build_id, record->build_id_size);
}

int event_decode_mmap(const struct event *event, struct mmap_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);

	*record = (struct mmap_record){ .pid = byte_reader_u32(&r) };
	record->tid = byte_reader_u32(&r);
	record->start = byte_reader_u64(&r);
	record->length = byte_reader_u64(&r);
	record->file_offset = byte_reader_u64(&r);
	if (event->type == PERF_RECORD_MMAP2) {
		decode_mmap2_identity(event, &r, record);
		record->prot = byte_reader_u32(&r);
		record->flags = byte_reader_u32(&r);
	} else {
		/* MMAP has no protection: the kernel reports executable mappings, and others only to mmap_data events. */
		record->prot = event->misc & RECORD_MISC_MMAP_DATA ? PROT_READ : PROT_READ | PROT_EXEC;
	}
	record->path = byte_reader_string(&r, byte_reader_left(&r));
	return finish(event, &r, err);
}

int event_decode_comm(const struct event *event, struct comm_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);

	*record = (struct comm_record){ .exec = event->misc & RECORD_MISC_COMM_EXEC };
	record->pid = byte_reader_u32(&r);
	record->tid = byte_reader_u32(&r);
	record->comm = byte_reader_string(&r, byte_reader_left(&r));
	return finish(event, &r, err);
}

int event_decode_task(const struct event *event, struct task_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);

	record->pid = byte_reader_u32(&r);
	record->parent_pid = byte_reader_u32(&r);
	record->tid = byte_reader_u32(&r);
	record->parent_tid = byte_reader_u32(&r);
	record->time_ns = byte_reader_u64(&r);
	return finish(event, &r, err);
}

int event_decode_lost(const struct event *event, struct lost_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);

	record->id = event->type == PERF_RECORD_LOST ? byte_reader_u64(&r) : 0;
	record->lost = byte_reader_u64(&r);
	return finish(event, &r, err);
}

int event_decode_ksymbol(const struct event *event, struct ksymbol_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);

	record->address = byte_reader_u64(&r);
	record->length = byte_reader_u32(&r);
	record->type = byte_reader_u16(&r);
	record->flags = byte_reader_u16(&r);
	record->name = byte_reader_string(&r, byte_reader_left(&r));
	return finish(event, &r, err);
}

int event_decode_switch(const struct event *event, struct switch_record *record, struct error *err)
{
	struct byte_reader r = event_payload(event);

	*record = (struct switch_record){ .out = event->misc & PERF_RECORD_MISC_SWITCH_OUT,
					  .preempt = event->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT };
	if (event->type == PERF_RECORD_SWITCH_CPU_WIDE) {
		record->next_prev_pid = byte_reader_u32(&r);
		record->next_prev_tid = byte_reader_u32(&r);
	}
	return finish(event, &r, err);
}

/* struct sample_id, linux/perf_event.h: each requested field takes eight bytes, in this order. */
static const uint64_t sample_id_fields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
					 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

int event_sample_id(const struct event *event, const struct perf_attr *attr, struct sample_id *id,
		    struct error *err)
{
	size_t size = 8 * (size_t)__builtin_popcountll(attr->sample_type & sample_id_fields);
	struct byte_reader r;

	*id = (struct sample_id){ 0 };
	if (!perf_attr_has(attr, PERF_ATTR_SAMPLE_ID_ALL) || event->type == PERF_RECORD_SAMPLE ||
	    event->type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	if (event->payload_size < size)
		return damaged(event, err);
	r = byte_reader_over(event->payload + event->payload_size - size, size, event->swap);
	if (attr->sample_type & PERF_SAMPLE_TID) {
		id->pid = byte_reader_u32(&r);
		id->tid = byte_reader_u32(&r);
	}
	if (attr->sample_type & PERF_SAMPLE_TIME)
		id->time_ns = byte_reader_u64(&r);
	if (attr->sample_type & PERF_SAMPLE_ID)
		id->id = byte_reader_u64(&r);
	if (attr->sample_type & PERF_SAMPLE_STREAM_ID)
		id->stream_id = byte_reader_u64(&r);
	if (attr->sample_type & PERF_SAMPLE_CPU) {
		id->cpu = byte_reader_u32(&r);
		byte_reader_skip(&r, sizeof(uint32_t));
	}
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER)
		id->id = byte_reader_u64(&r);
	return 0;
}
