/*
 * One map for each file, filled while the recording is read and sealed at the first lookup. Names are copied into one
 * arena.
 */
#include "symbol/symbol_lists.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/xalloc.h"

struct symbol_list {
	const char *path;
	struct symbol_list_file file;
	struct symbol_map *map;
	size_t symbol_count;
	bool sealed;
};

struct symbol_lists {
	struct arena arena;
	struct symbol_list **items;
	size_t count, capacity;
	struct hash_table by_path;
	struct symbol_list *current; /* the list that symbols are added to; NULL: they are ignored */
};

struct symbol_lists *symbol_lists_create(void)
{
	return xcalloc(1, sizeof(struct symbol_lists));
}

void symbol_lists_destroy(struct symbol_lists *lists)
{
	if (!lists)
		return;
	for (size_t i = 0; i < lists->count; i++) {
		symbol_map_destroy(lists->items[i]->map);
		free(lists->items[i]);
	}
	free(lists->items);
	hash_table_fini(&lists->by_path);
	arena_fini(&lists->arena);
	free(lists);
}

static bool has_path(const void *items, uint32_t item, const void *key)
{
	return strcmp(((struct symbol_list *const *)items)[item]->path, key) == 0;
}

static struct symbol_list *find(struct symbol_lists *lists, const char *path)
{
	uint32_t number = hash_table_find(&lists->by_path, hash_bytes(path, strlen(path)), has_path,
					  lists->items, path);

	return number == HASH_TABLE_NONE ? NULL : lists->items[number];
}

static const char *copy(struct symbol_lists *lists, const char *text, size_t size)
{
	char *kept = arena_alloc(&lists->arena, size + 1);

	memcpy(kept, text, size);
	kept[size] = '\0';
	return kept;
}

void symbol_lists_add_file(struct symbol_lists *lists, const struct symbol_list_file *file)
{
	const char *path = copy(lists, file->path, file->path_size);

	lists->current = NULL;
	if (find(lists, path))
		return;
	lists->current = xcalloc(1, sizeof(*lists->current));
	lists->current->path = path;
	lists->current->file = *file;
	lists->current->map = symbol_map_create();
	hash_table_insert(&lists->by_path, hash_bytes(path, strlen(path)), (uint32_t)lists->count);
	*ARRAY_ADD(lists->items, lists->count, lists->capacity) = lists->current;
}

void symbol_lists_add_symbol(struct symbol_lists *lists, const char *name, size_t name_size, uint64_t vaddr,
			     uint64_t size_bytes)
{
	if (!lists->current || name_size == 0)
		return;
	symbol_map_add(lists->current->map, vaddr, size_bytes, copy(lists, name, name_size), STB_GLOBAL, 0,
		       0);
	lists->current->symbol_count++;
}

struct symbol_list *symbol_lists_find(struct symbol_lists *lists, const char *path)
{
	struct symbol_list *list = find(lists, path);

	return list && list->symbol_count > 0 ? list : NULL;
}

struct symbol_map *symbol_list_map(struct symbol_list *list, symbol_map_demangle *demangle, void *context)
{
	if (!list->sealed)
		symbol_map_seal(list->map, SYMBOL_MAP_INNERMOST_FUNCTION, demangle, context);
	list->sealed = true;
	return list->map;
}

uint64_t symbol_list_relocation(const struct symbol_list *list, uint64_t code_start)
{
	const struct symbol_list_file *file = &list->file;

	switch (file->kind) {
	case SYMBOL_LIST_ELF: return (file->has_place ? file->place : code_start) - file->min_vaddr;
	case SYMBOL_LIST_MODULE: return code_start + (file->has_place ? file->place : 0) - file->min_vaddr;
	case SYMBOL_LIST_PLAIN: break;
	}
	return 0;
}
