/*
 * Each kind of item is an intern_table with an equality and a hash; the functions here fill in an item and add it. Equality
 * covers what identifies an item, not what is found out later, such as the function of a location. After profile_finish() the
 * tables are plain arrays.
 */
#include "profile/profile.h"

#include <stdlib.h>

#include "base/saturating.h"
#include "base/str_pool.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"
#include "profile/stack_tree.h"

struct profile {
	struct str_pool *strings;
	struct intern_table dsos;
	struct intern_table functions;
	struct intern_table locations;
	struct stack_tree stacks;
	struct intern_table threads;
	struct intern_table events;
	struct intern_table samples;
};

/* Equality of each kind compares what identifies an item, not sums or facts that are found out later. */

static bool dso_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_dso *a = (const struct profile_dso *)items + item, *b = key;

	return a->name == b->name && a->path == b->path && a->build_id == b->build_id;
}

static bool function_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_function *a = (const struct profile_function *)items + item, *b = key;

	return a->start == b->start && a->dso == b->dso && a->name == b->name && a->inlined == b->inlined &&
	       a->nameless == b->nameless;
}

static bool location_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_location *a = (const struct profile_location *)items + item, *b = key;

	return a->address == b->address && a->dso == b->dso && a->mode == b->mode &&
	       a->inline_depth == b->inline_depth && a->no_address == b->no_address &&
	       (!a->no_address || a->function == b->function);
}

static bool thread_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_thread *a = (const struct profile_thread *)items + item, *b = key;

	return a->tid == b->tid && a->pid == b->pid && a->comm == b->comm;
}

static bool event_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_event *a = (const struct profile_event *)items + item, *b = key;

	return a->name == b->name && a->frequency == b->frequency && a->period_or_freq == b->period_or_freq;
}

static bool sample_equal(const void *items, uint32_t item, const void *key)
{
	const struct profile_sample *a = (const struct profile_sample *)items + item, *b = key;

	return a->stack == b->stack && a->thread == b->thread && a->cpu == b->cpu && a->event == b->event &&
	       a->end == b->end && a->cgroup == b->cgroup && a->keys == b->keys;
}

struct profile *profile_create(void)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));

	profile->strings = str_pool_create();
	intern_table_init(&profile->dsos, sizeof(struct profile_dso), dso_equal);
	intern_table_init(&profile->functions, sizeof(struct profile_function), function_equal);
	intern_table_init(&profile->locations, sizeof(struct profile_location), location_equal);
	stack_tree_init(&profile->stacks);
	intern_table_init(&profile->threads, sizeof(struct profile_thread), thread_equal);
	intern_table_init(&profile->events, sizeof(struct profile_event), event_equal);
	intern_table_init(&profile->samples, sizeof(struct profile_sample), sample_equal);
	return profile;
}

void profile_reserve_locations(struct profile *profile, uint32_t count)
{
	intern_table_reserve(&profile->locations, count);
}

void profile_reserve_stacks_like(struct profile *profile, const struct profile *other)
{
	intern_table_reserve(&profile->stacks.nodes, other->stacks.nodes.count);
}

void profile_reserve_samples_like(struct profile *profile, const struct profile *other)
{
	intern_table_reserve(&profile->samples, other->samples.count);
}

void profile_destroy(struct profile *profile)
{
	if (!profile)
		return;
	str_pool_destroy(profile->strings);
	intern_table_fini(&profile->dsos);
	intern_table_fini(&profile->functions);
	intern_table_fini(&profile->locations);
	stack_tree_fini(&profile->stacks);
	intern_table_fini(&profile->threads);
	intern_table_fini(&profile->events);
	intern_table_fini(&profile->samples);
	free(profile);
}

uint32_t profile_string(struct profile *profile, const char *text)
{
	return str_pool_add(profile->strings, text);
}

uint32_t profile_dso(struct profile *profile, const char *name, const char *path, const char *build_id_hex)
{
	struct profile_dso dso = {
		.name = profile_string(profile, name),
		.path = profile_string(profile, path),
		.build_id = profile_string(profile, build_id_hex),
	};
	uint64_t hash = hash_combine(hash_combine(dso.name, dso.path), dso.build_id);

	return intern_table_add(&profile->dsos, hash, &dso);
}

