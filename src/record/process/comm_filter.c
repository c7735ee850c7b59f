/*
 * A thread is a short history of names, ascending by time. A fork is kept as a pointer to the parent at that time, because
 * the parent's own name may be in a ring that is read later; find_name() follows it.
 */
#include "record/process/comm_filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	COMM_LENGTH_MAX = 15, /* TASK_COMM_LEN without its terminator: the kernel truncates longer names */
	/* forks in a row without a name of their own, within two rounds: ends cycles in damaged records */
	MAX_GENERATIONS = 256,
	ENDED_THREADS_MIN = 1024, /* ended threads are dropped in batches of at least this many */
};

struct name {
	uint64_t time_ns;
	uint32_t parent_tid; /* 0: `is_wanted` is known */
	bool is_wanted;
};

struct thread {
	uint32_t tid;
	bool has_ended, is_listed; /* listed: its number is in `changed` */
	uint64_t ended_ns;
	struct name *names;
	size_t count, capacity;
};

struct comm_filter {
	char *wanted; /* one name after the other, each with its terminator; an empty name is the last */
	struct perf_attr trailer_attr;
	struct thread *threads;
	size_t thread_count, thread_capacity, ended_count;
	struct hash_table by_tid;
	uint32_t *changed; /* numbers of threads with more than one name, or with a parent's name */
	size_t changed_count, changed_capacity;
	uint64_t latest_ns;  /* of all records */
	uint64_t horizon_ns; /* no older sample will follow */
};

static char *split_names(const char *names)
{
	char *wanted = xcalloc(1, strlen(names) + 2), *to = wanted;

	for (const char *name = names; *name;) {
		const size_t length = strcspn(name, ",");

		if (length) {
			const size_t kept = length > COMM_LENGTH_MAX ? COMM_LENGTH_MAX : length;

			memcpy(to, name, kept);
			to += kept + 1;
		}
		name += length + (name[length] == ',');
	}
	return wanted;
}

struct comm_filter *comm_filter_create(const char *names, const struct perf_event_attr *attr)
{
	struct comm_filter *filter = xcalloc(1, sizeof(*filter));

	filter->wanted = split_names(names);
	filter->trailer_attr = (struct perf_attr){ .sample_type = attr->sample_type,
						   .flags = (uint64_t)1 << PERF_ATTR_SAMPLE_ID_ALL };
	return filter;
}

void comm_filter_destroy(struct comm_filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->thread_count; i++)
		free(filter->threads[i].names);
	hash_table_fini(&filter->by_tid);
	free(filter->threads);
	free(filter->changed);
	free(filter->wanted);
	free(filter);
}

size_t comm_filter_thread_count(const struct comm_filter *filter)
{
	return filter->thread_count;
}

static bool is_wanted(const struct comm_filter *filter, const char *comm)
{
	for (const char *name = filter->wanted; *name; name += strlen(name) + 1)
		if (strcmp(name, comm) == 0)
			return true;
	return false;
}

static bool is_thread(const void *threads, uint32_t number, const void *tid)
{
	return ((const struct thread *)threads)[number].tid == *(const uint32_t *)tid;
}

static uint32_t find_thread(const struct comm_filter *filter, uint32_t tid)
{
	return hash_table_find(&filter->by_tid, hash_u64(tid), is_thread, filter->threads, &tid);
}

static uint32_t thread_of(struct comm_filter *filter, uint32_t tid)
{
	uint32_t number = find_thread(filter, tid);

	if (number != HASH_TABLE_NONE)
		return number;
	number = (uint32_t)filter->thread_count++;
	filter->threads = array_grow(filter->threads, &filter->thread_capacity, filter->thread_count,
				     sizeof(*filter->threads));
	filter->threads[number] = (struct thread){ .tid = tid };
	hash_table_insert(&filter->by_tid, hash_u64(tid), number);
	return number;
}

/* Of names with equal times, the one that was noted last applies. */
static void add_name(struct comm_filter *filter, uint32_t tid, struct name name)
{
	const uint32_t number = thread_of(filter, tid);
	struct thread *thread = &filter->threads[number];
	size_t at = thread->count;

	thread->names =
		array_grow(thread->names, &thread->capacity, thread->count + 1, sizeof(*thread->names));
	while (at > 0 && thread->names[at - 1].time_ns > name.time_ns)
		at--;
	memmove(thread->names + at + 1, thread->names + at, (thread->count - at) * sizeof(*thread->names));
	thread->names[at] = name;
	thread->count++;
	filter->ended_count -= thread->has_ended;
	thread->has_ended = false;
	if (thread->is_listed || (thread->count == 1 && !name.parent_tid))
		return;
	thread->is_listed = true;
	*ARRAY_ADD(filter->changed, filter->changed_count, filter->changed_capacity) = number;
}

static void end_thread(struct comm_filter *filter, uint32_t tid, uint64_t time_ns)
{
	const uint32_t number = find_thread(filter, tid);

	if (number == HASH_TABLE_NONE || filter->threads[number].has_ended)
		return;
	filter->threads[number].has_ended = true;
	filter->threads[number].ended_ns = time_ns;
	filter->ended_count++;
}

