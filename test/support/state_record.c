#include "support/state_record.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "elf/build_id.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"

void state_record_fini(struct state_record *record)
{
	strbuf_fini(&record->payload);
}

/* Records are reused: `record` must be zero or filled by one of these functions. */
static void begin(struct state_record *record)
{
	if (record->payload.bytes)
		strbuf_reset(&record->payload);
	else
		strbuf_init(&record->payload);
}

static void u32(struct state_record *record, uint32_t value)
{
	strbuf_add_u32(&record->payload, value, false);
}

static void u64(struct state_record *record, uint64_t value)
{
	strbuf_add_u64(&record->payload, value, false);
}

static void text(struct state_record *record, const char *text)
{
	strbuf_add(&record->payload, text, strlen(text) + 1);
	strbuf_add_zeros(&record->payload, -record->payload.size % 8);
}

static const struct event *finish(struct state_record *record, uint32_t type, uint16_t misc)
{
	record->event = (struct event){ .type = type,
					.misc = misc,
					.size = (uint32_t)record->payload.size + PERF_RECORD_HEADER_SIZE,
					.payload = (const uint8_t *)record->payload.bytes,
					.payload_size = record->payload.size };
	return &record->event;
}

const struct event *state_mmap2(struct state_record *record, const struct mmap_of *mmap)
{
	uint16_t misc = mmap->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	struct build_id build_id = { 0 };

	begin(record);
	u32(record, mmap->pid);
	u32(record, mmap->pid);
	u64(record, mmap->start);
	u64(record, mmap->length);
	u64(record, mmap->file_offset);
	if (mmap->build_id) {
		build_id_parse(&build_id, mmap->build_id, NULL);
		misc |= RECORD_MISC_MMAP_BUILD_ID;
		strbuf_addc(&record->payload, (char)build_id.size);
		strbuf_add_zeros(&record->payload, 3);
		strbuf_add(&record->payload, build_id.bytes, sizeof(build_id.bytes));
	} else {
		u32(record, 8);
		u32(record, 1);
		u64(record, mmap->inode);
		u64(record, 0);
	}
	u32(record, mmap->prot ? mmap->prot : PROT_READ | PROT_EXEC);
	u32(record, MAP_PRIVATE);
	text(record, mmap->path);
	return finish(record, PERF_RECORD_MMAP2, misc);
}

void state_map(struct process_table *processes, const struct mmap_of *mmap)
{
	struct state_record record = { 0 };

	assert_int_equal(process_table_apply(processes, state_mmap2(&record, mmap), 0, NULL), 0);
	state_record_fini(&record);
}

uint64_t state_map_own(struct process_table *processes, uint32_t pid)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uint64_t stack_end = 0;
	char line[1024];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		uint64_t start, end, offset;
		char protection[8], path[512] = "";

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %511s", &start, &end,
			   protection, &offset, path) < 4)
			continue;
		if (strcmp(path, "[stack]") == 0)
			stack_end = end;
		if (protection[2] == 'x')
			state_map(processes, &(struct mmap_of){ .pid = pid,
								.start = start,
								.length = end - start,
								.file_offset = offset,
								.path = path });
	}
	fclose(maps);
	return stack_end;
}

const struct event *state_comm(struct state_record *record, uint32_t pid, uint32_t tid, const char *comm,
			       bool exec)
{
	begin(record);
	u32(record, pid);
	u32(record, tid);
	text(record, comm);
	return finish(record, PERF_RECORD_COMM, exec ? RECORD_MISC_COMM_EXEC : 0);
}

static const struct event *task(struct state_record *record, uint32_t type, const uint32_t ids[4])
{
	size_t i;

	begin(record);
	for (i = 0; i < 4; i++)
		u32(record, ids[i]);
	u64(record, 0);
	return finish(record, type, 0);
}

const struct event *state_fork(struct state_record *record, uint32_t pid, uint32_t tid, uint32_t parent_pid,
			       uint32_t parent_tid)
{
	return task(record, PERF_RECORD_FORK, (uint32_t[]){ pid, parent_pid, tid, parent_tid });
}

const struct event *state_exit(struct state_record *record, uint32_t pid, uint32_t tid)
{
	return task(record, PERF_RECORD_EXIT, (uint32_t[]){ pid, pid, tid, tid });
}

const struct event *state_ksymbol(struct state_record *record, uint64_t address, uint32_t length,
				  const char *name, bool unregister)
{
	begin(record);
	u64(record, address);
	u32(record, length);
	strbuf_add_u16(&record->payload, PERF_RECORD_KSYMBOL_TYPE_BPF, false);
	strbuf_add_u16(&record->payload, unregister ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0, false);
	text(record, name);
	return finish(record, PERF_RECORD_KSYMBOL, 0);
}
