/*
 * One function for each type of record. script_record_write() lets it write the text first and then puts thread and time in
 * front, so that nothing is written of a damaged record. Layouts of records are those of linux/perf_event.h.
 */
#include "report/script/script_writer.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include "format/event.h"
#include "format/perf_abi.h"
#include "text/safe_text.h"

/* The thread of a record without a trailer. */
struct whose {
	uint32_t pid, tid;
};

static int add_comm(struct strbuf *out, const struct event *event, struct whose *whose)
{
	struct comm_record record;

	if (event_decode_comm(event, &record, NULL) != 0)
		return -1;
	*whose = (struct whose){ record.pid, record.tid };
	strbuf_adds(out, record.exec ? " exec: " : ": ");
	safe_text_add(out, record.comm);
	strbuf_addf(out, ":%" PRId32 "/%" PRId32, (int32_t)record.pid, (int32_t)record.tid);
	return 0;
}

static int add_task(struct strbuf *out, const struct event *event, struct whose *whose)
{
	struct task_record record;

	if (event_decode_task(event, &record, NULL) != 0)
		return -1;
	*whose = (struct whose){ record.pid, record.tid };
	strbuf_addf(out, "(%" PRId32 ":%" PRId32 "):(%" PRId32 ":%" PRId32 ")", (int32_t)record.pid,
		    (int32_t)record.tid, (int32_t)record.parent_pid, (int32_t)record.parent_tid);
	return 0;
}

static void add_protection(struct strbuf *out, const struct mmap_record *record)
{
	strbuf_addf(out, "%c%c%c%c", record->prot & PROT_READ ? 'r' : '-',
		    record->prot & PROT_WRITE ? 'w' : '-', record->prot & PROT_EXEC ? 'x' : '-',
		    record->flags & MAP_SHARED ? 's' : 'p');
}

static int add_mmap(struct strbuf *out, const struct event *event, struct whose *whose)
{
	struct mmap_record record;

	if (event_decode_mmap(event, &record, NULL) != 0)
		return -1;
	*whose = (struct whose){ record.pid, record.tid };
	strbuf_addf(out, " %" PRId32 "/%" PRId32 ": [%#" PRIx64 "(%#" PRIx64 ") @ %#" PRIx64,
		    (int32_t)record.pid, (int32_t)record.tid, record.start, record.length,
		    record.file_offset);
	if (event->type == PERF_RECORD_MMAP) {
		strbuf_addf(out, "]: %c ", event->misc & RECORD_MISC_MMAP_DATA ? 'r' : 'x');
		safe_text_add(out, record.path);
		return 0;
	}
	if (record.build_id_size) {
		strbuf_adds(out, " <");
		for (unsigned int i = 0; i < record.build_id_size; i++)
			strbuf_addf(out, "%02x", record.build_id[i]);
		strbuf_adds(out, ">]: ");
	} else {
		strbuf_addf(out,
			    " %02" PRIx32 ":%02" PRIx32 " %" PRIu64 " %" PRIu64 "]: ", record.device_major,
			    record.device_minor, record.inode, record.inode_generation);
	}
	add_protection(out, &record);
	strbuf_addc(out, ' ');
	safe_text_add(out, record.path);
	return 0;
}

static int add_switch(struct strbuf *out, const struct event *event)
{
	struct switch_record record;

	if (event_decode_switch(event, &record, NULL) != 0)
		return -1;
	strbuf_adds(out, !record.out ? " IN         " : record.preempt ? " OUT preempt" : " OUT        ");
	if (event->type == PERF_RECORD_SWITCH_CPU_WIDE)
		strbuf_addf(out, "  %s pid/tid: %5" PRId32 "/%-5" PRId32, record.out ? "next" : "prev",
			    (int32_t)record.next_prev_pid, (int32_t)record.next_prev_tid);
	return 0;
}

static int add_lost(struct strbuf *out, const struct event *event)
{
	struct lost_record record;

	if (event_decode_lost(event, &record, NULL) != 0)
		return -1;
	strbuf_addf(out, " lost %" PRIu64, record.lost);
	return 0;
}

/* perf_ns__names, tools/perf/util/namespaces.c: by the order of the record's entries (NAMESPACES, linux/perf_event.h). */
static const char *namespace_name(uint64_t number)
{
	return number < EVENT_NAMESPACES ? event_namespace_names[number] : "UNKNOWN";
}

/* { u32 pid, tid; u64 nr; struct { u64 dev, inode; }[nr]; }, four a line */
static int add_namespaces(struct strbuf *out, const struct event *event, struct whose *whose)
{
	struct byte_reader r = event_payload(event);
	uint64_t count;

	whose->pid = byte_reader_u32(&r);
	whose->tid = byte_reader_u32(&r);
	count = byte_reader_u64(&r);
	if (!byte_reader_ok(&r) || count > byte_reader_left(&r) / (2 * sizeof(uint64_t)))
		return -1;
	strbuf_addf(out, " %" PRId32 "/%" PRId32 " - nr_namespaces: %" PRIu64 "\n\t\t[", (int32_t)whose->pid,
		    (int32_t)whose->tid, count);
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t device = byte_reader_u64(&r), inode = byte_reader_u64(&r);

		strbuf_addf(out, "%s%" PRIu64 "/%s: %" PRIu64 "/%#" PRIx64 "%s",
			    i && i % 4 == 0 ? "\n\t\t " : "", i, namespace_name(i), device, inode,
			    i + 1 < count ? ", " : "");
	}
	strbuf_addc(out, ']');
	return 0;
}

