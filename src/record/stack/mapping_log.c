/* Remembers when memory of processes was mapped: a short ring of mappings for each process, see mapping_log.h. */

#include "record/stack/mapping_log.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	/* Compilers that change the protection of their memory for each function do so some thousand times a second. */
	MAX_NOTES = 512,
};

struct note {
	struct logged_mapping mapping;
	uint64_t kept_start, kept_end; /* the part that was mapped before */
	uint64_t latest_ns;            /* of this one and all before it */
};

struct logged_process {
	uint32_t pid;
	uint64_t count; /* noted in total; the last MAX_NOTES are kept */
	uint64_t forgotten_ns;
	struct note *notes; /* up to MAX_NOTES; most processes have few */
	size_t capacity;
};

struct mapping_log {
	struct logged_process **processes;
	size_t count, capacity;
	struct hash_table by_pid;
};

struct mapping_log *mapping_log_create(void)
{
	return xcalloc(1, sizeof(struct mapping_log));
}

void mapping_log_destroy(struct mapping_log *log)
{
	if (!log)
		return;
	for (size_t i = 0; i < log->count; i++) {
		free(log->processes[i]->notes);
		free(log->processes[i]);
	}
	free(log->processes);
	hash_table_fini(&log->by_pid);
	free(log);
}

static bool is_process(const void *items, uint32_t number, const void *key)
{
	return ((struct logged_process *const *)items)[number]->pid == *(const uint32_t *)key;
}

static struct logged_process *find(const struct mapping_log *log, uint32_t pid)
{
	const uint32_t number =
		hash_table_find(&log->by_pid, hash_u64(pid), is_process, log->processes, &pid);

	return number == HASH_TABLE_NONE ? NULL : log->processes[number];
}

bool mapping_log_has_process(const struct mapping_log *log, uint32_t pid)
{
	return find(log, pid) != NULL;
}

size_t mapping_log_process_count(const struct mapping_log *log)
{
	return log->count;
}

void mapping_log_add_process(struct mapping_log *log, uint32_t pid)
{
	if (find(log, pid))
		return;
	log->processes =
		array_grow(log->processes, &log->capacity, log->count + 1, sizeof(struct logged_process *));
	log->processes[log->count] = xcalloc(1, sizeof(struct logged_process));
	log->processes[log->count]->pid = pid;
	hash_table_insert(&log->by_pid, hash_u64(pid), (uint32_t)log->count++);
}

static const struct note *note_at(const struct logged_process *process, uint64_t number)
{
	return &process->notes[number % MAX_NOTES];
}

static uint64_t kept_count(const struct logged_process *process)
{
	return process->count < MAX_NOTES ? process->count : MAX_NOTES;
}

static bool is_part(const struct logged_mapping *part, const struct logged_mapping *whole)
{
	return part->prot == whole->prot && part->start >= whole->start && part->end <= whole->end &&
	       part->end - part->start < whole->end - whole->start;
}

/* Finds the part of the mapping that was mapped before. */
static void find_kept(const struct logged_process *process, struct note *note)
{
	const struct logged_mapping *mapping = &note->mapping;

	for (uint64_t i = 1; i <= kept_count(process); i++) {
		const struct logged_mapping *last = &note_at(process, process->count - i)->mapping;

		if (last->end <= mapping->start || mapping->end <= last->start)
			continue;
		if (is_part(last, mapping)) {
			note->kept_start = last->start;
			note->kept_end = last->end;
		}
		return;
	}
}

void mapping_log_note(struct mapping_log *log, uint32_t pid, const struct logged_mapping *mapping)
{
	struct logged_process *process = find(log, pid);
	struct note note = { .mapping = *mapping, .latest_ns = mapping->time_ns };
	struct note *place;

	if (!process)
		return;
	find_kept(process, &note);
	if (process->count && note_at(process, process->count - 1)->latest_ns > note.latest_ns)
		note.latest_ns = note_at(process, process->count - 1)->latest_ns;
	if (process->count < MAX_NOTES)
		process->notes = array_grow(process->notes, &process->capacity, (size_t)process->count + 1,
					    sizeof(*process->notes));
	place = &process->notes[process->count % MAX_NOTES];
	if (process->count >= MAX_NOTES)
		process->forgotten_ns = place->latest_ns;
	*place = note;
	process->count++;
}

static bool is_mapped_by(const struct note *note, uint64_t address)
{
	return address - note->mapping.start < note->mapping.end - note->mapping.start &&
	       address - note->kept_start >= note->kept_end - note->kept_start;
}

bool mapping_log_is_mapped_after(const struct mapping_log *log, uint32_t pid, uint64_t address,
				 uint64_t time_ns)
{
	const struct logged_process *process = find(log, pid);

	if (!process)
		return false;
	for (uint64_t i = 1; i <= kept_count(process); i++) {
		const struct note *note = note_at(process, process->count - i);

		if (note->latest_ns <= time_ns)
			return false;
		if (note->mapping.time_ns > time_ns && is_mapped_by(note, address))
			return true;
	}
	return process->forgotten_ns > time_ns;
}
