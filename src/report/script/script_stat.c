/*
 * Records fill the tables of CPUs, threads and counters; STAT_ROUND prints them and notes where each counter stands. Layouts
 * are those of tools/lib/perf/include/perf/event.h.
 */
#include "report/script/script_stat.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "text/safe_text.h"

enum {
	ANY = -1, /* no particular CPU or thread */
	/*
	 * Do not print the full table if it has more than SMALL_TABLE places and fewer than one in SPARSE has a counter: its maps
	 * are then those of a damaged file.
	 */
	SPARSE = 64,
	SMALL_TABLE = 4096,
};

struct counts {
	uint64_t value, enabled_ns, running_ns;
};

struct counter {
	uint32_t event;
	int32_t cpu, thread;       /* the CPU's number; the thread's place in the map */
	struct counts now, before; /* before: when the last round ended */
};

struct numbers {
	int32_t *items;
	size_t count, capacity;
};

struct script_stat {
	struct numbers cpus, threads; /* of threads: tids */
	struct counter *counters;
	size_t count, capacity;
	struct hash_table by_place;
	bool aggregated; /* sums over CPUs: each is the total so far, not what this round added */
	bool scaled;
	bool has_heading;
};

struct script_stat *script_stat_create(void)
{
	return xcalloc(1, sizeof(struct script_stat));
}

void script_stat_destroy(struct script_stat *stat)
{
	if (!stat)
		return;
	hash_table_fini(&stat->by_place);
	free(stat->cpus.items);
	free(stat->threads.items);
	free(stat->counters);
	free(stat);
}

/* --- maps -------------------------------------------------------------------------- */

static void add_number(struct numbers *numbers, int32_t number)
{
	*ARRAY_ADD(numbers->items, numbers->count, numbers->capacity) = number;
}

/* u64 nr, then of each u64 pid, char comm[16] */
static void take_thread_map(struct script_stat *stat, struct byte_reader *r)
{
	stat->threads.count = 0;
	for (uint64_t left = byte_reader_u64(r); left && byte_reader_ok(r); left--) {
		const int32_t tid = (int32_t)byte_reader_u64(r);

		byte_reader_skip(r, 16);
		if (byte_reader_ok(r))
			add_number(&stat->threads, tid);
	}
}

/* u16 nr, long_size; words at a multiple of their size, or (perf before 6.1) four bytes after long_size */
static void take_cpu_mask(struct script_stat *stat, struct byte_reader *r)
{
	const uint16_t count = byte_reader_u16(r), word_bytes = byte_reader_u16(r);

	if (word_bytes != 4 && word_bytes != 8)
		return;
	if (word_bytes == 8)
		byte_reader_skip(r, byte_reader_left(r) >= 10 + 8 * (size_t)count ? 4 : 2);
	for (uint16_t i = 0; i < count; i++) {
		const uint64_t word = word_bytes == 8 ? byte_reader_u64(r) : byte_reader_u32(r);

		for (int bit = 0; byte_reader_ok(r) && bit < 8 * word_bytes; bit++)
			if (word >> bit & 1)
				add_number(&stat->cpus, i * 8 * word_bytes + bit);
	}
}

/* struct perf_record_cpu_map_data: u16 type; a list of CPUs, a mask, or a range */
static void take_cpu_map(struct script_stat *stat, struct byte_reader *r)
{
	enum { MAP_CPUS, MAP_MASK, MAP_RANGE };
	const uint16_t type = byte_reader_u16(r);

	stat->cpus.count = 0;
	if (type == MAP_CPUS) {
		for (uint16_t left = byte_reader_u16(r); left && byte_reader_left(r) >= 2; left--) {
			const uint16_t cpu = byte_reader_u16(r);

			add_number(&stat->cpus, cpu == UINT16_MAX ? ANY : cpu);
		}
	} else if (type == MAP_MASK) {
		take_cpu_mask(stat, r);
	} else if (type == MAP_RANGE) {
		const bool any = byte_reader_u8(r);
		uint16_t first, last;

		byte_reader_skip(r, 1);
		first = byte_reader_u16(r);
		last = byte_reader_u16(r);
		if (any)
			add_number(&stat->cpus, ANY);
		for (int32_t cpu = first; byte_reader_ok(r) && cpu <= last; cpu++)
			add_number(&stat->cpus, cpu);
	}
}

/* u64 nr, then of each u64 tag, val: PERF_STAT_CONFIG_TERM__* of tools/lib/perf/include/perf/event.h */
static void take_config(struct script_stat *stat, struct byte_reader *r)
{
	enum { TAG_AGGREGATION = 0, TAG_SCALE = 2, AGGREGATION_GLOBAL = 1 };

	for (uint64_t left = byte_reader_u64(r); left && byte_reader_left(r) >= 16; left--) {
		const uint64_t tag = byte_reader_u64(r), value = byte_reader_u64(r);

		if (tag == TAG_AGGREGATION)
			stat->aggregated = value == AGGREGATION_GLOBAL;
		else if (tag == TAG_SCALE)
			stat->scaled = value;
	}
}

/* --- counters ------------------------------------------------------------------------ */

static bool same_place(const void *items, uint32_t item, const void *wanted)
{
	const struct counter *a = (const struct counter *)items + item, *b = wanted;

	return a->event == b->event && a->cpu == b->cpu && a->thread == b->thread;
}

static uint64_t hash_of(const struct counter *counter)
{
	return hash_combine(hash_combine(counter->event, (uint32_t)counter->cpu), (uint32_t)counter->thread);
}

