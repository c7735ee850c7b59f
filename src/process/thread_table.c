/*
 * Each lifetime of a tid has its names in order of time. A lookup is a binary search in them; a thread without a name of its
 * own at that time has the name that its creator had when it forked. MAX_FORKS and MAX_LATE_COMMS bound the work.
 */
#include "process/thread_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/partition_point.h"
#include "base/str_pool.h"
#include "base/xalloc.h"
#include "process/lifetimes.h"

enum {
	/* Forks without a name of their own that are followed upwards, at most: more than any program nests. */
	MAX_FORKS = 256,
	/*
	 * The number of later names of the same thread that a late COMM can be sorted before. Rings are at most a round out of
	 * step; without a bound, names in descending order of time would take quadratic time.
	 */
	MAX_LATE_COMMS = 4096,
};

struct comm_change {
	uint64_t time_ns;
	uint32_t comm; /* number of a string */
};

struct thread {                    /* one lifetime of a tid */
	struct comm_change *comms; /* in order of time */
	size_t count, capacity;
};

struct thread_table {
	struct lifetimes lifetimes;
	struct thread *threads; /* by number of lifetime */
	size_t thread_count, thread_capacity;
	struct str_pool *strings;
};

struct thread_table *thread_table_create(void)
{
	struct thread_table *table = xcalloc(1, sizeof(*table));

	table->strings = str_pool_create();
	thread_table_comm(table, 0, 0,
			  "swapper"); /* the idle task has no COMM record, but its children have its name */
	return table;
}

void thread_table_destroy(struct thread_table *table)
{
	size_t i;

	if (!table)
		return;
	for (i = 0; i < table->thread_count; i++)
		free(table->threads[i].comms);
	free(table->threads);
	lifetimes_fini(&table->lifetimes);
	str_pool_destroy(table->strings);
	free(table);
}

static struct thread *thread_at(struct thread_table *table, uint32_t number)
{
	if (table->thread_count < table->lifetimes.count) {
		table->threads = array_grow(table->threads, &table->thread_capacity, table->lifetimes.count,
					    sizeof(*table->threads));
		memset(table->threads + table->thread_count, 0,
		       (table->lifetimes.count - table->thread_count) * sizeof(*table->threads));
		table->thread_count = table->lifetimes.count;
	}
	return &table->threads[number];
}

static void comm_insert(struct thread *thread, struct comm_change change)
{
	size_t position = thread->count, oldest;

	oldest = thread->count > MAX_LATE_COMMS ? thread->count - MAX_LATE_COMMS : 0;
	while (position > oldest && thread->comms[position - 1].time_ns > change.time_ns)
		position--;
	if (position && thread->comms[position - 1].comm == change.comm &&
	    thread->comms[position - 1].time_ns == change.time_ns)
		return; /* the same record twice: synthesized and recorded */
	thread->comms =
		array_grow(thread->comms, &thread->capacity, thread->count + 1, sizeof(*thread->comms));
	memmove(thread->comms + position + 1, thread->comms + position,
		(thread->count - position) * sizeof(*thread->comms));
	thread->comms[position] = change;
	thread->count++;
}

/* Moves the names that `from` had from time_ns on to another lifetime of the tid. */
static void split(struct thread *from, struct thread *to, uint64_t time_ns)
{
	size_t kept = from->count, i;

	while (kept && from->comms[kept - 1].time_ns >= time_ns)
		kept--;
	for (i = kept; i < from->count; i++)
		comm_insert(to, from->comms[i]);
	from->count = kept;
}

static uint64_t first_ns(struct thread_table *table, uint32_t number)
{
	const struct thread *thread;

	if (number == LIFETIME_NONE)
		return UINT64_MAX;
	thread = thread_at(table, number);
	return thread->count ? thread->comms[0].time_ns : UINT64_MAX;
}

void thread_table_fork(struct thread_table *table, uint32_t tid, uint32_t parent_tid, uint64_t time_ns)
{
	uint32_t parent = lifetimes_at_or_new(&table->lifetimes, parent_tid, time_ns);
	uint32_t previous = lifetimes_at(&table->lifetimes, tid, time_ns);
	uint32_t number, split_from;

	number = lifetimes_fork(&table->lifetimes, tid, parent, time_ns, first_ns(table, previous),
				&split_from);
	(void)thread_at(table, number); /* may move the array: before pointers into it are taken */
	if (split_from != LIFETIME_NONE)
		split(&table->threads[split_from], &table->threads[number], time_ns);
}

void thread_table_comm(struct thread_table *table, uint32_t tid, uint64_t time_ns, const char *comm)
{
	uint32_t number = lifetimes_at_or_new(&table->lifetimes, tid, time_ns);

	comm_insert(thread_at(table, number),
		    (struct comm_change){ .time_ns = time_ns, .comm = str_pool_add(table->strings, comm) });
}

static const struct comm_change *own_comm(const struct thread *thread, uint64_t time_ns)
{
	const size_t count = thread->count;
	size_t low;

	if (count && thread->comms[count - 1].time_ns <= time_ns)
		return &thread->comms[count - 1];
	low = PARTITION_POINT(i, 0, count, thread->comms[i].time_ns <= time_ns);
	return low ? &thread->comms[low - 1] : NULL;
}

/* The thread's own name, or the one that its creator had at the fork. NULL if neither is known. */
static const struct comm_change *comm_of(struct thread_table *table, uint32_t number, uint64_t time_ns)
{
	size_t forks;

	for (forks = 0; forks < MAX_FORKS && number != LIFETIME_NONE; forks++) {
		const struct lifetime *lifetime = &table->lifetimes.items[number];
		const struct comm_change *comm = own_comm(thread_at(table, number), time_ns);

		if (comm)
			return comm;
		if (lifetime->start_ns < time_ns)
			time_ns = lifetime->start_ns;
		number = lifetime->parent;
	}
	return NULL;
}

/* Every exec sets a name, perhaps the same one. So after a new name the thread may run another program. */
uint64_t thread_table_life(struct thread_table *table, uint32_t tid, uint64_t time_ns)
{
	uint32_t number = lifetimes_at(&table->lifetimes, tid, time_ns);
	const struct comm_change *comm =
		number == LIFETIME_NONE ? NULL : own_comm(thread_at(table, number), time_ns);

	return hash_combine(hash_combine(tid, number), comm ? comm->time_ns + 1 : 0);
}

static const char *nameless(struct thread_table *table, uint32_t tid)
{
	char text[16];

	snprintf(text, sizeof(text), ":%" PRId32, (int32_t)tid);
	return str_pool_text(table->strings, str_pool_add(table->strings, text));
}

static const char *find_comm(struct thread_table *table, uint32_t tid, uint64_t time_ns, bool or_first)
{
	const uint32_t number = lifetimes_at(&table->lifetimes, tid, time_ns);
	const struct thread *thread = number == LIFETIME_NONE ? NULL : thread_at(table, number);
	const struct comm_change *comm = thread ? comm_of(table, number, time_ns) : NULL;

	if (!comm && or_first && thread && thread->count)
		comm = &thread->comms[0];
	return comm ? str_pool_text(table->strings, comm->comm) : nameless(table, tid);
}

const char *thread_table_find_comm(struct thread_table *table, uint32_t tid, uint64_t time_ns)
{
	return find_comm(table, tid, time_ns, false);
}

const char *thread_table_find_comm_or_first(struct thread_table *table, uint32_t tid, uint64_t time_ns)
{
	return find_comm(table, tid, time_ns, true);
}
