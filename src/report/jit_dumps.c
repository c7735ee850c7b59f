#include "report/jit_dumps.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"

struct jit_dumps {
	const char *symfs;
	struct jitdump **items; /* by number of DSO; NULL: none */
	size_t capacity;
};

struct jit_dumps *jit_dumps_create(const char *symfs)
{
	struct jit_dumps *dumps = xcalloc(1, sizeof(*dumps));

	dumps->symfs = symfs ? symfs : "";
	return dumps;
}

void jit_dumps_destroy(struct jit_dumps *dumps)
{
	if (!dumps)
		return;
	for (size_t i = 0; i < dumps->capacity; i++)
		jitdump_close(dumps->items[i]);
	free(dumps->items);
	free(dumps);
}

const struct jitdump *jit_dumps_of(const struct jit_dumps *dumps, const struct dso *dso)
{
	return dso->number < dumps->capacity ? dumps->items[dso->number] : NULL;
}

static void keep(struct jit_dumps *dumps, const struct dso *dso, struct jitdump *dump)
{
	size_t old = dumps->capacity;

	if (dso->number >= old)
		dumps->items = array_grow(dumps->items, &dumps->capacity, (size_t)dso->number + 1,
					  sizeof(*dumps->items));
	for (size_t i = old; i < dumps->capacity; i++)
		dumps->items[i] = NULL;
	dumps->items[dso->number] = dump;
}

static void apply_code(const struct jitdump *dump, struct process_table *processes, uint32_t pid,
		       struct dso *dso, uint64_t time_ns, bool is_monotonic)
{
	const bool has_times = is_monotonic && !jitdump_has_own_clock(dump);

	for (size_t i = 0; i < jitdump_placement_count(dump); i++) {
		const struct jit_placement *placement = jitdump_placement(dump, i);
		const struct jit_code *code = jitdump_code(dump, placement->code);
		const struct jit_range range = { .address = placement->address,
						 .size = code->size,
						 .file_offset = code->file_offset,
						 .time_ns = has_times ? placement->time_ns : time_ns };

		process_table_jit_code(processes, pid, dso, &range);
	}
}

void jit_dumps_apply(struct jit_dumps *dumps, struct process_table *processes, const struct event *event,
		     uint64_t time_ns, bool is_monotonic)
{
	struct mmap_record record;
	struct jitdump *dump;
	struct dso *dso;

	if ((event->type != PERF_RECORD_MMAP && event->type != PERF_RECORD_MMAP2) ||
	    event_decode_mmap(event, &record, NULL) < 0 || !jitdump_is_path(record.path) ||
	    (event->misc & RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return;
	dso = process_table_jitdump(processes, record.path, record.pid);
	if (jit_dumps_of(dumps, dso))
		return; /* mapped once more */
	dump = jitdump_open(record.path, record.pid, dumps->symfs, NULL);
	if (!dump)
		return; /* the process's perf map is as good as nothing, or better */
	keep(dumps, dso, dump);
	apply_code(dump, processes, record.pid, dso, time_ns, is_monotonic);
}