static uint32_t find_counter(const struct script_stat *stat, const struct counter *wanted)
{
	return hash_table_find(&stat->by_place, hash_of(wanted), same_place, stat->counters, wanted);
}

/* perf_counts_values__scale(): extrapolates the value to the whole time enabled. */
static uint64_t scaled_value(const struct counts *counts)
{
	if (counts->running_ns == 0)
		return 0;
	if (counts->running_ns >= counts->enabled_ns)
		return counts->value;
	return (uint64_t)((double)counts->value * (double)counts->enabled_ns / (double)counts->running_ns);
}

/* process_counter_values(), tools/perf/util/stat.c */
static struct counts shown_counts(const struct script_stat *stat, const struct counter *counter)
{
	struct counts shown = counter->now;

	if (stat->aggregated)
		return shown;
	shown.value -= counter->before.value;
	shown.enabled_ns -= counter->before.enabled_ns;
	shown.running_ns -= counter->before.running_ns;
	if (stat->scaled)
		shown.value = scaled_value(&shown);
	return shown;
}

/* struct perf_record_stat: u64 id; u32 cpu, thread; u64 val, ena, run */
static void take_count(struct script_stat *stat, const struct perf_file *file, struct byte_reader *r)
{
	const size_t event = perf_file_event_by_id(file, byte_reader_u64(r));
	struct counter counter = { .event = (uint32_t)event };
	uint32_t number;

	counter.cpu = (int32_t)byte_reader_u32(r);
	counter.thread = (int32_t)byte_reader_u32(r);
	counter.now.value = byte_reader_u64(r);
	counter.now.enabled_ns = byte_reader_u64(r);
	counter.now.running_ns = byte_reader_u64(r);
	if (!byte_reader_ok(r) || event == SIZE_MAX)
		return;
	number = find_counter(stat, &counter);
	if (number != HASH_TABLE_NONE) {
		stat->counters[number].now = counter.now;
		return;
	}
	hash_table_insert(&stat->by_place, hash_of(&counter), (uint32_t)stat->count);
	*ARRAY_ADD(stat->counters, stat->count, stat->capacity) = counter;
}

/* --- a round ------------------------------------------------------------------------- */

static void add_line(const struct script_stat *stat, const struct perf_file *file,
		     const struct counter *counter, int32_t tid, uint64_t time_ns, struct strbuf *out)
{
	const struct counts shown = shown_counts(stat, counter);

	strbuf_addf(out, "%3" PRId32 " %8" PRId32 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " ",
		    counter->cpu, tid, shown.value, shown.enabled_ns, shown.running_ns, time_ns);
	safe_text_add(out, perf_file_event(file, counter->event)->name);
	strbuf_addc(out, '\n');
}

/* As perf: a line for every place of the maps, counted or not. */
static void add_event_in_full(const struct script_stat *stat, const struct perf_file *file, uint32_t event,
			      uint64_t time_ns, struct strbuf *out)
{
	for (size_t thread = 0; thread < stat->threads.count; thread++)
		for (size_t i = 0; i < stat->cpus.count; i++) {
			const struct counter place = { .event = event,
						       .cpu = stat->cpus.items[i],
						       .thread = (int32_t)thread };
			const uint32_t number = find_counter(stat, &place);

			add_line(stat, file, number == HASH_TABLE_NONE ? &place : &stat->counters[number],
				 stat->threads.items[thread], time_ns, out);
		}
}

static int32_t tid_of(const struct script_stat *stat, const struct counter *counter)
{
	return counter->thread >= 0 && (size_t)counter->thread < stat->threads.count ?
		       stat->threads.items[counter->thread] :
		       ANY;
}

static void end_round(struct script_stat *stat)
{
	for (size_t i = 0; i < stat->count; i++)
		stat->counters[i].before = stat->counters[i].now;
}

static void add_round(struct script_stat *stat, const struct perf_file *file, uint64_t time_ns,
		      struct strbuf *out)
{
	const size_t events = perf_file_event_count(file);
	const size_t places = events * stat->threads.count * stat->cpus.count;

	if (!stat->has_heading)
		strbuf_addf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA", "RUN",
			    "TIME", "EVENT");
	stat->has_heading = true;
	if (places <= SMALL_TABLE || places / SPARSE <= stat->count) {
		for (uint32_t event = 0; event < events; event++)
			add_event_in_full(stat, file, event, time_ns, out);
	} else {
		for (size_t i = 0; i < stat->count; i++)
			add_line(stat, file, &stat->counters[i], tid_of(stat, &stat->counters[i]), time_ns,
				 out);
	}
	end_round(stat);
}

int script_stat_take(struct script_stat *stat, const struct perf_file *file, const struct event *event,
		     struct strbuf *out)
{
	struct byte_reader r = event_payload(event);

	switch (event->type) {
	case PERF_RECORD_THREAD_MAP: take_thread_map(stat, &r); break;
	case PERF_RECORD_CPU_MAP: take_cpu_map(stat, &r); break;
	case PERF_RECORD_STAT_CONFIG: take_config(stat, &r); break;
	case PERF_RECORD_STAT: take_count(stat, file, &r); break;
	case PERF_RECORD_STAT_ROUND: { /* u64 type, time */
		uint64_t time_ns;

		byte_reader_skip(&r, sizeof(uint64_t));
		time_ns = byte_reader_u64(&r);
		if (byte_reader_ok(&r))
			add_round(stat, file, time_ns, out);
		break;
	}
	default: break;
	}
	return byte_reader_ok(&r) ? 0 : -1;
}
