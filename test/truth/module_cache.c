#include "truth/module_cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/elf_plt.h"
#include "elf/elf_symtab.h"

struct cached {
	char *path;
	struct module *module;
	uint8_t *code; /* from module_cache_code(); the module borrows it */
};

struct module_cache {
	struct cached *items;
	size_t count, capacity;
	uint64_t space;
};

struct module_cache *module_cache_create(void)
{
	return xcalloc(1, sizeof(struct module_cache));
}

void module_cache_destroy(struct module_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++) {
		module_destroy(cache->items[i].module);
		free(cache->items[i].path);
		free(cache->items[i].code);
	}
	free(cache->items);
	free(cache);
}

static struct cached *find(struct module_cache *cache, const char *path)
{
	for (size_t i = 0; i < cache->count; i++)
		if (strcmp(cache->items[i].path, path) == 0)
			return &cache->items[i];
	return NULL;
}

static struct module *keep(struct module_cache *cache, const char *path, struct module *module, uint8_t *code)
{
	cache->items = array_grow(cache->items, &cache->capacity, cache->count + 1, sizeof(*cache->items));
	cache->items[cache->count++] =
		(struct cached){ .path = xstrdup(path), .module = module, .code = code };
	return module;
}

static struct module *add(struct module_cache *cache, const char *path, struct elf_file *file)
{
	static const struct debug_file_search search = { .symfs = "" };
	struct error err;
	struct module *module = file ? module_create((uint32_t)cache->count, file, &search, &err) : NULL;

	return keep(cache, path, module, NULL);
}

struct module *module_cache_open(struct module_cache *cache, const char *path)
{
	struct cached *cached = find(cache, path);
	struct error err;

	return cached ? cached->module : add(cache, path, elf_file_open(path, &err));
}

struct module *module_cache_vdso(struct module_cache *cache, const void *bytes, size_t size)
{
	struct cached *cached = find(cache, "[vdso]");
	struct error err;
	void *copy;

	if (cached)
		return cached->module;
	copy = xmalloc(size);
	memcpy(copy, bytes, size);
	return add(cache, "[vdso]", elf_file_open_memory(copy, size, "[vdso]", &err));
}

struct module *module_cache_code(struct module_cache *cache, const char *name, const struct unwind_arch *arch,
				 const void *bytes, size_t size)
{
	struct cached *cached = find(cache, name);
	struct module_frames frames = { .code_size = size };
	uint8_t *copy;

	if (cached)
		return cached->module;
	frames.code = copy = xmalloc(size);
	memcpy(copy, bytes, size);
	return keep(cache, name, module_create_jit((uint32_t)cache->count, arch, &frames), copy);
}

uint64_t module_cache_next_space(struct module_cache *cache)
{
	return ++cache->space;
}

bool module_is_plt(const struct module *module, uint64_t vaddr)
{
	const struct elf_file *file = module_file(module);
	struct elf_section section;

	for (size_t i = 0; file && i < elf_file_section_count(file); i++) {
		elf_file_section_header(file, i, &section);
		if (section.name && strncmp(section.name, ".plt", 4) == 0 &&
		    vaddr - section.vaddr < section.size)
			return true;
	}
	return false;
}

struct wanted_symbol {
	uint64_t vaddr;
	uint64_t best; /* vaddr of the symbol found */
	char *name;
};

static void see_symbol(const struct elf_symbol *symbol, void *context)
{
	struct wanted_symbol *wanted = context;

	if (symbol->vaddr > wanted->vaddr || (wanted->name && symbol->vaddr < wanted->best) ||
	    (symbol->size_bytes && wanted->vaddr - symbol->vaddr >= symbol->size_bytes))
		return;
	free(wanted->name);
	wanted->name = xstrdup(symbol->name);
	wanted->best = symbol->vaddr;
}

char *module_symbol(const struct module *module, const char *path, uint64_t vaddr)
{
	struct wanted_symbol wanted = { .vaddr = vaddr };
	struct error err;
	struct elf_file *file = module && path[0] == '/' ? elf_file_open(path, &err) : NULL;
	char *text;

	if (!file)
		return xstrdup("?");
	for (int kind = ELF_SYMTAB_FULL; kind <= ELF_SYMTAB_DYNAMIC && !wanted.name; kind++)
		elf_symtab_read(file, (enum elf_symtab_kind)kind, NULL, see_symbol, &wanted, &err);
	if (!wanted.name)
		(void)elf_plt_read(file, see_symbol, &wanted, &err);
	elf_file_close(file);
	if (!wanted.name)
		return xstrdup("?");
	text = xasprintf("%s+0x%" PRIx64, wanted.name, vaddr - wanted.best);
	free(wanted.name);
	return text;
}
