/* Threads and events are in the order of their first record, as in perf. */

#include "report/table/thread_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "text/safe_text.h"

enum { ID_COLUMNS = 3, NAME_COLUMNS = 4, RAW_COLUMNS = 3, COUNT_COLUMNS = 5 }; /* as wide as their headings */

struct thread_row {
	uint32_t pid, tid;
	uint64_t *values; /* by column */
};

struct values {
	const struct profile_facts *facts;
	size_t *events; /* by column: the event's number in the file */
	size_t event_count, event_capacity;
	struct thread_row *rows;
	size_t row_count, row_capacity;
	struct hash_table row_index;
	int pid_width, tid_width;
};

static size_t digits(uint64_t number)
{
	return (size_t)snprintf(NULL, 0, "%" PRIu64, number);
}

static void widen(int *width, uint64_t number)
{
	if ((int)digits(number) > *width)
		*width = (int)digits(number);
}

static bool row_equal(const void *items, uint32_t item, const void *key)
{
	const struct thread_row *a = (const struct thread_row *)items + item, *b = key;

	return a->pid == b->pid && a->tid == b->tid;
}

static size_t column_of(struct values *values, size_t event)
{
	size_t column;

	for (column = 0; column < values->event_count; column++)
		if (values->events[column] == event)
			return column;
	values->events = array_grow(values->events, &values->event_capacity, column + 1, sizeof(size_t));
	values->events[column] = event;
	return values->event_count++;
}

static struct thread_row *row_of(struct values *values, const struct thread_count *count)
{
	const struct thread_row key = { .pid = count->pid, .tid = count->tid };
	const uint64_t hash = hash_u64((uint64_t)key.pid << 32 | key.tid);
	const uint32_t number = hash_table_find(&values->row_index, hash, row_equal, values->rows, &key);

	if (number != HASH_TABLE_NONE)
		return &values->rows[number];
	values->rows =
		array_grow(values->rows, &values->row_capacity, values->row_count + 1, sizeof(*values->rows));
	values->rows[values->row_count] = key;
	values->rows[values->row_count].values = xcalloc(values->event_count + 1, sizeof(uint64_t));
	hash_table_insert(&values->row_index, hash, (uint32_t)values->row_count);
	widen(&values->pid_width, key.pid);
	widen(&values->tid_width, key.tid);
	return &values->rows[values->row_count++];
}

static void init(struct values *values, const struct thread_counts *counts, const struct profile_facts *facts)
{
	*values = (struct values){ .facts = facts, .pid_width = ID_COLUMNS, .tid_width = ID_COLUMNS };
	for (size_t i = 0; i < thread_counts_count(counts); i++)
		(void)column_of(values, thread_counts_at(counts, i)->file_event);
	for (size_t i = 0; i < thread_counts_count(counts); i++) {
		const struct thread_count *count = thread_counts_at(counts, i);

		row_of(values, count)->values[column_of(values, count->file_event)] = count->value;
	}
}

static void fini(struct values *values)
{
	for (size_t i = 0; i < values->row_count; i++)
		free(values->rows[i].values);
	free(values->rows);
	free(values->events);
	hash_table_fini(&values->row_index);
}

static const char *name_of(const struct values *values, size_t column)
{
	return values->facts->events[values->events[column]].name;
}

static void add_name(struct strbuf *out, const char *name, int width)
{
	struct strbuf text = STRBUF_INIT;

	safe_text_add(&text, name);
	strbuf_addf(out, "  %*s", width, text.bytes);
	strbuf_fini(&text);
}

static int value_width(const struct values *values, size_t column)
{
	int width = (int)strlen(name_of(values, column));

	for (size_t i = 0; i < values->row_count; i++)
		widen(&width, values->rows[i].values[column]);
	return width;
}

static void add_table(struct strbuf *out, const struct values *values)
{
	int *widths = xcalloc(values->event_count + 1, sizeof(*widths));

	strbuf_addf(out, "# %*s  %*s", values->pid_width, "PID", values->tid_width, "TID");
	for (size_t column = 0; column < values->event_count; column++) {
		widths[column] = value_width(values, column);
		add_name(out, name_of(values, column), widths[column]);
	}
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < values->row_count; i++) {
		const struct thread_row *row = &values->rows[i];

		strbuf_addf(out, "  %*d  %*d", values->pid_width, (int)row->pid, values->tid_width,
			    (int)row->tid);
		for (size_t column = 0; column < values->event_count; column++)
			strbuf_addf(out, "  %*" PRIu64, widths[column], row->values[column]);
		strbuf_addc(out, '\n');
	}
	free(widths);
}

/* Unlike perf, ends each line with a newline. */
static void add_raw(struct strbuf *out, const struct values *values)
{
	int name_width = NAME_COLUMNS, count_width = COUNT_COLUMNS;

	for (size_t column = 0; column < values->event_count; column++) {
		const int length = (int)strlen(name_of(values, column)), width = value_width(values, column);

		name_width = length > name_width ? length : name_width;
		count_width = width > count_width ? width : count_width;
	}
	strbuf_addf(out, "# %*s  %*s  %*s  %*s  %*s\n", values->pid_width, "PID", values->tid_width, "TID",
		    name_width, "Name", RAW_COLUMNS, "Raw", count_width, "Count");
	for (size_t i = 0; i < values->row_count * values->event_count; i++) {
		const struct thread_row *row = &values->rows[i / values->event_count];
		const size_t column = i % values->event_count;

		strbuf_addf(out, "  %*d  %*d", values->pid_width, (int)row->pid, values->tid_width,
			    (int)row->tid);
		add_name(out, name_of(values, column), name_width);
		strbuf_addf(out, "  %*zx  %*" PRIu64 "\n", RAW_COLUMNS, values->events[column], count_width,
			    row->values[column]);
	}
}

void thread_values_add(struct strbuf *out, const struct thread_counts *counts,
		       const struct profile_facts *facts, bool raw)
{
	struct values values;

	init(&values, counts, facts);
	(raw ? add_raw : add_table)(out, &values);
	fini(&values);
}
