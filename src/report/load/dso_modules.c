/*
 * Modules are kept by number of DSO; by_build_id finds the module that another DSO with the same build-id has opened.
 * One mutex is held while a file is looked up and opened, so that several threads open it once. A piece of JIT code has
 * a module of its own.
 */
#include "report/load/dso_modules.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "report/load/dso_symbols.h"
#include "symbol/recorded_file.h"

struct dso_module { /* of one DSO */
	bool opened;
	struct build_id build_id; /* when it was opened */
	struct module *module;    /* owned by the first DSO with that build-id */
	bool owned;
	struct error why;
};

struct dso_modules {
	const struct debug_file_search *search;
	pthread_mutex_t lock;      /* of what follows, while modules are got */
	struct dso_module **items; /* by number of DSO; NULL: not asked for yet */
	size_t capacity;
	struct hash_table by_build_id; /* numbers of DSOs that own a module */
	uint32_t next_number;
	const struct jit_dumps *dumps;
	struct jit_module *jit_items; /* pieces of JIT code that were asked for */
	size_t jit_count, jit_capacity;
	struct hash_table by_jit_code;
};

struct jit_module {
	const struct jit_code *code;
	struct module *module;
};

struct dso_modules *dso_modules_create(const struct debug_file_search *search, const struct jit_dumps *dumps)
{
	struct dso_modules *modules = xcalloc(1, sizeof(*modules));

	modules->search = search;
	modules->dumps = dumps;
	pthread_mutex_init(&modules->lock, NULL);
	hash_table_init(&modules->by_build_id);
	hash_table_init(&modules->by_jit_code);
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
	for (size_t i = 0; i < modules->jit_count; i++)
		module_destroy(modules->jit_items[i].module);
	free(modules->jit_items);
	hash_table_fini(&modules->by_jit_code);
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
	const struct build_id *build_id = key,
			      *owned = &((struct dso_module *const *)items)[number]->build_id;

	return owned->size == build_id->size && memcmp(owned->bytes, build_id->bytes, build_id->size) == 0;
}

/* A module takes the file over. */
static struct module *open_module(struct dso_modules *modules, const struct dso *dso, struct error *why)
{
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = {
		.path = dso->path, .build_id = dso->build_id, .pids = pids, .is_vdso = dso->kind == DSO_VDSO
	};
	struct elf_file *file;

	dso_mappers(dso, pids);
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
		owner = hash_table_find(&modules->by_build_id, hash, has_build_id, modules->items, build_id);
	if (owner != HASH_TABLE_NONE) {
		item->module = modules->items[owner]->module;
		return;
	}
	item->module = open_module(modules, dso, &item->why);
	item->owned = item->module != NULL;
	if (item->owned && build_id->size)
		hash_table_insert(&modules->by_build_id, hash, dso->number);
}

/* A file that was cut short while it was read has lost some of its unwind information; its module lives on. */
static bool is_whole(struct dso_module *item)
{
	return item->module && elf_file_check_whole(module_file(item->module), &item->why) == 0;
}

static struct module *get(struct dso_modules *modules, const struct dso *dso)
{
	struct dso_module *item = item_of(modules, dso->number);

	if (!item->opened) {
		item->opened = true;
		item->build_id = dso->build_id;
		find_or_open(modules, dso, item);
	}
	return is_whole(item) ? item->module : NULL;
}

struct module *dso_modules_get(struct dso_modules *modules, const struct dso *dso)
{
	struct module *module;

	if (dso->kind != DSO_FILE && dso->kind != DSO_VDSO)
		return NULL;
	pthread_mutex_lock(&modules->lock);
	module = get(modules, dso);
	pthread_mutex_unlock(&modules->lock);
	return module;
}

/* Where the addresses of .eh_frame count from: see struct jit_code. */
static struct module_frames frames_of(const struct jit_code *code, bool swap)
{
	const uint64_t eh_frame_vaddr = (code->size + 7) & ~(uint64_t)7;