/* { u64 id; char path[]; } */
static int add_cgroup(struct strbuf *out, const struct event *event)
{
	struct byte_reader r = event_payload(event);
	const uint64_t id = byte_reader_u64(&r);
	const char *path = byte_reader_string(&r, byte_reader_left(&r));

	if (!byte_reader_ok(&r))
		return -1;
	strbuf_addf(out, " cgroup: %" PRIu64 " ", id);
	safe_text_add(out, path);
	return 0;
}

static int add_ksymbol(struct strbuf *out, const struct event *event)
{
	struct ksymbol_record record;

	if (event_decode_ksymbol(event, &record, NULL) != 0)
		return -1;
	strbuf_addf(out, " addr %" PRIx64 " len %" PRIu32 " type %u flags 0x%x name ", record.address,
		    record.length, record.type, record.flags);
	safe_text_add(out, record.name);
	return 0;
}

/* { u16 type, flags; u32 id; u8 tag[8]; } */
static int add_bpf_event(struct strbuf *out, const struct event *event)
{
	struct byte_reader r = event_payload(event);
	const uint16_t type = byte_reader_u16(&r), flags = byte_reader_u16(&r);
	const uint32_t id = byte_reader_u32(&r);

	if (!byte_reader_ok(&r))
		return -1;
	strbuf_addf(out, " type %u, flags %u, id %" PRIu32, type, flags, id);
	return 0;
}

/* Sixteen bytes a line. */
static void add_code(struct strbuf *out, const char *age, const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (i % 16 == 0)
			strbuf_addf(out, "\n            %s bytes:", age);
		strbuf_addf(out, " %02x", bytes[i]);
	}
}

/* { u64 addr; u16 old_len, new_len; u8 old[], new[]; } */
static int add_text_poke(struct strbuf *out, const struct event *event, struct script_places *places,
			 uint64_t state_time_ns)
{
	struct byte_reader r = event_payload(event);
	const uint64_t address = byte_reader_u64(&r);
	const uint16_t old_size = byte_reader_u16(&r), new_size = byte_reader_u16(&r);
	const uint8_t *old_bytes = byte_reader_bytes(&r, old_size);
	const uint8_t *new_bytes = byte_reader_bytes(&r, new_size);
	struct script_place place;

	if (!byte_reader_ok(&r))
		return -1;
	strbuf_addf(out, " %" PRIx64 " ", address);
	script_places_find(places, &place, 0, state_time_ns, PERF_RECORD_MISC_KERNEL, address);
	if (place.has_symbol)
		script_place_add_symbol(out, &place, true);
	strbuf_addf(out, " old len %u new len %u", old_size, new_size);
	add_code(out, "Old", old_bytes, old_size);
	add_code(out, "New", new_bytes, new_size);
	return 0;
}

static int add_record(struct script_writer *writer, struct strbuf *out, const struct event *event,
		      uint64_t state_time_ns, struct whose *whose)
{
	char name[24];

	strbuf_addf(out, "PERF_RECORD_%s", event_type_name(event->type, name));
	switch (event->type) {
	case PERF_RECORD_COMM: return add_comm(out, event, whose);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: return add_task(out, event, whose);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return add_mmap(out, event, whose);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: return add_switch(out, event);
	case PERF_RECORD_LOST: return add_lost(out, event);
	case PERF_RECORD_NAMESPACES: return add_namespaces(out, event, whose);
	case PERF_RECORD_CGROUP: return add_cgroup(out, event);
	case PERF_RECORD_KSYMBOL: return add_ksymbol(out, event);
	case PERF_RECORD_BPF_EVENT: return add_bpf_event(out, event);
	case PERF_RECORD_TEXT_POKE: return add_text_poke(out, event, writer->places, state_time_ns);
	default: return 0;
	}
}

int script_record_write(struct script_writer *writer, const struct event *event, uint64_t state_time_ns,
			const struct script_filter *filter)
{
	const struct event_desc *desc =
		perf_file_event(writer->file, perf_file_event_of(writer->file, event));
	struct whose whose = { 0, 0 };
	struct script_start start = { .record_type = event->type, .misc = event->misc };
	struct sample_id id = { 0 };
	struct strbuf text = STRBUF_INIT;
	int result;

	result = add_record(writer, &text, event, state_time_ns, &whose);
	if (result == 0 && desc && event_sample_id(event, &desc->attr, &id, NULL) != 0)
		result = -1;
	if (result == 0 && script_filter_has_cpu(filter, id.cpu)) {
		const bool from_trailer = desc && perf_attr_has(&desc->attr, PERF_ATTR_SAMPLE_ID_ALL);

		start.pid = from_trailer ? id.pid : whose.pid;
		start.tid = from_trailer ? id.tid : whose.tid;
		start.cpu = desc && desc->attr.sample_type & PERF_SAMPLE_CPU ? id.cpu : UINT32_MAX;
		start.time_ns = id.time_ns;
		start.comm = process_table_comm_then(writer->processes, whose.pid ? whose.pid : start.pid,
						     whose.tid ? whose.tid : start.tid, state_time_ns);
		if (desc)
			script_start_write(writer, &desc->attr, &start);
		strbuf_add(&writer->out, text.bytes, text.size);
		strbuf_addc(&writer->out, '\n');
	}
	strbuf_fini(&text);
	return result;
}
