/*
 * Modules are kept by number of DSO; by_build_id finds the module that another DSO with the same build-id has opened.
 * One mutex is held while a file is looked up and opened, so that several threads open it once. A piece of JIT code has
 * a module of its own.
 */
#include "unwind/process/dso_modules.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "elf/build_id.h"

struct dso_module { /* one per DSO */
	/* has the module: this DSO, or one with the same build-id; NULL: none yet */
	const struct dso_module *owner;
	struct module *module;    /* set if this DSO is its own owner */
	struct build_id build_id; /* as of opening the file */
	unsigned int attempts;
};

struct jit_module {
	const void *key;
	struct module *module;
};

struct dso_modules {
	struct module_source source;
	pthread_mutex_t lock;      /* guards the members below during look-ups */
	struct dso_module **items; /* by DSO number; NULL: not looked up yet */
	size_t capacity;
	struct hash_table by_build_id; /* DSO numbers of module owners */
	uint32_t next_number;
	struct jit_module *jit_items; /* JIT code that was looked up */
	size_t jit_count, jit_capacity;
	struct hash_table by_jit_key;
};

struct dso_modules *dso_modules_create(const struct module_source *source)
{
	struct dso_modules *modules = xcalloc(1, sizeof(*modules));

	modules->source = *source;
	pthread_mutex_init(&modules->lock, NULL);
	return modules;
}

void dso_modules_destroy(struct dso_modules *modules)
{
	if (!modules)
		return;
	for (size_t i = 0; i < modules->capacity; i++) {
		if (modules->items[i])
			module_destroy(modules->items[i]->module);
		free(modules->items[i]);
	}
	for (size_t i = 0; i < modules->jit_count; i++)
		module_destroy(modules->jit_items[i].module);
	free(modules->jit_items);
	hash_table_fini(&modules->by_jit_key);
	free(modules->items);
	hash_table_fini(&modules->by_build_id);
	pthread_mutex_destroy(&modules->lock);
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

static bool has_build_id(const void *items, uint32_t number, const void *key)
{
	return build_id_equal(&((struct dso_module *const *)items)[number]->build_id, key);
}

static void open_module(struct dso_modules *modules, const struct dso *dso, uint32_t pid,
			struct dso_module *item)
{
	const struct module_source *source = &modules->source;
	struct elf_file *file = NULL;

	if (modules->next_number <= MODULE_MAX_NUMBER)
		file = source->open(dso, pid, source->search);
	if (!file)
		return;
	item->module = module_create(modules->next_number, file, source->search, NULL);
	if (!item->module)
		return;
	item->owner = item;
	modules->next_number++;
}

static void find_or_open(struct dso_modules *modules, const struct dso *dso, uint32_t pid,
			 struct dso_module *item)
{
	const uint64_t hash = hash_bytes(dso->build_id.bytes, dso->build_id.size);
	uint32_t owner = HASH_TABLE_NONE;

	item->build_id = dso->build_id;
	if (dso->build_id.size)
		owner = hash_table_find(&modules->by_build_id, hash, has_build_id, modules->items,
					&dso->build_id);
	if (owner != HASH_TABLE_NONE) {
		item->owner = modules->items[owner];
		return;
	}
	open_module(modules, dso, pid, item);
	if (item->owner && dso->build_id.size)
		hash_table_insert(&modules->by_build_id, hash, dso->number);
}

/*
 * A running program may be rebuilt. A file that was cut short has lost some of its unwind information, so its module is not used;
 * it stays allocated.
 */
static bool is_whole(const struct module *module)
{
	return elf_file_check_whole(module_file(module), NULL) == 0;
}

static struct module *get(struct dso_modules *modules, const struct dso *dso, uint32_t pid)
{
	struct dso_module *item = item_of(modules, dso->number);

	if (!item->owner && item->attempts < modules->source.max_attempts) {
		item->attempts++;
		find_or_open(modules, dso, pid, item);
	}
	return item->owner && is_whole(item->owner->module) ? item->owner->module : NULL;
}

struct module *dso_modules_get(struct dso_modules *modules, const struct dso *dso, uint32_t pid)
{
	struct module *module;

	if (dso->kind != DSO_FILE && dso->kind != DSO_VDSO)
		return NULL;
	pthread_mutex_lock(&modules->lock);
	module = get(modules, dso, pid);
	pthread_mutex_unlock(&modules->lock);
	return module;
}

static bool has_jit_key(const void *items, uint32_t item, const void *key)
{
	return ((const struct jit_module *)items)[item].key == key;
}

struct module *dso_modules_get_jit(struct dso_modules *modules, const void *key,
				   const struct unwind_arch *arch, const struct module_frames *frames)
{
	const uint64_t hash = hash_u64((uintptr_t)key);
	struct module *module = NULL;
	uint32_t found;

	pthread_mutex_lock(&modules->lock);
	found = hash_table_find(&modules->by_jit_key, hash, has_jit_key, modules->jit_items, key);
	if (found != HASH_TABLE_NONE) {
		module = modules->jit_items[found].module;
	} else if (modules->next_number <= MODULE_MAX_NUMBER) {
		module = module_create_jit(modules->next_number++, arch, frames);
		hash_table_insert(&modules->by_jit_key, hash, (uint32_t)modules->jit_count);
		*ARRAY_ADD(modules->jit_items, modules->jit_count, modules->jit_capacity) =
			(struct jit_module){ key, module };
	}
	pthread_mutex_unlock(&modules->lock);
	return module;
}

struct module *dso_modules_own(const struct dso_modules *modules, uint32_t dso_number)
{
	return dso_number < modules->capacity && modules->items[dso_number] ?
		       modules->items[dso_number]->module :
		       NULL;
}

size_t dso_modules_count(const struct dso_modules *modules)
{
	return modules->next_number;
}
