/*
 * unwind_ways_add() puts both stacks of a sample into buffers, aligns them (chain_alignment.h), and counts the result in
 * the group of its command, fault and places. Names are looked up only when the groups are read.
 */
#include "report/diff/unwind_ways.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/callchain.h"
#include "report/load/stack_resolver.h"
#include "report/names/dso_symbols.h"
#include "report/names/stack_beginning.h"
#include "unwind/unwinder.h"

enum {
	MAX_CHAIN = 4096,  /* as in dump_unwinder: as many as a dump can hold */
	MAX_MISSING = 100, /* larger numbers count as this one */
	/* __libc_start_main and _start below __libc_start_call_main; clone below start_thread */
	START_UP_FRAMES = 2,
};

/* Buffers for one sample, reused for the next. */
struct way_buffers {
	uint64_t whole[MAX_CHAIN], chain[MAX_CHAIN];
	struct ways_place places[MAX_CHAIN]; /* of the whole stack */
	size_t whole_count, chain_count;
	struct unwind_ways *ways; /* gets the skips */
};

static bool place_equal(const struct ways_place *a, const struct ways_place *b)
{
	return a->dso == b->dso && a->address == b->address;
}

static bool group_equal(const void *items, uint32_t item, const void *key)
{
	const struct ways_group *a = (const struct ways_group *)items + item, *b = key;

	return a->comm == b->comm && a->fault == b->fault && a->end_missing == b->end_missing &&
	       a->rooted == b->rooted && place_equal(&a->at, &b->at) && place_equal(&a->end, &b->end);
}

static bool skip_equal(const void *items, uint32_t item, const void *key)
{
	const struct ways_skip *a = (const struct ways_skip *)items + item, *b = key;

	return place_equal(&a->at, &b->at) && place_equal(&a->skipped, &b->skipped);
}

void unwind_ways_init(struct unwind_ways *ways)
{
	*ways = (struct unwind_ways){ .texts = str_pool_create(),
				      .buffers = xcalloc(1, sizeof(*ways->buffers)) };
	intern_table_init(&ways->groups, sizeof(struct ways_group), group_equal);
	intern_table_init(&ways->skips, sizeof(struct ways_skip), skip_equal);
	ways->buffers->ways = ways;
}

void unwind_ways_fini(struct unwind_ways *ways)
{
	str_pool_destroy(ways->texts);
	intern_table_fini(&ways->groups);
	intern_table_fini(&ways->skips);
	free(ways->dsos);
	free(ways->buffers);
	*ways = (struct unwind_ways){ 0 };
}

/* --- the two stacks ------------------------------------------------------------ */

/* `returns`: it is a return address, so the call lies before it. */
static struct ways_place place_of(const struct ways_source *source, const struct sample *sample,
				  uint64_t time_ns, uint64_t address, bool returns)
{
	struct mapping mapping;

	if (process_table_find(source->processes, sample->pid, time_ns, ADDRESS_USER, address, &mapping) != 1)
		return (struct ways_place){ WAYS_NONE, address };
	return (struct ways_place){ mapping.dso->number,
				    mapping_to_dso_address(&mapping, address) - returns };
}

static void take_whole(struct way_buffers *buffers, const struct unwind_stack *stack,
		       const struct ways_source *source, const struct sample *sample, uint64_t time_ns)
{
	buffers->whole_count = stack->count < MAX_CHAIN ? stack->count : MAX_CHAIN;
	for (size_t i = 0; i < buffers->whole_count; i++) {
		buffers->whole[i] = stack->frames[i].address;
		buffers->places[i] = place_of(source, sample, time_ns, buffers->whole[i],
					      dump_unwinder_frame_returns(stack, i));
	}
}

/* The recorder found chain and whole stack to be the same. */
static void take_chain_as_whole(struct way_buffers *buffers, const struct ways_source *source,
				const struct sample *sample, uint64_t time_ns)
{
	buffers->whole_count = buffers->chain_count;
	for (size_t i = 0; i < buffers->whole_count; i++) {
		buffers->whole[i] = buffers->chain[i];
		buffers->places[i] = place_of(source, sample, time_ns, buffers->chain[i], i > 0);
	}
}

