/*
 * Start at jit_dumps_apply(): it recognises a jitdump file by its name, opens it once, and adds each piece of
 * its code to the process table. The times in the file are used only if the recording has the same clock.
 */
#include "report/load/jit_dumps.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "report/names/dso_symbols.h"

struct jit_dumps {
	const struct debug_file_search *search;
	struct jitdump **items; /* by DSO number; NULL: none */
	size_t capacity;
	size_t unclear_count;
};

struct jit_dumps *jit_dumps_create(const struct debug_file_search *search)
{
	struct jit_dumps *dumps = xcalloc(1, sizeof(*dumps));

	dumps->search = search;
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

/* CPython 3.13 does not write its machine into the header. */
static const struct unwind_arch *arch_of(const struct jitdump *dump, const struct unwind_arch *recorded)
{
	uint16_t machine = jitdump_elf_machine(dump);

	return machine == EM_NONE ? recorded : unwind_arch_find(machine);
}

/* The addresses from which .eh_frame counts: see struct jit_code. */
static struct module_frames frames_of(const struct jit_code *code, bool swap)
{
	const uint64_t eh_frame_vaddr = (code->size + 7) & ~(uint64_t)7;

	return (struct module_frames){ .code = code->instructions,
				       .code_size = code->size,
				       .eh_frame = code->eh_frame.at,
				       .eh_frame_size = code->eh_frame.size,
				       .eh_frame_vaddr = eh_frame_vaddr,
				       .hdr = code->eh_frame_hdr.at,
				       .hdr_size = code->eh_frame_hdr.size,
				       .hdr_vaddr = eh_frame_vaddr + code->eh_frame.size,
				       .swap = swap };
}

void jit_dumps_find_module(const struct jit_dumps *dumps, struct dso_modules *modules,
			   const struct unwind_arch *recorded, const struct mapping *mapping,
			   struct unwind_mapping *found)
{
	const struct jitdump *dump = jit_dumps_of(dumps, mapping->dso);
	const struct unwind_arch *arch = dump ? arch_of(dump, recorded) : NULL;
	const struct jit_code *code = dump ? jitdump_find(dump, mapping->file_offset) : NULL;
	struct module_frames frames;

	if (!arch || !code)
		return;
	frames = frames_of(code, jitdump_swap(dump));
	found->module = dso_modules_get_jit(modules, code, arch, &frames);
	found->bias = mapping->start - (mapping->file_offset - code->file_offset);
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

static int compare_places(const void *a, const void *b)
{
	const struct jit_range *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

/* Whether code was placed over other code, in whole or in part. */
static bool took_turns(const struct jitdump *dump)
{
	size_t count = jitdump_placement_count(dump);
	struct jit_range *places = xmalloc((count + 1) * sizeof(*places));
	bool found = false;

	for (size_t i = 0; i < count; i++) {
		const struct jit_placement *placement = jitdump_placement(dump, i);

		places[i] = (struct jit_range){ .address = placement->address,
						.size = jitdump_code(dump, placement->code)->size };
	}
	qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 1; i < count && !found; i++)
		found = places[i].address - places[i - 1].address < places[i - 1].size;
	free(places);
	return found;
}

size_t jit_dumps_unclear_count(const struct jit_dumps *dumps)
{
	return dumps->unclear_count;
}

static void apply_code(const struct jitdump *dump, struct process_table *processes, uint32_t pid,
		       struct dso *dso, uint64_t time_ns, bool has_times)
{
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
	bool has_times;

	if ((event->type != PERF_RECORD_MMAP && event->type != PERF_RECORD_MMAP2) ||
	    event_decode_mmap(event, &record, NULL) < 0 || !jitdump_is_path(record.path) ||
	    (event->misc & RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return;
	dso = process_table_jitdump(processes, record.path, record.pid);
	if (jit_dumps_of(dumps, dso))
		return; /* was mapped again */
	dump = recorded_file_open_jitdump(record.path, record.pid, dumps->search, NULL);
	if (!dump)
		return; /* the process's perf map will have to do, if there is one */
	keep(dumps, dso, dump);
	has_times = is_monotonic && !jitdump_has_own_clock(dump);
	if (!has_times && took_turns(dump))
		dumps->unclear_count++;
	apply_code(dump, processes, record.pid, dso, time_ns, has_times);
}

void jit_dumps_tell_needs(const struct jit_dumps *dumps, const struct process_table *processes,
			  struct object_needs *needs)
{
	for (size_t i = 0; i < dumps->capacity; i++) {
		const struct dso *dso = dumps->items[i] ? process_table_dso(processes, (uint32_t)i) : NULL;
		struct symbol_object object;
		struct object_need *need;

		if (!dso || !dso_symbols_object(dso, &object))
			continue;
		need = object_needs_of(needs, &object);
		object_need_set_origin(needs, need,
				       &(struct object_origin){ .form = OBJECT_FORM_JITDUMP,
								.opened = jitdump_path(dumps->items[i]),
								.source = jitdump_path(dumps->items[i]) });
	}
}