void comm_filter_apply(struct comm_filter *filter, const struct event *event, uint64_t time_ns)
{
	struct comm_record comm;
	struct task_record task;

	if (event->type == PERF_RECORD_COMM && event_decode_comm(event, &comm, NULL) == 0)
		add_name(filter, comm.tid,
			 (struct name){ .time_ns = time_ns, .is_wanted = is_wanted(filter, comm.comm) });
	else if (event->type == PERF_RECORD_FORK && event_decode_task(event, &task, NULL) == 0 && time_ns)
		add_name(filter, task.tid,
			 (struct name){ .time_ns = time_ns, .parent_tid = task.parent_tid });
	else if (event->type == PERF_RECORD_EXIT && event_decode_task(event, &task, NULL) == 0)
		end_thread(filter, task.tid, time_ns);
	if (time_ns > filter->latest_ns)
		filter->latest_ns = time_ns;
}

void comm_filter_note(struct comm_filter *filter, const uint8_t *records, size_t size)
{
	struct perf_event_header header;

	for (size_t at = 0; at + sizeof(header) <= size; at += header.size) {
		struct sample_id id;
		struct event event;

		memcpy(&header, records + at, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - at)
			return;
		if (header.type != PERF_RECORD_COMM && header.type != PERF_RECORD_FORK &&
		    header.type != PERF_RECORD_EXIT)
			continue;
		event = (struct event){ .type = header.type,
					.misc = header.misc,
					.size = header.size,
					.payload = records + at + sizeof(header),
					.payload_size = header.size - sizeof(header) };
		if (event_sample_id(&event, &filter->trailer_attr, &id, NULL) == 0)
			comm_filter_apply(filter, &event, id.time_ns);
	}
}

/* The name of a thread at this time, perhaps inherited from its parent at the fork. NULL if none is known. */
static const struct name *find_name(const struct comm_filter *filter, uint32_t tid, uint64_t time_ns)
{
	for (int generation = 0; generation < MAX_GENERATIONS; generation++) {
		const uint32_t number = find_thread(filter, tid);
		const struct thread *thread = number == HASH_TABLE_NONE ? NULL : &filter->threads[number];
		const struct name *name = NULL;

		for (size_t i = thread ? thread->count : 0; i > 0 && !name; i--)
			if (thread->names[i - 1].time_ns <= time_ns)
				name = &thread->names[i - 1];
		if (!name || !name->parent_tid)
			return name;
		tid = name->parent_tid;
		time_ns = name->time_ns;
	}
	return NULL;
}

bool comm_filter_accepts(const struct comm_filter *filter, uint32_t tid, uint64_t time_ns)
{
	const struct name *name = find_name(filter, tid, time_ns);

	return name && name->is_wanted;
}

/* Replaces pointers to parents by the parent's name, while that is still known. */
static void resolve_forks(struct comm_filter *filter, struct thread *thread)
{
	for (size_t i = 0; i < thread->count; i++) {
		struct name *own = &thread->names[i];

		if (!own->parent_tid || own->time_ns > filter->horizon_ns)
			continue;
		own->is_wanted = comm_filter_accepts(filter, thread->tid, own->time_ns);
		own->parent_tid = 0;
	}
}

/* Keeps the last name before the horizon, and all later ones. */
static void drop_old_names(const struct comm_filter *filter, struct thread *thread)
{
	size_t dropped = 0;

	while (dropped + 1 < thread->count && thread->names[dropped + 1].time_ns <= filter->horizon_ns)
		dropped++;
	thread->count -= dropped;
	memmove(thread->names, thread->names + dropped, thread->count * sizeof(*thread->names));
}

static bool is_over(const struct comm_filter *filter, const struct thread *thread)
{
	return thread->has_ended && !thread->is_listed && thread->ended_ns <= filter->horizon_ns;
}

static void forget_ended(struct comm_filter *filter)
{
	size_t kept = 0;

	hash_table_clear(&filter->by_tid);
	filter->changed_count = filter->ended_count = 0;
	for (size_t i = 0; i < filter->thread_count; i++) {
		struct thread *thread = &filter->threads[i];

		if (is_over(filter, thread)) {
			free(thread->names);
			continue;
		}
		hash_table_insert(&filter->by_tid, hash_u64(thread->tid), (uint32_t)kept);
		if (thread->is_listed) /* the list cannot grow here, so there is room */
			filter->changed[filter->changed_count++] = (uint32_t)kept;
		filter->ended_count += thread->has_ended;
		filter->threads[kept++] = *thread;
	}
	filter->thread_count = kept;
}

void comm_filter_end_round(struct comm_filter *filter)
{
	size_t kept = 0;

	for (size_t i = 0; i < filter->changed_count; i++)
		resolve_forks(filter, &filter->threads[filter->changed[i]]);
	for (size_t i = 0; i < filter->changed_count; i++) {
		struct thread *thread = &filter->threads[filter->changed[i]];

		drop_old_names(filter, thread);
		thread->is_listed = thread->count > 1 || (thread->count && thread->names[0].parent_tid);
		if (thread->is_listed)
			filter->changed[kept++] = filter->changed[i];
	}
	filter->changed_count = kept;
	if (filter->ended_count >= ENDED_THREADS_MIN && filter->ended_count > filter->thread_count / 2)
		forget_ended(filter);
	filter->horizon_ns = filter->latest_ns;
}
