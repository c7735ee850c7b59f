/*
 * First every location, and every guess, is interned as a frame. Then sort_frames() puts the frames into their final order
 * with two stable radix sorts, by address and by rank of the DSO's name, and compares names only where both are equal. Last,
 * all numbers are translated.
 */
#include "profile/frame_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

static bool frame_equal(const void *items, uint32_t item, const void *key)
{
	const struct frame *a = (const struct frame *)items + item, *b = key;

	return a->address == b->address && a->name == b->name && a->dso_name == b->dso_name &&
	       a->inlined == b->inlined && a->guessed == b->guessed && a->no_address == b->no_address;
}

static uint64_t frame_hash(const struct frame *frame)
{
	return hash_combine((uint64_t)frame->dso_name << 32 | frame->name, frame->address + frame->guessed);
}

static struct frame frame_at_location(const struct profile *profile, uint32_t number)
{
	const struct profile_location *location = profile_location_at(profile, number);
	struct frame frame = {
		.name = PROFILE_NONE,
		.dso_name = PROFILE_NONE,
		.dso = location->dso,
		.address = location->address,
		.mode = location->mode,
		.no_address = location->no_address,
	};

	if (location->function != PROFILE_NONE) {
		const struct profile_function *function = profile_function_at(profile, location->function);

		frame.name = function->name;
		frame.address = function->start;
		frame.dso = function->dso;
		frame.inlined = function->inlined;
		frame.nameless = function->nameless;
	}
	if (frame.dso != PROFILE_NONE) {
		frame.dso_name = profile_dso_at(profile, frame.dso)->name;
		frame.jit = profile_dso_at(profile, frame.dso)->is_jit;
	}
	return frame;
}

/* Addresses without a mapping come last. */
static int compare_texts(const struct profile *profile, uint32_t a, uint32_t b)
{
	if (a == b)
		return 0;
	if (a == PROFILE_NONE || b == PROFILE_NONE)
		return a == PROFILE_NONE ? 1 : -1;
	return strcmp(profile_text(profile, a), profile_text(profile, b));
}

struct frame_order {
	const struct profile *profile;
	const struct frame *frames;
};

static int compare_dsos(const void *one, const void *other, void *context)
{
	const struct profile *profile = ((const struct frame_order *)context)->profile;

	return compare_texts(profile, profile_dso_at(profile, *(const uint32_t *)one)->name,
			     profile_dso_at(profile, *(const uint32_t *)other)->name);
}

/* For each DSO the rank of its name among all names; DSOs with the same name have the same rank. */
static uint32_t *rank_dsos(struct frame_order *context)
{
	const uint32_t count = profile_dso_count(context->profile);
	uint32_t *order = xmalloc(((size_t)count + 1) * sizeof(*order));
	uint32_t *ranks = xmalloc(((size_t)count + 1) * sizeof(*ranks));
	uint32_t i;

	for (i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), compare_dsos, context);
	for (i = 0; i < count; i++) {
		const bool same_name = i && !compare_dsos(&order[i - 1], &order[i], context);

		ranks[order[i]] = same_name ? ranks[order[i - 1]] : i;
	}
	free(order);
	return ranks;
}

/* Compares frames at the same address of a DSO. */
static int compare_frames(const void *one, const void *other, void *context)
{
	const struct frame_order *order = context;
	const struct frame *a = &order->frames[((const struct radix_item *)one)->number];
	const struct frame *b = &order->frames[((const struct radix_item *)other)->number];
	int difference = compare_texts(order->profile, a->name, b->name);

	if (!difference)
		difference = (int)a->inlined - (int)b->inlined;
	return difference ? difference : (int)a->guessed - (int)b->guessed;
}

static bool same_place(const struct frame *a, const struct frame *b)
{
	return a->dso_name == b->dso_name && a->address == b->address;
}

