/*
 * An array of process ids and an index of it. Processes end in any order and their EXIT records do not say
 * whether a thread was the last, so /proc is checked whenever the set has doubled. On average that costs at
 * most two checks for each process that was added, however long the recording is.
 */
#include "record/switch/process_set.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum { LEAST_LOOKED_AT = 1024 };

struct process_set {
	const char *proc;
	uint32_t *pids;
	size_t count, capacity;
	size_t look_at; /* number of processes at which ended ones are dropped */
	uint32_t last;  /* most records belong to the same process as the previous one */
	struct hash_table by_pid;
};

struct process_set *process_set_create(const char *proc)
{
	struct process_set *set = xcalloc(1, sizeof(*set));

	set->proc = proc;
	set->look_at = LEAST_LOOKED_AT;
	return set;
}

void process_set_destroy(struct process_set *set)
{
	if (!set)
		return;
	hash_table_fini(&set->by_pid);
	free(set->pids);
	free(set);
}

size_t process_set_count(const struct process_set *set)
{
	return set->count;
}

static bool has_pid(const void *pids, uint32_t number, const void *pid)
{
	return ((const uint32_t *)pids)[number] == *(const uint32_t *)pid;
}

static bool is_alive(const struct process_set *set, uint32_t pid)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%u", set->proc, pid);
	return access(path, F_OK) == 0;
}

static void forget_ended(struct process_set *set)
{
	size_t kept = 0;

	hash_table_clear(&set->by_pid);
	for (size_t i = 0; i < set->count; i++) {
		if (!is_alive(set, set->pids[i]))
			continue;
		set->pids[kept] = set->pids[i];
		hash_table_insert(&set->by_pid, hash_u64(set->pids[kept]), (uint32_t)kept);
		kept++;
	}
	set->count = kept;
	set->last = 0;
	set->look_at = kept * 2 > LEAST_LOOKED_AT ? kept * 2 : LEAST_LOOKED_AT;
}

void process_set_add(struct process_set *set, uint32_t pid)
{
	if (pid == set->last)
		return;
	set->last = pid;
	if (hash_table_find(&set->by_pid, hash_u64(pid), has_pid, set->pids, &pid) != HASH_TABLE_NONE)
		return;
	if (set->count >= set->look_at)
		forget_ended(set);
	hash_table_insert(&set->by_pid, hash_u64(pid), (uint32_t)set->count);
	*ARRAY_ADD(set->pids, set->count, set->capacity) = pid;
}

/* All these records begin with the process: { header; u32 pid; ... } */
void process_set_note(struct process_set *set, const uint8_t *record, size_t size)
{
	struct perf_event_header header;
	uint32_t pid;

	if (size < sizeof(header) + sizeof(pid))
		return;
	memcpy(&header, record, sizeof(header));
	switch (header.type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_COMM:
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		memcpy(&pid, record + sizeof(header), sizeof(pid));
		if (pid != UINT32_MAX && pid != 0)
			process_set_add(set, pid);
		break;
	default: break;
	}
}

void process_set_each(struct process_set *set, void (*visit)(int pid, void *context), void *context)
{
	forget_ended(set);
	for (size_t i = 0; i < set->count; i++)
		visit((int)set->pids[i], context);
}
