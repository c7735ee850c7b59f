/*
 * A hash table finds the newest lifetime of an id; the older ones follow in a list that is sorted by start, latest first,
 * and has shortcuts, since a hostile file may give one id to any number of processes.
 * lifetimes_fork() decides the one hard case, whether records that came before a FORK belong to the new lifetime.
 */
#include "process/lifetimes.h"

#include <stdlib.h>

#include "base/xalloc.h"

void lifetimes_fini(struct lifetimes *lifetimes)
{
	free(lifetimes->items);
	free(lifetimes->heads);
	hash_table_fini(&lifetimes->by_id);
	*lifetimes = (struct lifetimes){ 0 };
}

static bool same_id(const void *items, uint32_t item, const void *key)
{
	const struct lifetime_head *heads = items;
	const uint32_t *id = key;

	return heads[item].id == *id;
}

static struct lifetime_head *head_find(const struct lifetimes *lifetimes, uint32_t id)
{
	uint32_t found = hash_table_find(&lifetimes->by_id, hash_u64(id), same_id, lifetimes->heads, &id);

	return found == HASH_TABLE_NONE ? NULL : &lifetimes->heads[found];
}

static struct lifetime_head *head_find_or_add(struct lifetimes *lifetimes, uint32_t id)
{
	struct lifetime_head *head = head_find(lifetimes, id);

	if (head)
		return head;
	lifetimes->heads = array_grow(lifetimes->heads, &lifetimes->head_capacity, lifetimes->head_count + 1,
				      sizeof(*lifetimes->heads));
	hash_table_insert(&lifetimes->by_id, hash_u64(id), (uint32_t)lifetimes->head_count);
	head = &lifetimes->heads[lifetimes->head_count++];
	*head = (struct lifetime_head){ .id = id, .newest = LIFETIME_NONE };
	return head;
}

/* Steps to an older lifetime, and skips others that began after that time. */
static uint32_t step_back(const struct lifetimes *lifetimes, uint32_t number, uint64_t time_ns)
{
	const struct lifetime *lifetime = &lifetimes->items[number];

	return lifetime->shortcut != LIFETIME_NONE &&
			       lifetimes->items[lifetime->shortcut].start_ns > time_ns ?
		       lifetime->shortcut :
		       lifetime->older;
}

uint32_t lifetimes_at(const struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns)
{
	const struct lifetime_head *head = head_find(lifetimes, id);
	uint32_t number;

	if (!head)
		return LIFETIME_NONE;
	number = head->newest;
	while (lifetimes->items[number].start_ns > time_ns && lifetimes->items[number].older != LIFETIME_NONE)
		number = step_back(lifetimes, number, time_ns);
	return number;
}

void lifetimes_narrow_span(const struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns,
			   struct time_span *span)
{
	const struct lifetime_head *head = head_find(lifetimes, id);
	const struct lifetime *newest = head ? &lifetimes->items[head->newest] : NULL;

	if (!newest || newest->older == LIFETIME_NONE)
		return; /* the same lifetime at all times */
	if (newest->start_ns > time_ns)
		*span = (struct time_span){ time_ns, time_ns }; /* no span is known for older ones */
	else if (newest->start_ns > span->from_ns)
		span->from_ns = newest->start_ns;
}

/*
 * A shortcut leads to some older lifetime. It is chosen by the lengths of the next two shortcuts, like the digits of a skew
 * binary number, so that any lifetime is reached in a logarithmic number of steps.
 */
static void add_shortcut(const struct lifetimes *lifetimes, struct lifetime *lifetime)
{
	const struct lifetime *items = lifetimes->items, *older, *next, *after;

	lifetime->shortcut = lifetime->older;
	lifetime->rank = 0;
	if (lifetime->older == LIFETIME_NONE)
		return;
	older = &items[lifetime->older];
	lifetime->rank = older->rank + 1;
	if (older->shortcut == LIFETIME_NONE)
		return;
	next = &items[older->shortcut];
	if (next->shortcut == LIFETIME_NONE)
		return;
	after = &items[next->shortcut];
	if (older->rank - next->rank == next->rank - after->rank)
		lifetime->shortcut = next->shortcut;
}

/* Puts a lifetime into its id's list, which is ordered by start, latest first. */
static uint32_t add(struct lifetimes *lifetimes, struct lifetime lifetime)
{
	struct lifetime_head *head = head_find_or_add(lifetimes, lifetime.id);
	uint32_t number = (uint32_t)lifetimes->count, *link = &head->newest;

	while (*link != LIFETIME_NONE && lifetimes->items[*link].start_ns > lifetime.start_ns)
		link = &lifetimes->items[*link].older;
	lifetime.older = *link;
	add_shortcut(lifetimes, &lifetime);
	*link = number;
	*ARRAY_ADD(lifetimes->items, lifetimes->count, lifetimes->capacity) = lifetime;
	return number;
}

uint32_t lifetimes_at_or_new(struct lifetimes *lifetimes, uint32_t id, uint64_t time_ns)
{
	uint32_t found = lifetimes_at(lifetimes, id, time_ns);

	if (found != LIFETIME_NONE)
		return found;
	return add(lifetimes, (struct lifetime){ .id = id, .parent = LIFETIME_NONE });
}

uint32_t lifetimes_fork(struct lifetimes *lifetimes, uint32_t id, uint32_t parent, uint64_t time_ns,
			uint64_t first_ns, uint32_t *split_from)
{
	uint32_t found = lifetimes_at(lifetimes, id, time_ns);
	struct lifetime *item = found == LIFETIME_NONE ? NULL : &lifetimes->items[found];

	*split_from = LIFETIME_NONE;
	if (item && item->forked && item->start_ns == time_ns)
		return found; /* the same FORK twice: synthesized and recorded */
	if (item && !item->forked && first_ns >= time_ns) {
		item->forked = true;
		item->parent = parent == found ? LIFETIME_NONE : parent;
		item->start_ns = time_ns;
		return found;
	}
	if (item && item->start_ns <= time_ns)
		*split_from = found;
	return add(lifetimes,
		   (struct lifetime){ .id = id, .parent = parent, .start_ns = time_ns, .forked = true });
}

bool lifetimes_is_newest(const struct lifetimes *lifetimes, uint32_t number)
{
	return head_find(lifetimes, lifetimes->items[number].id)->newest == number;
}

void lifetimes_keep(struct lifetimes *lifetimes, const bool *kept)
{
	struct lifetimes old = *lifetimes;

	*lifetimes = (struct lifetimes){ 0 };
	for (size_t i = 0; i < old.count; i++) {
		struct lifetime lifetime = old.items[i];

		lifetime.parent = LIFETIME_NONE;
		if (kept[i])
			add(lifetimes, lifetime);
	}
	lifetimes_fini(&old);
}
