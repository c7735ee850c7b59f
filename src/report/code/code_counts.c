/* code_counts_add() finds the places of a sample's addresses once each, and adds up equal ones in three tables. */
#include "report/code/code_counts.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/branch_entry.h"
#include "report/load/branch_samples.h"

enum {
	FIRST_SLOTS = 1024,
	LONGEST_RANGE = 1 << 20, /* no code runs a mebibyte without a taken branch */
};

/* --- tables ------------------------------------------------------------------------------ */

static void table_fini(struct code_table *table)
{
	free(table->items);
	free(table->slots);
	*table = (struct code_table){ .items = NULL };
}

static uint64_t hash_of(const struct code_place *from, const struct code_place *to)
{
	const uint64_t dsos = (uint64_t)from->dso << 32 | to->dso;

	return hash_combine(hash_combine(hash_u64(dsos), from->address), to->address);
}

static size_t slot_of(const struct code_table *table, const struct code_place *from,
		      const struct code_place *to)
{
	size_t slot = hash_of(from, to) & (table->slot_count - 1);

	for (; table->slots[slot]; slot = (slot + 1) & (table->slot_count - 1)) {
		const struct code_count *item = &table->items[table->slots[slot] - 1];

		if (item->from.address == from->address && item->to.address == to->address &&
		    item->from.dso == from->dso && item->to.dso == to->dso)
			break;
	}
	return slot;
}

static void grow_slots(struct code_table *table)
{
	free(table->slots);
	table->slot_count = table->slot_count ? table->slot_count * 2 : FIRST_SLOTS;
	table->slots = xcalloc(table->slot_count, sizeof(*table->slots));
	for (size_t i = 0; i < table->count; i++)
		table->slots[slot_of(table, &table->items[i].from, &table->items[i].to)] = (uint32_t)i + 1;
}

static struct code_count *count_of(struct code_table *table, struct code_place from, struct code_place to)
{
	size_t slot;

	if (table->count * 2 >= table->slot_count)
		grow_slots(table);
	slot = slot_of(table, &from, &to);
	if (!table->slots[slot]) {
		table->items =
			array_grow(table->items, &table->capacity, table->count + 1, sizeof(*table->items));
		table->items[table->count] = (struct code_count){ .from = from, .to = to };
		table->slots[slot] = (uint32_t)++table->count;
	}
	return &table->items[table->slots[slot] - 1];
}

static int compare_places(const struct code_place *a, const struct code_place *b)
{
	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static int compare_items(const void *a, const void *b)
{
	const struct code_count *left = a, *right = b;
	const int from = compare_places(&left->from, &right->from);

	return from ? from : compare_places(&left->to, &right->to);
}

void code_table_sort(struct code_table *table)
{
	if (table->count)
		qsort(table->items, table->count, sizeof(*table->items), compare_items);
	free(table->slots);
	table->slots = NULL;
	table->slot_count = 0;
}

/* --- samples ----------------------------------------------------------------------------- */

void code_counts_fini(struct code_counts *counts)
{
	table_fini(&counts->addresses);
	table_fini(&counts->branches);
	table_fini(&counts->ranges);
}

static struct code_place find_place(struct process_table *processes, const struct sample *sample,
				    uint64_t time_ns, uint64_t address)
{
	const struct branch_place place = branch_place_find(processes, sample->pid, time_ns, address);

	return (struct code_place){ place.dso ? place.dso->number : CODE_NOWHERE, place.address };
}

static void add_branch(struct code_counts *counts, const struct branch_entry *entry, struct code_place from,
		       struct code_place to, bool followed)
{
	struct code_count *branch = count_of(&counts->branches, from, to);

	branch->count++;
	branch->mispredicted += entry->mispredicted;
	branch->followed += followed;
	branch->cycles += entry->cycles;
	branch->counted += entry->cycles != 0;
	counts->cycles += entry->cycles;
	branch->type = entry->type;
}

/* `next` is the branch at the end of the range; its cycles are those since the branch that led to its beginning. */
static void add_range(struct code_counts *counts, struct code_place begin, struct code_place end,
		      const struct branch_entry *next)
{
	struct code_count *range;

	if (begin.dso == CODE_NOWHERE || begin.dso != end.dso)
		return;
	if (end.address < begin.address || end.address - begin.address > LONGEST_RANGE) {
		counts->broken++;
		return;
	}
	range = count_of(&counts->ranges, begin, end);
	range->count++;
	range->cycles += next->cycles;
	range->counted += next->cycles != 0;
}

void code_counts_add(struct code_counts *counts, const struct sample *sample, uint64_t time_ns,
		     struct process_table *processes)
{
	struct code_place later = { CODE_NOWHERE, 0 }; /* source of the previous branch in the list */
	struct branch_entry later_entry = { 0 };

	counts->samples++;
	counts->branch_samples += sample->branch_count != 0;
	if (sample->present & PERF_SAMPLE_IP) {
		const struct code_place ip = find_place(processes, sample, time_ns, sample->ip);

		count_of(&counts->addresses, ip, ip)->count++;
	}
	for (size_t i = 0; i < sample->branch_count; i++) {
		const struct branch_entry entry = sample_branch(sample, i);
		const struct code_place from = find_place(processes, sample, time_ns, entry.from);
		const struct code_place to = find_place(processes, sample, time_ns, entry.to);

		if (entry.from == 0 && entry.to == 0) /* an entry that was not filled */
			continue;
		add_branch(counts, &entry, from, to, i > 0);
		if (later.dso != CODE_NOWHERE)
			add_range(counts, to, later, &later_entry);
		later = from;
		later_entry = entry;
	}
}
