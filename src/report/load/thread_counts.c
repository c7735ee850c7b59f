/* Counts are interned by thread and event, so that several records of one thread and event add up. */

#include "report/load/thread_counts.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/saturating.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

struct thread_counts {
	struct intern_table table;
};

static bool counts_equal(const void *items, uint32_t item, const void *key)
{
	const struct thread_count *a = (const struct thread_count *)items + item, *b = key;

	return a->pid == b->pid && a->tid == b->tid && a->file_event == b->file_event;
}

struct thread_counts *thread_counts_create(void)
{
	struct thread_counts *counts = xcalloc(1, sizeof(*counts));

	intern_table_init(&counts->table, sizeof(struct thread_count), counts_equal);
	return counts;
}

void thread_counts_destroy(struct thread_counts *counts)
{
	if (!counts)
		return;
	intern_table_fini(&counts->table);
	free(counts);
}

void thread_counts_clear(struct thread_counts *counts)
{
	intern_table_fini(&counts->table);
	intern_table_init(&counts->table, sizeof(struct thread_count), counts_equal);
}

/* { u32 pid, tid; struct read_format values; }, linux/perf_event.h. The id in it is the counter's. */
int thread_counts_take(struct thread_counts *counts, const struct perf_file *file, const struct event *event)
{
	struct byte_reader r = byte_reader_over(event->payload, event->payload_size, event->swap);
	struct thread_count count = { .file_event = perf_file_event_of(file, event) }, fresh;
	const struct event_desc *desc = perf_file_event(file, count.file_event);
	uint64_t format = desc ? desc->attr.read_format : 0;
	uint32_t number;

	if (!desc)
		return -1;
	count.pid = byte_reader_u32(&r);
	count.tid = byte_reader_u32(&r);
	count.value = byte_reader_u64(&r);
	for (uint64_t bit = PERF_FORMAT_TOTAL_TIME_ENABLED; bit <= PERF_FORMAT_TOTAL_TIME_RUNNING; bit <<= 1)
		if (format & bit)
			(void)byte_reader_u64(&r);
	if (format & PERF_FORMAT_ID)
		count.file_event = perf_file_event_by_id(file, byte_reader_u64(&r));
	if (!byte_reader_ok(&r) || count.file_event == SIZE_MAX)
		return -1;
	fresh = count;
	fresh.value = 0;
	number = intern_table_add(&counts->table,
				  hash_combine((uint64_t)count.pid << 32 | count.tid, count.file_event),
				  &fresh);
	saturating_add(&((struct thread_count *)counts->table.items)[number].value, count.value);
	return 0;
}

size_t thread_counts_count(const struct thread_counts *counts)
{
	return counts->table.count;
}

const struct thread_count *thread_counts_at(const struct thread_counts *counts, size_t number)
{
	return (const struct thread_count *)counts->table.items + number;
}
