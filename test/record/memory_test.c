#include <linux/perf_event.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "record/process/build_id_table.h"
#include "record/process/map_snapshots.h"
#include "record/stack/evidence.h"
#include "record/switch/process_set.h"
#include "support/cmocka.h"
#include "support/own_sample.h"

/* The recorder's memory does not grow with the number of ended processes. */

enum {
	PROCESSES = 60 * 1000, /* by then all tables have dropped entries several times */
	PROCESSES_A_ROUND = 500,
	MAPPINGS = 4,
	MOST_BYTES = 24 << 20,
};

static const struct written_event sampler = { .attr = &own_sample_attr };

struct remembered {
	struct build_id_table *files;
	struct map_snapshots *maps;
	struct evidence *evidence;
	struct process_set *followed;
};

static void begin(struct strbuf *records, uint32_t type, uint16_t misc, uint32_t pid)
{
	strbuf_add_u32(records, type, false);
	strbuf_add_u16(records, misc, false);
	strbuf_add_u16(records, 0, false);
	strbuf_add_u32(records, pid, false);
}

/* Ends a record: text padded to eight bytes, the trailer { pid, tid, time }, and the size. */
static void end(struct strbuf *records, size_t start, const char *text, uint32_t pid, uint64_t time_ns)
{
	uint16_t size;

	if (text) {
		strbuf_add(records, text, strlen(text) + 1);
		strbuf_add_zeros(records, (8 - (records->size - start) % 8) % 8);
	}
	strbuf_add_u32(records, pid, false);
	strbuf_add_u32(records, pid, false);
	strbuf_add_u64(records, time_ns, false);
	size = (uint16_t)(records->size - start);
	memcpy(records->bytes + start + 6, &size, sizeof(size));
}

/* FORK and EXIT: { pid, ppid, tid, ptid, time } */
static void add_task(struct strbuf *records, uint32_t type, uint32_t pid, uint64_t time_ns)
{
	const size_t start = records->size;

	begin(records, type, 0, pid);
	strbuf_add_u32(records, 1, false);
	strbuf_add_u32(records, pid, false);
	strbuf_add_u32(records, 1, false);
	strbuf_add_u64(records, time_ns, false);
	end(records, start, NULL, pid, time_ns);
}

static void add_exec(struct strbuf *records, uint32_t pid, uint64_t time_ns)
{
	const size_t start = records->size;

	begin(records, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, pid);
	strbuf_add_u32(records, pid, false);
	end(records, start, "program", pid, time_ns);
}

/* { pid, tid, start, length, offset, build-id or device, prot, flags, path } */
static void add_mapping(struct strbuf *records, uint32_t pid, unsigned int number, uint64_t time_ns)
{
	static const uint8_t build_id[24] = { 20, 0, 0, 0, 1, 2, 3 };
	const size_t start = records->size;
	char path[64];

	if (number == 0)
		snprintf(path, sizeof(path), "/tmp/build-%u/program", pid);
	else if (number == MAPPINGS - 1)
		snprintf(path, sizeof(path), "//anon"); /* run-time code */
	else
		snprintf(path, sizeof(path), "/usr/lib/lib%u.so", number);
	begin(records, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, pid);
	strbuf_add_u32(records, pid, false);
	strbuf_add_u64(records, UINT64_C(0x7f0000000000) + number * 0x100000, false);
	strbuf_add_u64(records, 0x10000, false);
	strbuf_add_u64(records, 0, false);
	strbuf_add(records, build_id, sizeof(build_id));
	strbuf_add_u32(records, 5, false); /* PROT_READ | PROT_EXEC */
	strbuf_add_u32(records, 2, false); /* MAP_PRIVATE */
	end(records, start, path, pid, time_ns);
}

static void remember(struct remembered *all)
{
	*all = (struct remembered){ .files = build_id_table_create(),
				    .maps = map_snapshots_create(),
				    .evidence = evidence_create(&sampler, 1, EVIDENCE_LEAST),
				    .followed = process_set_create("/proc/none") };
}

static void forget(struct remembered *all)
{
	build_id_table_destroy(all->files);
	map_snapshots_destroy(all->maps);
	evidence_destroy(all->evidence);
	process_set_destroy(all->followed);
}

/* Passes records in the same order as the recorder. */
static void look_at_records(struct remembered *all, const struct strbuf *records, uint32_t pid)
{
	const uint8_t *bytes = (const uint8_t *)records->bytes;
	const uint8_t build_id[20] = { 1, 2, 3 };
	struct perf_event_header header;
	char path[64];

	snprintf(path, sizeof(path), "/tmp/build-%u/program", pid);
	build_id_table_note(all->files, path, (pid_t)pid, build_id, sizeof(build_id));
	evidence_note(all->evidence, bytes, records->size);
	map_snapshots_note(all->maps, bytes, records->size);
	map_snapshots_sampled(all->maps, pid);
	for (size_t at = 0; at < records->size; at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		process_set_note(all->followed, bytes + at, header.size);
	}
}

static void live_and_end(struct remembered *all, uint32_t number)
{
	const uint32_t pid = 1000 + number % 4000000;
	const uint64_t time_ns = 1000 + (uint64_t)number * 100;
	struct strbuf records;

	strbuf_init(&records);
	add_task(&records, PERF_RECORD_FORK, pid, time_ns);
	add_exec(&records, pid, time_ns + 1);
	for (unsigned int i = 0; i < MAPPINGS; i++)
		add_mapping(&records, pid, i, time_ns + 2 + i);
	add_task(&records, PERF_RECORD_EXIT, pid, time_ns + 50);
	look_at_records(all, &records, pid);
	strbuf_fini(&records);
}

static void a_round(struct remembered *all)
{
	struct strbuf pieces;

	strbuf_init(&pieces);
	evidence_begin_round(all->evidence, all->files);
	evidence_begin_samples(all->evidence, 0);
	evidence_end_samples(all->evidence);
	(void)map_snapshots_take(all->maps, &pieces, 1 << 20);
	strbuf_fini(&pieces);
}

static size_t used_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void processes_that_have_ended_take_no_memory(void **state)
{
	const size_t before = used_bytes();
	struct remembered all;
	size_t most = 0;

	(void)state;
	if (!own_sample_is_possible())
		skip();
	remember(&all);
	for (uint32_t number = 0; number < PROCESSES; number++) {
		live_and_end(&all, number);
		if (number % PROCESSES_A_ROUND)
			continue;
		a_round(&all);
		if (used_bytes() - before > most)
			most = used_bytes() - before;
	}
	print_message("at most %zu KiB\n", most >> 10);
	assert_true(most < MOST_BYTES);
	forget(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_that_have_ended_take_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
