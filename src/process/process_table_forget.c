/*
 * Forgets processes: copies each process that is kept, without its parents but with the mappings that it inherited from them,
 * and drops the others with their address spaces.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "process/process_table_state.h"

/* A process and those that it was forked from, the process itself first. */
struct ancestry {
	uint32_t numbers[MAX_FORKS];
	uint64_t until_ns[MAX_FORKS]; /* later changes of the ancestor do not concern the process */
	size_t count;
};

static void find_ancestry(const struct process_table *table, uint32_t number, struct ancestry *ancestry)
{
	uint64_t until_ns = UINT64_MAX;

	for (ancestry->count = 0; ancestry->count < MAX_FORKS && number != LIFETIME_NONE; ancestry->count++) {
		const struct lifetime *lifetime = &table->lifetimes.items[number];

		ancestry->numbers[ancestry->count] = number;
		ancestry->until_ns[ancestry->count] = until_ns;
		if (lifetime->start_ns < until_ns)
			until_ns = lifetime->start_ns;
		number = lifetime->parent;
	}
}

/* The time of the last exec up to from_ns: no older mapping is valid from then on. 0 if there is none. */
static uint64_t beginning_of(const struct address_map *map, uint64_t from_ns)
{
	uint64_t beginning = 0;

	for (size_t i = 0; i < map->count; i++) {
		const struct address_change *change = &map->changes[i];

		if (!change->dso && !change->start && change->end == UINT64_MAX &&
		    change->time_ns <= from_ns && change->time_ns > beginning)
			beginning = change->time_ns;
	}
	return beginning;
}

static void copy_changes(const struct address_map *from, uint64_t from_ns, uint64_t until_ns,
			 struct address_map *to)
{
	for (size_t i = 0; i < from->count; i++)
		if (from->changes[i].time_ns >= from_ns && from->changes[i].time_ns <= until_ns)
			address_map_add(to, &from->changes[i]);
}

/* A copy of the process without its parents, as it is from from_ns on. */
static struct process alone(const struct process_table *table, uint32_t number, uint64_t from_ns)
{
	const struct process *process = process_at(table, number);
	const uint64_t beginning = beginning_of(&process->map, from_ns);
	struct process copy = { .last_fork_ns = process->last_fork_ns };
	struct ancestry ancestry;

	address_map_init(&copy.map);
	address_map_init(&copy.code);
	find_ancestry(table, number, &ancestry);
	for (size_t i = ancestry.count; i-- > 0;) {
		const struct process *ancestor = process_at(table, ancestry.numbers[i]);

		copy_changes(&ancestor->map, beginning, ancestry.until_ns[i], &copy.map);
		copy_changes(&ancestor->code, beginning, ancestry.until_ns[i], &copy.code);
	}
	return copy;
}

/* From now on equal numbers in states mean other processes: makes new states differ from all old ones. */
static void begin_other_states(struct process_table *table)
{
	enum { MORE_THAN_LATE_CHANGES = 1 << 16 };

	table->generation++;
	table->inheritance_version += MORE_THAN_LATE_CHANGES;
	free(table->memos);
	table->memos = NULL;
	thread_table_destroy(table->threads);
	table->threads = thread_table_create();
}

size_t process_table_forget(struct process_table *table, uint64_t from_ns,
			    bool (*is_over)(const struct process_end *process, void *context), void *context)
{
	bool *kept = xcalloc(table->process_count + 1, sizeof(*kept));
	struct process *processes = xcalloc(table->process_count + 1, sizeof(*processes));
	size_t count = 0, changes = 0;

	for (uint32_t i = 0; i < table->process_count; i++) {
		const struct process_end end = { .pid = table->lifetimes.items[i].id,
						 .is_newest = lifetimes_is_newest(&table->lifetimes, i),
						 .last_ns = process_at(table, i)->map.last_ns };

		kept[i] = !is_over(&end, context);
		if (!kept[i])
			continue;
		processes[count] = alone(table, i, from_ns);
		changes += processes[count].map.count + processes[count].code.count;
		count++;
	}
	for (uint32_t i = 0; i < table->process_count; i++) {
		address_map_fini(&table->processes[i].map);
		address_map_fini(&table->processes[i].code);
	}
	free(table->processes);
	table->processes = processes;
	table->process_capacity = table->process_count + 1;
	table->process_count = count;
	lifetimes_keep(&table->lifetimes, kept);
	free(kept);
	begin_other_states(table);
	return changes;
}
