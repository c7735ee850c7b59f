#include "report/dso_modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "symbol/recorded_file.h"

struct dso_module { /* of one DSO */
	bool opened;
	struct module *module; /* owned by the first DSO with that build-id */
	bool owned;
	struct error why;
};

struct dso_modules {
	const struct debug_file_search *search;
	struct dso_module **items; /* by number of DSO; NULL: not asked for yet */
	size_t capacity;
	struct hash_table by_build_id; /* numbers of DSOs that own a module */
	const struct dso **owners;     /* by number of DSO */
	size_t owner_capacity;
	uint32_t next_number;
};

struct dso_modules *dso_modules_create(const struct debug_file_search *search)
{
	struct dso_modules *modules = xcalloc(1, sizeof(*modules));

	modules->search = search;
	hash_table_init(&modules->by_build_id);
	return modules;
}

void dso_modules_destroy(struct dso_modules *modules)
{
	if (!modules)
		return;
	for (size_t i = 0; i < modules->capacity; i++) {
		if (modules->items[i] && modules->items[i]->owned)
			module_destroy(modules->items[i]->module);
		free(modules->items[i]);
	}
	free(modules->items);
	free(modules->owners);
	hash_table_fini(&modules->by_build_id);
	free(modules);
}

static struct dso_module *item_of(struct dso_modules *modules, uint32_t number)
{
	size_t old = modules->capacity;

	if (number >= old) {
		modules->items = array_grow(modules->items, &modules->capacity, (size_t)number + 1,
					    sizeof(*modules->items));
		memset(modules->items + old, 0, (modules->capacity - old) * sizeof(*modules->items));
	}
	if (!modules->items[number])
		modules->items[number] = xcalloc(1, sizeof(**modules->items));
	return modules->items[number];
}

static bool has_build_id(const void *owners, uint32_t number, const void *key)
{
	const struct build_id *build_id = key;
	const struct dso *owner = ((const struct dso *const *)owners)[number];

	return owner->build_id.size == build_id->size &&
	       memcmp(owner->build_id.bytes, build_id->bytes, build_id->size) == 0;
}

static void add_owner(struct dso_modules *modules, const struct dso *dso, uint64_t hash)
{
	modules->owners = array_grow(modules->owners, &modules->owner_capacity, (size_t)dso->number + 1,
				     sizeof(*modules->owners));
	modules->owners[dso->number] = dso;
	hash_table_insert(&modules->by_build_id, hash, dso->number);
}

/* A module takes the file over. */
static struct module *open_module(struct dso_modules *modules, const struct dso *dso, struct error *why)
{
	const struct recorded_file recorded = { .path = dso->path,
						.build_id = dso->build_id,
						.is_vdso = dso->kind == DSO_VDSO };
	struct elf_file *file;

	if (modules->next_number > MODULE_MAX_NUMBER) {
		error_set(why, "more than %d files with unwind information", MODULE_MAX_NUMBER);
		return NULL;
	}
	file = recorded_file_open(&recorded, modules->search, why);
	return file ? module_create(modules->next_number++, file, modules->search, why) : NULL;
}

static void find_or_open(struct dso_modules *modules, const struct dso *dso, struct dso_module *item)
{
	const struct build_id *build_id = &dso->build_id;
	uint64_t hash = hash_bytes(build_id->bytes, build_id->size);
	uint32_t owner = HASH_TABLE_NONE;

	if (build_id->size)
		owner = hash_table_find(&modules->by_build_id, hash, has_build_id, modules->owners, build_id);
	if (owner != HASH_TABLE_NONE) {
		item->module = modules->items[owner]->module;
		return;
	}
	item->module = open_module(modules, dso, &item->why);
	item->owned = item->module != NULL;
	if (item->owned && build_id->size)
		add_owner(modules, dso, hash);
}

struct module *dso_modules_get(struct dso_modules *modules, const struct dso *dso)
{
	struct dso_module *item;

	if (dso->kind != DSO_FILE && dso->kind != DSO_VDSO)
		return NULL;
	item = item_of(modules, dso->number);
	if (!item->opened) {
		item->opened = true;
		find_or_open(modules, dso, item);
	}
	return item->module;
}

const char *dso_modules_problem(const struct dso_modules *modules, const struct dso *dso)
{
	const struct dso_module *item = dso->number < modules->capacity ? modules->items[dso->number] : NULL;

	return item && !item->module ? item->why.message : "";
}