void profile_set_dso_jit(struct profile *profile, uint32_t dso)
{
	((struct profile_dso *)profile->dsos.items)[dso].is_jit = true;
}

static uint32_t add_function(struct profile *profile, const struct profile_function *function)
{
	uint64_t hash = hash_combine((uint64_t)function->name << 32 | function->dso, function->start);

	return intern_table_add(&profile->functions, hash, function);
}

uint32_t profile_function(struct profile *profile, uint32_t dso, const char *name, uint64_t start)
{
	return add_function(profile, &(struct profile_function){ .name = profile_string(profile, name),
								 .dso = dso,
								 .start = start });
}

uint32_t profile_inlined_function(struct profile *profile, uint32_t dso, const char *name, uint64_t start)
{
	return add_function(profile, &(struct profile_function){ .name = profile_string(profile, name),
								 .dso = dso,
								 .start = start,
								 .inlined = true });
}

uint32_t profile_nameless_function(struct profile *profile, uint32_t dso, uint64_t start)
{
	struct profile_function function = { .dso = dso, .start = start, .nameless = true };
	struct strbuf name;

	strbuf_init(&name);
	strbuf_adds(&name, profile_text(profile, profile_dso_at(profile, dso)->name));
	strbuf_adds(&name, "+0x");
	strbuf_add_hex(&name, start, 0);
	function.name = profile_string(profile, name.bytes);
	strbuf_fini(&name);
	return add_function(profile, &function);
}

static uint64_t location_hash(uint32_t dso, uint64_t address, enum frame_mode mode, uint32_t inline_depth)
{
	return hash_combine((uint64_t)dso << 32 | inline_depth << 8 | mode, address);
}

uint64_t profile_location_hash(uint32_t dso, uint64_t address, enum frame_mode mode)
{
	return location_hash(dso, address, mode, 0);
}

void profile_prefetch_location(const struct profile *profile, uint64_t hash)
{
	intern_table_prefetch(&profile->locations, hash);
}

uint32_t profile_inlined_location(struct profile *profile, uint32_t dso, uint64_t address,
				  enum frame_mode mode, uint32_t inline_depth)
{
	struct profile_location location = {
		.dso = dso,
		.address = address,
		.mode = mode,
		.inline_depth = inline_depth,
		.function = PROFILE_NONE,
	};

	return intern_table_add(&profile->locations, location_hash(dso, address, mode, inline_depth),
				&location);
}

uint32_t profile_location(struct profile *profile, uint32_t dso, uint64_t address, enum frame_mode mode)
{
	return profile_inlined_location(profile, dso, address, mode, 0);
}

uint32_t profile_named_location(struct profile *profile, uint32_t dso, const char *name, enum frame_mode mode)
{
	const struct profile_location location = {
		.dso = dso,
		.mode = mode,
		.no_address = true,
		.function = profile_function(profile, dso, name, 0),
	};

	return intern_table_add(&profile->locations,
				hash_combine(location_hash(dso, 0, mode, 0), location.function), &location);
}

uint32_t profile_stack(struct profile *profile, uint32_t parent, uint32_t location, enum frame_origin origin)
{
	return stack_tree_add(&profile->stacks, parent, location, origin);
}

uint32_t profile_stack_path(uint32_t parent_path, uint32_t location, enum frame_origin origin)
{
	return stack_tree_path(stack_tree_hash(parent_path, location, origin));
}

void profile_prefetch_stack(const struct profile *profile, uint32_t path)
{
	intern_table_prefetch(&profile->stacks.nodes, (uint64_t)path << 32);
}

void profile_prefetch_stack_item(const struct profile *profile, uint32_t path)
{
	intern_table_prefetch_item(&profile->stacks.nodes, (uint64_t)path << 32);
}

