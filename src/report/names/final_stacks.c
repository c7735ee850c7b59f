/*
 * One pass over the nodes, callers first: each node gets its final location and a beginning, which follows from its
 * caller's. Copying works in batches: it computes hashes of paths before any node is looked up, so that memory can be
 * prefetched.
 */
#include "report/names/final_stacks.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* `node` is the final node of raw node `number`. Beginnings of its callers are set. */
static void set_beginning(struct final_stacks *stacks, uint32_t number, uint32_t raw_parent,
			  const struct profile *profile, uint32_t node)
{
	const uint8_t caller = raw_parent == PROFILE_NONE ? (uint8_t)STACK_BEGINNING_UNKNOWN :
							    stacks->beginnings[raw_parent];

	stacks->beginnings[number] =
		(uint8_t)stack_beginning_below(profile, (enum stack_beginning)caller, node);
}

/*
 * A raw node becomes one or more nodes; returns the location of node `number`, from 0. Inlined functions are above the function
 * they were compiled into, but below it in a waker's stack, which is upside down.
 */
static uint32_t nth_location(const struct final_place *place, enum frame_origin origin, uint32_t number)
{
	const uint32_t depth = frame_origin_is_waker(origin) ? place->inlined_count - number : number;

	return depth ? place->inlined[depth - 1] : place->location;
}

/* --- moving ------------------------------------------------------------------ */

/* Numbers the nodes, and leaves room for inlined functions before each. */
static void make_room(struct final_stacks *stacks, const struct final_locations *locations,
		      struct profile *profile)
{
	const uint32_t count = profile_stack_count(profile);
	uint32_t next = 0;

	stacks->nodes = xmalloc(((size_t)count + 1) * sizeof(*stacks->nodes));
	for (uint32_t i = 0; i < count; i++) {
		next += final_locations_place(locations, profile_stack_at(profile, i)).inlined_count;
		stacks->nodes[i] = next++;
	}
	profile_spread_stacks(profile, stacks->nodes, next);
}

/* Sets the nodes that a raw node becomes. The tree still has the raw node in place of the last one. */
static void set_nodes(struct final_stacks *stacks, uint32_t number, const struct final_locations *locations,
		      struct profile *profile)
{
	const uint32_t first = number ? final_stacks_number(stacks, number - 1) + 1 : 0;
	const struct profile_stack raw = *profile_stack_at(profile, final_stacks_number(stacks, number));
	const struct final_place place = final_locations_place(locations, &raw);
	const enum frame_origin origin = (enum frame_origin)raw.origin;
	uint32_t caller = raw.parent == PROFILE_NONE ? PROFILE_NONE : final_stacks_number(stacks, raw.parent);

	for (uint32_t i = 0; i <= place.inlined_count; i++) {
		profile_set_stack(profile, first + i, caller, nth_location(&place, origin, i), origin);
		caller = first + i;
	}
	set_beginning(stacks, number, raw.parent, profile, first);
}

static void move_stacks(struct final_stacks *stacks, struct raw_profile *raw,
			const struct final_locations *locations, struct profile *profile)
{
	const uint32_t count = raw_profile_stack_count(raw);

	raw_profile_give_stacks(raw, profile);
	if (locations->inlined_count)
		make_room(stacks, locations, profile);
	for (uint32_t i = 0; i < count; i++)
		set_nodes(stacks, i, locations, profile);
}

/* --- copying ----------------------------------------------------------------- */

/* State while nodes are copied from the raw profile to the final one. */
struct copying {
	struct final_stacks *stacks;
	const struct raw_profile *raw;
	const struct final_locations *locations;
	struct profile *profile;
	uint32_t *paths; /* of the final nodes, by raw number: see profile_stack_path() */
};

/* Computes the paths of a batch, which tell where its nodes will be looked up, and prefetches that memory. */
static void place_batch(const struct copying *copying, uint32_t first, uint32_t count,
			struct final_place *places)
{
	uint32_t own_paths[PROFILE_BATCH]; /* of the nodes of the locations themselves, without inlined ones */

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_stack *raw = raw_profile_stack_at(copying->raw, first + i);
		const enum frame_origin origin = (enum frame_origin)raw->origin;
		uint32_t path = raw->parent == PROFILE_NONE ? STACK_PATH_ROOT : copying->paths[raw->parent];

		places[i] = final_locations_place(copying->locations, raw);
		path = profile_stack_path(path, nth_location(&places[i], origin, 0), origin);
		profile_prefetch_stack(copying->profile, path);
		own_paths[i] = path;
		for (uint32_t k = 1; k <= places[i].inlined_count; k++)
			path = profile_stack_path(path, nth_location(&places[i], origin, k), origin);
		copying->paths[first + i] = path;
	}
	for (uint32_t i = 0; i < count; i++)
		profile_prefetch_stack_item(copying->profile, own_paths[i]);
}

static void copy_node(const struct copying *copying, uint32_t number, const struct final_place *place)
{
	const struct profile_stack *raw = raw_profile_stack_at(copying->raw, number);
	const enum frame_origin origin = (enum frame_origin)raw->origin;
	const uint32_t caller =
		raw->parent == PROFILE_NONE ? PROFILE_NONE : copying->stacks->nodes[raw->parent];
	uint32_t node = profile_stack(copying->profile, caller, nth_location(place, origin, 0), origin);

	set_beginning(copying->stacks, number, raw->parent, copying->profile, node);
	for (uint32_t i = 1; i <= place->inlined_count; i++)
		node = profile_stack(copying->profile, node, nth_location(place, origin, i), origin);
	copying->stacks->nodes[number] = node;
}

static void copy_stacks(struct final_stacks *stacks, const struct raw_profile *raw,
			const struct final_locations *locations, struct profile *profile)
{
	const uint32_t count = raw_profile_stack_count(raw);
	struct copying copying = { stacks, raw, locations, profile,
				   xmalloc(((size_t)count + 1) * sizeof(*copying.paths)) };
	struct final_place places[PROFILE_BATCH];

	stacks->nodes = xmalloc(((size_t)count + 1) * sizeof(*stacks->nodes));
	raw_profile_reserve_stacks(raw, profile);
	for (uint32_t first = 0, batch; first < count; first += batch) {
		batch = count - first < PROFILE_BATCH ? count - first : PROFILE_BATCH;
		place_batch(&copying, first, batch, places);
		for (uint32_t i = 0; i < batch; i++)
			copy_node(&copying, first + i, &places[i]);
	}
	free(copying.paths);
}

void final_stacks_make(struct final_stacks *stacks, struct raw_profile *raw,
		       const struct final_locations *locations, struct profile *profile)
{
	*stacks = (struct final_stacks){ .beginnings = xmalloc((size_t)raw_profile_stack_count(raw) + 1),
					 .merged = locations->merged };
	if (locations->merged)
		copy_stacks(stacks, raw, locations, profile);
	else
		move_stacks(stacks, raw, locations, profile);
}

void final_stacks_fini(struct final_stacks *stacks)
{
	free(stacks->nodes);
	free(stacks->beginnings);
}