	return (struct module_frames){ .code = code->instructions,
				       .code_size = code->size,
				       .eh_frame = code->eh_frame.at,
				       .eh_frame_size = code->eh_frame.size,
				       .eh_frame_vaddr = eh_frame_vaddr,
				       .hdr = code->eh_frame_hdr.at,
				       .hdr_size = code->eh_frame_hdr.size,
				       .hdr_vaddr = eh_frame_vaddr + code->eh_frame.size,
				       .swap = swap };
}

static bool is_jit_code(const void *items, uint32_t item, const void *key)
{
	return ((const struct jit_module *)items)[item].code == key;
}

/* CPython 3.13 leaves its machine out of the header. */
static const struct unwind_arch *arch_of(const struct jitdump *dump, const struct unwind_arch *recorded)
{
	uint16_t machine = jitdump_elf_machine(dump);

	return machine == EM_NONE ? recorded : unwind_arch_find(machine);
}

static struct module *get_jit(struct dso_modules *modules, const struct jit_code *code,
			      const struct unwind_arch *arch, bool swap)
{
	const uint64_t hash = hash_u64((uintptr_t)code);
	const uint32_t found =
		hash_table_find(&modules->by_jit_code, hash, is_jit_code, modules->jit_items, code);
	struct module_frames frames;

	if (found != HASH_TABLE_NONE)
		return modules->jit_items[found].module;
	if (modules->next_number > MODULE_MAX_NUMBER)
		return NULL;
	frames = frames_of(code, swap);
	modules->jit_items = array_grow(modules->jit_items, &modules->jit_capacity, modules->jit_count + 1,
					sizeof(*modules->jit_items));
	modules->jit_items[modules->jit_count] =
		(struct jit_module){ code, module_create_jit(modules->next_number++, arch, &frames) };
	hash_table_insert(&modules->by_jit_code, hash, (uint32_t)modules->jit_count);
	return modules->jit_items[modules->jit_count++].module;
}

struct module *dso_modules_get_jit(struct dso_modules *modules, const struct dso *jitdump,
				   const struct unwind_arch *recorded, uint64_t file_offset,
				   uint64_t *code_offset)
{
	const struct jitdump *dump = modules->dumps ? jit_dumps_of(modules->dumps, jitdump) : NULL;
	const struct unwind_arch *arch = dump ? arch_of(dump, recorded) : NULL;
	const struct jit_code *code = dump ? jitdump_find(dump, file_offset) : NULL;
	struct module *module;

	if (!arch || !code)
		return NULL;
	*code_offset = code->file_offset;
	pthread_mutex_lock(&modules->lock);
	module = get_jit(modules, code, arch, jitdump_swap(dump));
	pthread_mutex_unlock(&modules->lock);
	return module;
}

const char *dso_modules_problem(const struct dso_modules *modules, const struct dso *dso)
{
	const struct dso_module *item = dso->number < modules->capacity ? modules->items[dso->number] : NULL;

	return item ? item->why.message : "";
}

static void add_start(void *context, uint64_t start)
{
	object_need_add(context, OBJECT_NEED_FRAMES, start);
}

static void add_function(void *context, uint64_t start, uint64_t end)
{
	object_need_add(context, OBJECT_NEED_FUNCTION_START, start);
	object_need_add(context, OBJECT_NEED_FUNCTION_END, end);
}

void dso_modules_tell_needs(const struct dso_modules *modules, const struct process_table *processes,
			    struct object_needs *needs)
{
	for (size_t i = 0; i < modules->capacity; i++) {
		const struct dso *dso = modules->items[i] ? process_table_dso(processes, (uint32_t)i) : NULL;
		struct symbol_object object;

		if (!dso || !modules->items[i]->owned || !dso_symbols_object(dso, &object))
			continue;
		module_visit_used(modules->items[i]->module, add_start, object_needs_of(needs, &object));
		module_visit_code(modules->items[i]->module, add_function, object_needs_of(needs, &object));
	}
}