uint32_t profile_thread(struct profile *profile, uint32_t pid, uint32_t tid, uint32_t comm)
{
	struct profile_thread thread = { .pid = pid, .tid = tid, .comm = comm };
	uint64_t hash = hash_combine((uint64_t)pid << 32 | tid, comm);

	return intern_table_add(&profile->threads, hash, &thread);
}

uint32_t profile_event(struct profile *profile, const char *name, bool frequency, uint64_t period_or_freq)
{
	struct profile_event event = {
		.name = profile_string(profile, name),
		.unit = profile_string(profile, ""),
		.frequency = frequency,
		.period_or_freq = period_or_freq,
	};
	uint64_t hash = hash_combine((uint64_t)event.name << 1 | frequency, period_or_freq);

	return intern_table_add(&profile->events, hash, &event);
}

void profile_set_event_unit(struct profile *profile, uint32_t event, const char *unit)
{
	const uint32_t text = profile_string(profile, unit);

	((struct profile_event *)profile->events.items)[event].unit = text;
}

void profile_set_function(struct profile *profile, uint32_t location, uint32_t function)
{
	((struct profile_location *)profile->locations.items)[location].function = function;
}

void profile_set_line(struct profile *profile, uint32_t location, uint32_t file, uint32_t line)
{
	struct profile_location *at = (struct profile_location *)profile->locations.items + location;

	at->file = file;
	at->line = line;
}

static uint64_t sample_hash(const struct profile_sample *sample)
{
	uint64_t who = (uint64_t)sample->thread << 32 | sample->cpu;
	uint64_t what = (uint64_t)sample->event << 40 ^ (uint64_t)sample->end << 32 ^ sample->stack ^
			(uint64_t)sample->cgroup << 44;

	return hash_combine(who * 0x9e3779b97f4a7c15u, what ^ (uint64_t)sample->keys << 24);
}

void profile_prefetch(const struct profile *profile, const struct profile_sample *sample)
{
	intern_table_prefetch(&profile->samples, sample_hash(sample));
}

void profile_prefetch_sum(const struct profile *profile, const struct profile_sample *sample)
{
	intern_table_prefetch_item(&profile->samples, sample_hash(sample));
}

uint32_t profile_add(struct profile *profile, const struct profile_sample *sample)
{
	struct profile_sample fresh = *sample;
	struct profile_event *event = (struct profile_event *)profile->events.items + sample->event;
	struct profile_sample *sum;
	uint32_t number;

	fresh.count = fresh.weight = 0;
	number = intern_table_add(&profile->samples, sample_hash(sample), &fresh);
	sum = (struct profile_sample *)profile->samples.items + number;
	saturating_add(&sum->count, sample->count);
	saturating_add(&sum->weight, sample->weight);
	saturating_add(&event->samples, sample->count);
	saturating_add(&event->weight, sample->weight);
	if (sample->count)
		event->weight_squares +=
			(double)sample->weight * (double)sample->weight / (double)sample->count;
	return number;
}

void profile_set_weight_squares(struct profile *profile, uint32_t event, double weight_squares)
{
	((struct profile_event *)profile->events.items)[event].weight_squares = weight_squares;
}

void profile_join_events(struct profile *profile, uint32_t into, uint32_t from, const char *name)
{
	struct profile_event *events = profile->events.items;
	struct profile_sample *samples = profile->samples.items;

	for (uint32_t i = 0; i < profile_sample_count(profile); i++)
		if (samples[i].event == from)
			samples[i].event = into;
	saturating_add(&events[into].samples, events[from].samples);
	saturating_add(&events[into].weight, events[from].weight);
	events[into].weight_squares += events[from].weight_squares;
	events[into].name = profile_string(profile, name);
	events[from].samples = events[from].weight = 0;
	events[from].weight_squares = 0;
}

void profile_take_stacks(struct profile *profile, struct profile *other)
{
	intern_table_take(&profile->stacks.nodes, &other->stacks.nodes);
}

void profile_spread_stacks(struct profile *profile, const uint32_t *numbers, size_t count)
{
	stack_tree_spread(&profile->stacks, numbers, count);
}