/* The user part of the callchain that the kernel recorded. False if there is none. */
static bool take_recorded(struct way_buffers *buffers, const struct sample *sample)
{
	buffers->chain_count = callchain_user_frames(sample, buffers->chain, MAX_CHAIN);
	return buffers->chain_count > 0;
}

static void take_followed(struct way_buffers *buffers, const struct unwind_stack *stack)
{
	buffers->chain_count = stack->count < MAX_CHAIN ? stack->count : MAX_CHAIN;
	for (size_t i = 0; i < buffers->chain_count; i++)
		buffers->chain[i] = stack->frames[i].address;
}

/* --- sums ---------------------------------------------------------------------- */

static uint64_t place_hash(const struct ways_place *place)
{
	return hash_combine(place->address, place->dso);
}

static void add_skip(void *context, const struct chain_break *skip)
{
	const struct way_buffers *buffers = context;
	struct intern_table *skips = &buffers->ways->skips;
	struct ways_skip key = { buffers->places[skip->at], buffers->places[skip->at + 1], 0 };
	uint32_t number =
		intern_table_add(skips, hash_combine(place_hash(&key.at), place_hash(&key.skipped)), &key);

	((struct ways_skip *)skips->items)[number].samples++;
}

static void add_group(struct unwind_ways *ways, const char *comm, const struct chain_alignment *alignment,
		      bool rooted)
{
	const struct way_buffers *buffers = ways->buffers;
	const struct chain_break *first = &alignment->first, *last = &alignment->last;
	struct ways_group key = { .comm = str_pool_add(ways->texts, comm),
				  .fault = first->fault,
				  .at = { WAYS_NONE, 0 },
				  .end = { WAYS_NONE, 0 },
				  .rooted = rooted };
	struct ways_group *group;
	uint32_t number;
	uint64_t hash;

	if (first->fault != CHAIN_AGREES)
		key.at = buffers->places[first->at];
	if (last->fault == CHAIN_ENDS) {
		key.end = buffers->places[last->at];
		key.end_missing = (uint32_t)(last->count < MAX_MISSING ? last->count : MAX_MISSING);
	}
	hash = hash_combine((uint64_t)key.comm << 32 | key.fault, place_hash(&key.at));
	hash = hash_combine(hash, (uint64_t)key.end_missing << 1 | rooted);
	hash = hash_combine(hash, place_hash(&key.end));
	number = intern_table_add(&ways->groups, hash, &key);
	group = (struct ways_group *)ways->groups.items + number;
	group->samples++;
	group->frames += buffers->whole_count;
	group->missing += buffers->whole_count - alignment->common;
	if (last->fault == CHAIN_STRAYS)
		group->wrong += last->count;
}

static void count_dsos(struct unwind_ways *ways)
{
	for (size_t i = 0; i < ways->buffers->whole_count; i++) {
		uint32_t dso = ways->buffers->places[i].dso;
		size_t before = ways->dso_capacity;

		if (dso == WAYS_NONE)
			continue;
		ways->dsos =
			array_grow(ways->dsos, &ways->dso_capacity, (size_t)dso + 1, sizeof(*ways->dsos));
		if (ways->dso_capacity > before)
			memset(ways->dsos + before, 0, (ways->dso_capacity - before) * sizeof(*ways->dsos));
		if (ways->dsos[dso].last_sample != (uint32_t)ways->samples)
			ways->dsos[dso].samples++;
		ways->dsos[dso].last_sample = (uint32_t)ways->samples;
	}
}

/* xprof record -g drops registers and dump of a sample if they give the same stack as its chain (record/stack/evidence.h). */
static bool is_proved_chain(const struct sample *sample, bool recorded, bool by_xprof)
{
	return by_xprof && recorded && sample->present & PERF_SAMPLE_STACK_USER && !sample->user_stack_size &&
	       !sample->user_regs_abi;
}

