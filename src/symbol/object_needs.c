/*
 * Addresses are collected in arrays, which are sorted and freed of duplicates each time they have doubled, so memory
 * depends on the number of distinct lookups. Each distinct name and source answer is stored once and found by a hash table.
 */
#include "symbol/object_needs.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/xalloc.h"

struct object_needs {
	struct arena arena;
	struct object_need **items;
	size_t count, capacity;
	struct hash_table by_object;
};

struct object_needs *object_needs_create(void)
{
	return xcalloc(1, sizeof(struct object_needs));
}

void object_needs_destroy(struct object_needs *needs)
{
	if (!needs)
		return;
	for (size_t i = 0; i < needs->count; i++) {
		for (size_t kind = 0; kind < OBJECT_NEED_KINDS; kind++)
			free(needs->items[i]->sets[kind].items);
		free(needs->items[i]->names);
		hash_table_fini(&needs->items[i]->by_name);
		hash_table_fini(&needs->items[i]->by_address);
		source_answers_fini(&needs->items[i]->answers);
		free(needs->items[i]);
	}
	free(needs->items);
	hash_table_fini(&needs->by_object);
	arena_fini(&needs->arena);
	free(needs);
}

static bool is_object(const void *items, uint32_t item, const void *key)
{
	return symbol_object_equal(&((struct object_need *const *)items)[item]->object, key);
}

static const char *copy_text(struct object_needs *needs, const char *text)
{
	return text ? arena_strdup(&needs->arena, text) : NULL;
}

struct object_need *object_needs_of(struct object_needs *needs, const struct symbol_object *object)
{
	const uint64_t hash = symbol_object_hash(object);
	uint32_t number = hash_table_find(&needs->by_object, hash, is_object, needs->items, object);
	struct object_need *need;

	if (number != HASH_TABLE_NONE)
		return needs->items[number];
	need = xcalloc(1, sizeof(*need));
	need->object = *object;
	need->object.path = copy_text(needs, object->path ? object->path : "");
	need->object.relocation_symbol = copy_text(needs, object->relocation_symbol);
	source_answers_init(&need->answers);
	hash_table_insert(&needs->by_object, hash, (uint32_t)needs->count);
	*ARRAY_ADD(needs->items, needs->count, needs->capacity) = need;
	return need;
}

static int compare(const void *one, const void *other)
{
	const uint64_t *a = one, *b = other;

	return *a < *b ? -1 : *a > *b;
}

static void sort(struct object_need_set *set)
{
	size_t kept = 0;

	if (set->sorted == set->count)
		return;
	qsort(set->items, set->count, sizeof(*set->items), compare);
	for (size_t i = 0; i < set->count; i++)
		if (i == 0 || set->items[i] != set->items[i - 1])
			set->items[kept++] = set->items[i];
	set->count = set->sorted = kept;
}

/* Sorts the set and removes duplicates whenever it has doubled, so memory depends on distinct values, not on lookups. */
void object_need_add(struct object_need *need, enum object_need_kind kind, uint64_t value)
{
	enum { UNSORTED_MINIMUM = 1024 };
	struct object_need_set *set = &need->sets[kind];

	if (set->count && set->items[set->count - 1] == value)
		return;
	if (set->count >= 2 * set->sorted + UNSORTED_MINIMUM)
		sort(set);
	*ARRAY_ADD(set->items, set->count, set->capacity) = value;
}

static bool is_name(const void *items, uint32_t item, const void *key)
{
	const struct object_name *a = &((const struct object_name *)items)[item], *b = key;

	return a->start == b->start && a->size == b->size && a->sequence == b->sequence;
}

void object_need_add_name(struct object_needs *needs, struct object_need *need,
			  const struct object_name *name)
{
	const uint64_t hash = hash_combine(hash_u64(name->start), name->sequence);

	if (hash_table_find(&need->by_name, hash, is_name, need->names, name) != HASH_TABLE_NONE)
		return;
	need->names =
		array_grow(need->names, &need->name_capacity, need->name_count + 1, sizeof(*need->names));
	need->names[need->name_count] = *name;
	need->names[need->name_count].name = arena_strdup(&needs->arena, name->name);
	hash_table_insert(&need->by_name, hash, (uint32_t)need->name_count++);
}

static int compare_starts(const void *one, const void *other)
{
	const struct object_name *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

static int compare_sequences(const void *one, const void *other)
{
	const struct object_name *a = one, *b = other;

	if (a->sequence != b->sequence)
		return a->sequence < b->sequence ? -1 : 1;
	return compare_starts(one, other);
}

void object_need_sort_names(struct object_need *need)
{
	if (need->name_count)
		qsort(need->names, need->name_count, sizeof(*need->names),
		      need->object.kind == DSO_ANON ? compare_sequences : compare_starts);
	hash_table_clear(&need->by_name);
	for (size_t i = 0; i < need->name_count; i++)
		hash_table_insert(&need->by_name,
				  hash_combine(hash_u64(need->names[i].start), need->names[i].sequence),
				  (uint32_t)i);
}

static bool is_address(const void *items, uint32_t item, const void *key)
{
	return ((const struct source_place *)items)[item].vaddr == *(const uint64_t *)key;
}

void object_need_add_source(struct object_need *need, uint64_t address, const struct source_frame *frames,
			    size_t count)
{
	struct unit_frame kept[INLINE_MAX_DEPTH];
	struct source_answers *answers = &need->answers;

	if (count > INLINE_MAX_DEPTH || hash_table_find(&need->by_address, hash_u64(address), is_address,
							answers->places, &address) != HASH_TABLE_NONE)
		return;
	for (size_t i = 0; i < count; i++)
		kept[i] = (struct unit_frame){
			str_pool_add(answers->texts, frames[i].function ? frames[i].function : ""),
			str_pool_add(answers->texts, frames[i].file ? frames[i].file : ""), frames[i].line
		};
	hash_table_insert(&need->by_address, hash_u64(address), (uint32_t)answers->place_count);
	source_answers_add(answers, address, kept, count);
}

void object_need_set_origin(struct object_needs *needs, struct object_need *need,
			    const struct object_origin *origin)
{
	need->form = origin->form;
	need->opened = copy_text(needs, origin->opened);
	need->source = copy_text(needs, origin->source);
	need->why = copy_text(needs, origin->why);
	need->full = origin->full;
}

size_t object_needs_count(const struct object_needs *needs)
{
	return needs->count;
}

struct object_need *object_needs_at(const struct object_needs *needs, size_t number)
{
	return needs->items[number];
}

const uint64_t *object_need_sorted(struct object_need *need, enum object_need_kind kind, size_t *count)
{
	sort(&need->sets[kind]);
	*count = need->sets[kind].count;
	return need->sets[kind].items;
}