void profile_set_stack(struct profile *profile, uint32_t stack, uint32_t parent, uint32_t location,
		       enum frame_origin origin)
{
	stack_tree_set(&profile->stacks, stack, parent, location, origin);
}

void profile_take_samples(struct profile *profile, struct profile *other)
{
	intern_table_take(&profile->samples, &other->samples);
	for (size_t i = 0; i < other->events.count; i++) {
		struct profile_event *event = (struct profile_event *)profile->events.items + i;
		const struct profile_event *taken = (const struct profile_event *)other->events.items + i;

		saturating_add(&event->samples, taken->samples);
		saturating_add(&event->weight, taken->weight);
		event->weight_squares += taken->weight_squares;
	}
}

void profile_set_sample(struct profile *profile, uint32_t sample, enum stack_end end, uint32_t cgroup)
{
	struct profile_sample *at = (struct profile_sample *)profile->samples.items + sample;

	at->end = (uint8_t)end;
	at->cgroup = cgroup;
}

void profile_set_sample_stack(struct profile *profile, uint32_t sample, uint32_t stack)
{
	((struct profile_sample *)profile->samples.items + sample)->stack = stack;
}

void profile_finish(struct profile *profile)
{
	intern_table_drop_index(&profile->dsos);
	intern_table_drop_index(&profile->functions);
	intern_table_drop_index(&profile->locations);
	intern_table_drop_index(&profile->stacks.nodes);
	intern_table_drop_index(&profile->threads);
	intern_table_drop_index(&profile->events);
	intern_table_drop_index(&profile->samples);
}

const char *profile_text(const struct profile *profile, uint32_t string)
{
	return str_pool_text(profile->strings, string);
}

uint32_t profile_string_count(const struct profile *profile)
{
	return str_pool_count(profile->strings);
}

uint32_t profile_dso_count(const struct profile *profile)
{
	return (uint32_t)profile->dsos.count;
}

uint32_t profile_function_count(const struct profile *profile)
{
	return (uint32_t)profile->functions.count;
}

uint32_t profile_location_count(const struct profile *profile)
{
	return (uint32_t)profile->locations.count;
}

uint32_t profile_stack_count(const struct profile *profile)
{
	return (uint32_t)profile->stacks.nodes.count;
}

uint32_t profile_thread_count(const struct profile *profile)
{
	return (uint32_t)profile->threads.count;
}

uint32_t profile_event_count(const struct profile *profile)
{
	return (uint32_t)profile->events.count;
}

uint32_t profile_sample_count(const struct profile *profile)
{
	return (uint32_t)profile->samples.count;
}

const struct profile_dso *profile_dso_at(const struct profile *profile, uint32_t number)
{
	return (const struct profile_dso *)profile->dsos.items + number;
}

const struct profile_function *profile_function_at(const struct profile *profile, uint32_t number)
{
	return (const struct profile_function *)profile->functions.items + number;
}

const struct profile_location *profile_location_at(const struct profile *profile, uint32_t number)
{
	return (const struct profile_location *)profile->locations.items + number;
}

const struct profile_stack *profile_stack_at(const struct profile *profile, uint32_t number)
{
	return stack_tree_at(&profile->stacks, number);
}

bool profile_location_is_named(const struct profile *profile, const struct profile_location *location)
{
	return location->function != PROFILE_NONE &&
	       !profile_function_at(profile, location->function)->nameless;
}

uint32_t profile_compiled_stack(const struct profile *profile, uint32_t number)
{
	const struct profile_stack *node;

	for (; number != PROFILE_NONE; number = node->parent) {
		node = profile_stack_at(profile, number);
		if (profile_location_at(profile, node->location)->inline_depth == 0)
			break;
	}
	return number;
}

const struct profile_thread *profile_thread_at(const struct profile *profile, uint32_t number)
{
	return (const struct profile_thread *)profile->threads.items + number;
}

const struct profile_event *profile_event_at(const struct profile *profile, uint32_t number)
{
	return (const struct profile_event *)profile->events.items + number;
}

const struct profile_sample *profile_sample_at(const struct profile *profile, uint32_t number)
{
	return (const struct profile_sample *)profile->samples.items + number;
}
