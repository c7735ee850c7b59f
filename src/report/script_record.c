#include "report/script_record.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include "format/perf_abi.h"

/* Whose record it is, where its trailer does not say. */
struct whose {
	uint32_t pid, tid;
};

static int add_comm(struct strbuf *out, const struct event *event, struct whose *whose)
{
	struct comm_record record;

	if (event_decode_comm(event, &record, NULL) != 0)
		return -1;
	*whose = (struct whose){ record.pid, record.tid };
	strbuf_addf(out, "%s: %s:%" PRId32 "/%" PRId32, record.exec ? " exec" : "", record.comm,
		    (int32_t)record.pid, (int32_t)record.tid);
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
		strbuf_addf(out, "]: %c %s", event->misc & RECORD_MISC_MMAP_DATA ? 'r' : 'x', record.path);
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
	strbuf_addf(out, " %s", record.path);
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

static int add_record(struct strbuf *out, const struct event *event, struct whose *whose)
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
	default: return 0;
	}
}

static bool on_wanted_cpu(const struct script_filter *filter, uint32_t cpu)
{
	if (!filter->has_cpus)
		return true;
	for (size_t i = 0; i < filter->cpus.count; i++)
		if (filter->cpus.items[i] == cpu)
			return true;
	return false;
}

int script_record_write(struct script_writer *writer, const struct event *event, uint64_t state_time_ns,
			const struct script_filter *filter)
{
	const struct event_desc *desc =
		perf_file_event(writer->file, perf_file_event_of(writer->file, event));
	struct whose whose = { 0, 0 };
	struct script_start start = { .record_type = event->type, .misc = event->misc };
	struct sample_id id = { 0 };
	struct strbuf text;
	int result;

	strbuf_init(&text);
	result = add_record(&text, event, &whose);
	if (result == 0 && desc && event_sample_id(event, &desc->attr, &id, NULL) != 0)
		result = -1;
	if (result == 0 && on_wanted_cpu(filter, id.cpu)) {
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
