#include "profile/frame_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "profile/intern_table.h"

static bool frame_equal(const void *items, uint32_t item, const void *key)
{
	const struct frame *a = (const struct frame *)items + item, *b = key;

	return a->address == b->address && a->name == b->name && a->dso_name == b->dso_name &&
	       a->inlined == b->inlined && a->guessed == b->guessed;
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
	};

	if (location->function != PROFILE_NONE) {
		const struct profile_function *function = profile_function_at(profile, location->function);

		frame.name = function->name;
		frame.address = function->start;
		frame.dso = function->dso;
		frame.inlined = function->inlined;
	}
	if (frame.dso != PROFILE_NONE)
		frame.dso_name = profile_dso_at(profile, frame.dso)->name;
	return frame;
}

struct order_context {
	const struct profile *profile;
	const struct frame *frames;
};

/* What was mapped nowhere comes last. */
static int compare_texts(const struct profile *profile, uint32_t a, uint32_t b)
{
	if (a == b)
		return 0;
	if (a == PROFILE_NONE || b == PROFILE_NONE)
		return a == PROFILE_NONE ? 1 : -1;
	return strcmp(profile_text(profile, a), profile_text(profile, b));
}

static int compare_frames(const void *one, const void *other, void *context)
{
	const struct order_context *order = context;
	const struct frame *a = &order->frames[*(const uint32_t *)one];
	const struct frame *b = &order->frames[*(const uint32_t *)other];
	int difference = compare_texts(order->profile, a->dso_name, b->dso_name);

	if (difference)
		return difference;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	difference = compare_texts(order->profile, a->name, b->name);
	if (!difference)
		difference = (int)a->inlined - (int)b->inlined;
	return difference ? difference : (int)a->guessed - (int)b->guessed;
}

static void renumber(uint32_t *by_location, uint32_t locations, const uint32_t *numbers)
{
	for (uint32_t i = 0; by_location && i < locations; i++)
		if (by_location[i] != PROFILE_NONE)
			by_location[i] = numbers[by_location[i]];
}

/* Puts the frames that were found into their final order, and the locations' numbers with them. */
static void number_frames(struct frame_table *table, const struct profile *profile,
			  const struct intern_table *found)
{
	struct order_context context = { .profile = profile, .frames = found->items };
	uint32_t *order = xmalloc((found->count + 1) * sizeof(*order));
	uint32_t *numbers = xmalloc((found->count + 1) * sizeof(*numbers));
	uint32_t i;

	table->count = (uint32_t)found->count;
	table->frames = xmalloc((found->count + 1) * sizeof(*table->frames));
	for (i = 0; i < table->count; i++)
		order[i] = i;
	qsort_r(order, table->count, sizeof(*order), compare_frames, &context);
	for (i = 0; i < table->count; i++) {
		table->frames[i] = context.frames[order[i]];
		numbers[order[i]] = i;
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

void frame_table_init(struct frame_table *table, const struct profile *profile)
{
	uint32_t locations = profile_location_count(profile), i;
	struct intern_table found;

	intern_table_init(&found, sizeof(struct frame), frame_equal);
	table->by_location = xmalloc(((size_t)locations + 1) * sizeof(*table->by_location));
	for (i = 0; i < locations; i++) {
		struct frame frame = frame_at_location(profile, i);

		table->by_location[i] = intern_table_add(&found, frame_hash(&frame), &frame);
	}
	add_guessed(table, profile, &found);
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