/* Sorts by the DSO's name, with unmapped addresses last, then by address, then with compare_frames(). */
static void sort_frames(const struct profile *profile, const struct frame *frames, struct radix_item *items,
			uint32_t count)
{
	struct frame_order order = { profile, frames };
	uint32_t *ranks = rank_dsos(&order), i, end;

	for (i = 0; i < count; i++)
		items[i] = (struct radix_item){ frames[i].address, i };
	radix_sort(items, count);
	for (i = 0; i < count; i++) {
		const uint32_t dso = frames[items[i].number].dso;

		items[i].key = dso == PROFILE_NONE ? UINT32_MAX : ranks[dso];
	}
	radix_sort(items, count);
	for (i = 0; i < count; i = end) {
		end = i + 1;
		while (end < count && same_place(&frames[items[i].number], &frames[items[end].number]))
			end++;
		if (end - i > 1)
			qsort_r(&items[i], end - i, sizeof(*items), compare_frames, &order);
	}
	free(ranks);
}

static void renumber(uint32_t *by_location, uint32_t locations, const uint32_t *numbers)
{
	for (uint32_t i = 0; by_location && i < locations; i++)
		if (by_location[i] != PROFILE_NONE)
			by_location[i] = numbers[by_location[i]];
}

/* Puts the found frames into their final order, and translates the locations' numbers. */
static void number_frames(struct frame_table *table, const struct profile *profile,
			  const struct intern_table *found)
{
	struct radix_item *order = xmalloc((found->count + 1) * sizeof(*order));
	uint32_t *numbers = xmalloc((found->count + 1) * sizeof(*numbers));
	const struct frame *frames = found->items;
	uint32_t i;

	table->count = (uint32_t)found->count;
	table->frames = xmalloc((found->count + 1) * sizeof(*table->frames));
	sort_frames(profile, frames, order, table->count);
	for (i = 0; i < table->count; i++) {
		table->frames[i] = frames[order[i].number];
		numbers[order[i].number] = i;
	}
	renumber(table->by_location, profile_location_count(profile), numbers);
	renumber(table->guessed_by_location, profile_location_count(profile), numbers);
	free(order);
	free(numbers);
}

static void add_guessed(struct frame_table *table, const struct profile *profile, struct intern_table *found)
{
	uint32_t locations = profile_location_count(profile);

	table->guessed_by_location = NULL;
	for (uint32_t i = 0; i < profile_stack_count(profile); i++) {
		const struct profile_stack *node = profile_stack_at(profile, i);
		struct frame frame;

		if (node->origin != FRAME_GUESSED)
			continue;
		if (!table->guessed_by_location) {
			table->guessed_by_location = xmalloc(locations * sizeof(uint32_t));
			memset(table->guessed_by_location, 0xff, locations * sizeof(uint32_t));
		}
		frame = frame_at_location(profile, node->location);
		frame.guessed = true;
		table->guessed_by_location[node->location] =
			intern_table_add(found, frame_hash(&frame), &frame);
	}
}

static uint32_t add_location(const struct profile *profile, uint32_t location, struct intern_table *found)
{
	struct frame frame = frame_at_location(profile, location);

	return intern_table_add(found, frame_hash(&frame), &frame);
}

/* Searches for a function's frame once, not for each of its locations. */
static void add_found(struct frame_table *table, const struct profile *profile, struct intern_table *found)
{
	const uint32_t locations = profile_location_count(profile);
	uint32_t *of_function = xcalloc((size_t)profile_function_count(profile) + 1, sizeof(*of_function));

	table->by_location = xmalloc(((size_t)locations + 1) * sizeof(*table->by_location));
	for (uint32_t i = 0; i < locations; i++) {
		const uint32_t function = profile_location_at(profile, i)->function;

		if (function == PROFILE_NONE) {
			table->by_location[i] = add_location(profile, i, found);
			continue;
		}
		if (!of_function[function]) /* otherwise the frame's number plus one */
			of_function[function] = 1 + add_location(profile, i, found);
		table->by_location[i] = of_function[function] - 1;
	}
	free(of_function);
}

void frame_table_init(struct frame_table *table, const struct profile *profile)
{
	struct intern_table found;

	intern_table_init(&found, sizeof(struct frame), frame_equal);
	add_found(table, profile, &found);
	add_guessed(table, profile, &found);
	intern_table_drop_index(&found);
	number_frames(table, profile, &found);
	intern_table_fini(&found);
}

void frame_table_fini(struct frame_table *table)
{
	free(table->frames);
	free(table->by_location);
	free(table->guessed_by_location);
	*table = (struct frame_table){ 0 };
}
