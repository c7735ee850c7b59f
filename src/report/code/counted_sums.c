/* A hash table finds the sum of a place. Only branches whose cycles were counted take part, since means are over those. */
#include "report/code/counted_sums.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "format/branch_entry.h"
#include "report/load/branch_samples.h"

enum { CELL_WIDTH = 4 };

void counted_sums_fini(struct counted_sums *sums)
{
	free(sums->items);
	hash_table_fini(&sums->by_place);
}

static uint64_t hash_of(const struct code_place *place)
{
	return hash_combine(hash_u64(place->dso), place->address);
}

static bool is_at(const void *items, uint32_t item, const void *key)
{
	const struct code_place *place = key, *from = &((const struct counted_sum *)items)[item].from;

	return from->dso == place->dso && from->address == place->address;
}

static struct counted_sum *sum_of(struct counted_sums *sums, const struct code_place *from)
{
	const uint64_t hash = hash_of(from);
	uint32_t item = hash_table_find(&sums->by_place, hash, is_at, sums->items, from);

	if (item == HASH_TABLE_NONE) {
		item = (uint32_t)sums->count++;
		sums->items = array_grow(sums->items, &sums->capacity, sums->count, sizeof(*sums->items));
		sums->items[item] = (struct counted_sum){ .from = *from };
		hash_table_insert(&sums->by_place, hash, item);
	}
	return &sums->items[item];
}

void counted_sums_add(struct counted_sums *sums, const struct perf_file *file, const struct sample *sample,
		      size_t leader, uint64_t time_ns, struct process_table *processes)
{
	if (!sums->knows_events)
		counted_events_find(&sums->events, file);
	sums->knows_events = true;
	for (size_t i = 0; sums->events.count && sample->branch_counters && i < sample->branch_count; i++) {
		const struct branch_entry branch = sample_branch(sample, i);
		const struct branch_place place =
			branch_place_find(processes, sample->pid, time_ns, branch.from);
		const struct code_place from = { place.dso ? place.dso->number : CODE_NOWHERE,
						 place.address };
		struct counted_sum *sum;

		if (!branch.cycles)
			continue;
		sum = sum_of(sums, &from);
		for (size_t item = 0; item < sums->events.count; item++) {
			unsigned int count;
			bool may_be_more;

			if (!counted_events_read(&sums->events, item, sample, leader, i, &count,
						 &may_be_more))
				continue;
			sum->counts[item] += count;
			sum->may_be_more[item] |= may_be_more;
		}
	}
}

void counted_sums_add_text(const struct counted_sums *sums, const struct code_place *from, uint64_t branches,
			   struct strbuf *out)
{
	static const struct counted_sum nothing;
	const uint32_t found = hash_table_find(&sums->by_place, hash_of(from), is_at, sums->items, from);
	const struct counted_sum *sum = found == HASH_TABLE_NONE ? &nothing : &sums->items[found];

	for (size_t item = 0; item < sums->events.count; item++) {
		const uint64_t mean = branches ? (sum->counts[item] + branches - 1) / branches : 0;
		const size_t start = out->size + 1;

		strbuf_addc(out, '|');
		for (uint64_t i = 0; i < mean; i++)
			strbuf_addc(out, counted_event_letter(item));
		strbuf_adds(out, mean ? "" : "-");
		strbuf_adds(out, sum->may_be_more[item] ? "+" : "");
		while (out->size - start < CELL_WIDTH)
			strbuf_addc(out, ' ');
	}
	strbuf_addc(out, '|');
}
