/*
 * unsampled_maps_remove() goes over the records twice: note_read() finds out for each process whether it began and ended and
 * whether its mappings are needed, and keep_needed() moves the remaining records together. In between, note_unread() looks at
 * what is in the rings.
 */
#include "record/unsampled_maps.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	/*
	 * A sample may be flushed before the FORK and EXIT of its process, which came from a ring that was read later, in the same
	 * round or the next. At most two flushes that follow the end of a round lie between.
	 */
	REMEMBERED_FLUSHES = 2,
};

struct process {
	uint32_t pid;
	int32_t threads; /* begun minus ended: 0 at the end of a process that began here */
	bool began;
	bool needed;
	uint64_t needed_at; /* the number of the last flush for which it was needed */
};

struct unsampled_maps {
	const struct ring_buffer *rings;
	size_t ring_count, time_offset;
	struct hash_table by_pid; /* of processes */
	struct process *processes;
	size_t count, capacity;
	uint64_t flush;                        /* counts flushes with the end of a round before them */
	bool round_ended;                      /* since the last flush */
	uint8_t bounce[RING_RECORD_MAX_BYTES]; /* a record that wraps around its ring's end */
};

struct unsampled_maps *unsampled_maps_create(const struct ring_buffer *rings, size_t ring_count,
					     size_t time_offset)
{
	struct unsampled_maps *maps = xcalloc(1, sizeof(*maps));

	maps->rings = rings;
	maps->ring_count = ring_count;
	maps->time_offset = time_offset;
	return maps;
}

void unsampled_maps_destroy(struct unsampled_maps *maps)
{
	if (!maps)
		return;
	hash_table_fini(&maps->by_pid);
	free(maps->processes);
	free(maps);
}

static bool has_pid(const void *processes, uint32_t number, const void *pid)
{
	return ((const struct process *)processes)[number].pid == *(const uint32_t *)pid;
}

/* NULL if the process is not known. */
static struct process *find(const struct unsampled_maps *maps, uint32_t pid)
{
	const uint32_t number = hash_table_find(&maps->by_pid, hash_u64(pid), has_pid, maps->processes, &pid);

	return number == HASH_TABLE_NONE ? NULL : &maps->processes[number];
}

static struct process *find_or_add(struct unsampled_maps *maps, uint32_t pid)
{
	struct process *process = find(maps, pid);

	if (process)
		return process;
	hash_table_insert(&maps->by_pid, hash_u64(pid), (uint32_t)maps->count);
	process = ARRAY_ADD(maps->processes, maps->count, maps->capacity);
	*process = (struct process){ .pid = pid };
	return process;
}

/* FORK and EXIT { header; u32 pid, ppid, tid, ptid; u64 time; }, MMAP { header; u32 pid, tid; ... }: the number-th u32. */
static uint32_t read_u32(const uint8_t *record, size_t number)
{
	uint32_t value;

	memcpy(&value, record + sizeof(struct perf_event_header) + number * sizeof(value), sizeof(value));
	return value;
}

static void note_needed(struct unsampled_maps *maps, uint32_t pid)
{
	struct process *process = find_or_add(maps, pid);

	process->needed = true;
	process->needed_at = maps->flush;
}

static void note_sample(struct unsampled_maps *maps, const uint8_t *record, size_t size)
{
	uint32_t pid;

	if (maps->time_offset > size)
		return;
	memcpy(&pid, record + maps->time_offset - 8, sizeof(pid));
	note_needed(maps, pid);
}

/* A sample or a child may need the mappings of a process. */
static void note_need(struct unsampled_maps *maps, const uint8_t *record, size_t size, uint32_t type)
{
	if (type == PERF_RECORD_SAMPLE)
		note_sample(maps, record, size);
	else if (type == PERF_RECORD_FORK && read_u32(record, 0) != read_u32(record, 1))
		note_needed(maps, read_u32(record, 1));
}

/* An EXIT may be in front of its FORK, which came from another ring. */
static void note_read(struct unsampled_maps *maps, const uint8_t *records, size_t size)
{
	struct perf_event_header header;

	for (size_t at = 0; at < size; at += header.size) {
		memcpy(&header, records + at, sizeof(header));
		note_need(maps, records + at, header.size, header.type);
		if (header.type == PERF_RECORD_FORK) {
			struct process *process = find_or_add(maps, read_u32(records + at, 0));

			process->threads++;
			process->began |= process->pid != read_u32(records + at, 1);
		} else if (header.type == PERF_RECORD_EXIT) {
			find_or_add(maps, read_u32(records + at, 0))->threads--;
		}
	}
}

static void note_unread(const uint8_t *record, size_t size, void *context)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	note_need(context, record, size, header.type);
}

static void note_rings(struct unsampled_maps *maps)
{
	for (size_t i = 0; i < maps->ring_count; i++) {
		struct ring_walk walk = { .offset = 0 };
		const uint8_t *run;
		size_t run_size;

		if (!maps->rings[i].control)
			continue;
		walk.spans = ring_buffer_peek(&maps->rings[i]);
		while (ring_walk_next(&walk, maps->bounce, &run, &run_size, note_unread, maps) > 0)
			;
	}
}

static bool is_needed(const struct unsampled_maps *maps, const uint8_t *record, uint32_t type)
{
	const struct process *process;

	if (type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2)
		return true;
	process = find(maps, read_u32(record, 0));
	return !process || !process->began || process->threads != 0 || process->needed;
}

static size_t keep_needed(const struct unsampled_maps *maps, uint8_t *records, size_t size)
{
	struct perf_event_header header;
	size_t kept = 0;

	for (size_t at = 0; at < size; at += header.size) {
		memcpy(&header, records + at, sizeof(header));
		if (!is_needed(maps, records + at, header.type))
			continue;
		if (kept != at)
			memmove(records + kept, records + at, header.size);
		kept += header.size;
	}
	return kept;
}

/* Forgets all processes but those that were needed lately. */
static void begin_flush(struct unsampled_maps *maps)
{
	const size_t count = maps->count;

	maps->flush += maps->round_ended;
	maps->round_ended = false;
	maps->count = 0;
	hash_table_clear(&maps->by_pid);
	for (size_t i = 0; i < count; i++) {
		const struct process before = maps->processes[i];

		if (before.needed && before.needed_at + REMEMBERED_FLUSHES >= maps->flush) {
			struct process *process = find_or_add(maps, before.pid);

			process->needed = true;
			process->needed_at = before.needed_at;
		}
	}
}

void unsampled_maps_end_round(struct unsampled_maps *maps)
{
	maps->round_ended = true;
}

size_t unsampled_maps_remove(struct unsampled_maps *maps, uint8_t *records, size_t size)
{
	begin_flush(maps);
	note_read(maps, records, size);
	note_rings(maps);
	return keep_needed(maps, records, size);
}