static void count_left_out(struct unwind_ways *ways, const struct sample *sample, bool recorded)
{
	if (sample->user_stack_size)
		ways->no_stack++;
	else if (recorded || stack_resolver_mode(sample->misc) == FRAME_USER)
		ways->no_dump++;
	else
		ways->kernel_only++;
}

/* Puts both stacks of a sample into the buffers. False if it does not have both. */
static bool take_both(struct unwind_ways *ways, const struct sample *sample, uint64_t time_ns,
		      const struct ways_source *source, bool *rooted)
{
	struct process_state state = process_table_state(source->processes, sample->pid, time_ns);
	bool recorded = take_recorded(ways->buffers, sample),
	     proved = is_proved_chain(sample, recorded, source->by_xprof);
	const struct unwind_stack *stack =
		proved || !sample->user_stack_size ?
			NULL :
			dump_unwinder_walk(source->unwinder, sample, &state, time_ns, false);

	*rooted = proved || (stack && stack->end == UNWIND_END_ROOT);
	if (proved)
		take_chain_as_whole(ways->buffers, source, sample, time_ns);
	else if (stack)
		take_whole(ways->buffers, stack, source, sample, time_ns);
	if (stack && !recorded) {
		stack = dump_unwinder_walk(source->unwinder, sample, &state, time_ns, true);
		if (stack)
			take_followed(ways->buffers, stack);
	}
	if (!proved && !stack) {
		count_left_out(ways, sample, recorded);
		return false;
	}
	ways->proved += proved;
	ways->recorded += recorded;
	return true;
}

bool unwind_ways_is_by_xprof(const struct perf_features *features)
{
	return features->command_line_count && strcmp(basename(features->command_line[0]), "xprof") == 0;
}

void unwind_ways_add(struct unwind_ways *ways, const struct sample *sample, uint64_t time_ns,
		     const struct ways_source *source)
{
	struct way_buffers *buffers = ways->buffers;
	struct chain_alignment alignment;
	bool rooted;

	if (!take_both(ways, sample, time_ns, source, &rooted))
		return;
	ways->samples++;
	alignment = chain_align(buffers->whole, buffers->whole_count, buffers->chain, buffers->chain_count,
				add_skip, buffers);
	add_group(ways, process_table_comm(source->processes, sample->pid, sample->tid, time_ns), &alignment,
		  rooted);
	count_dsos(ways);
}

/* --- reading ------------------------------------------------------------------ */

const char *way_names_dso(const struct way_names *names, uint32_t dso)
{
	return dso == WAYS_NONE ? "[unknown]" : process_table_dso(names->processes, dso)->name;
}

static const char *function_of(const struct way_names *names, const struct ways_place *place)
{
	struct symbol_table *table;
	struct symbol symbol;

	if (place->dso == WAYS_NONE)
		return NULL;
	table = dso_symbols_table(names->symbolizer, process_table_dso(names->processes, place->dso));
	return table && symbol_table_find(table, place->address, &symbol) == 1 ? symbol.name : NULL;
}

void way_names_add(struct strbuf *out, const struct way_names *names, const struct ways_place *place)
{
	const char *function = function_of(names, place);

	if (function)
		strbuf_adds(out, function);
	else if (place->dso != WAYS_NONE && way_names_dso(names, place->dso)[0] == '[')
		strbuf_adds(out, way_names_dso(names, place->dso));
	else
		strbuf_addf(out, "[%s]",
			    place->dso == WAYS_NONE ? "unknown" : way_names_dso(names, place->dso));
}

bool unwind_ways_ends_at_start(const struct ways_group *group, const struct way_names *names)
{
	const char *function;

	if (!group->end_missing || !group->rooted)
		return false;
	function = function_of(names, &group->end);
	if (function && stack_beginning_is_root(function, FRAME_USER))
		return true;
	return !function && group->end_missing <= START_UP_FRAMES &&
	       stack_beginning_is_c_library(way_names_dso(names, group->end.dso));
}
