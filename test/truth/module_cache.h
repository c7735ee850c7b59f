#ifndef XPROF_TEST_TRUTH_MODULE_CACHE_H
#define XPROF_TEST_TRUTH_MODULE_CACHE_H

/* The modules that traced programs map, by path; each is opened once. */

#include "unwind/module.h"

struct module_cache;

struct module_cache *module_cache_create(void);
void module_cache_destroy(struct module_cache *cache);

/* NULL if it cannot be opened. */
struct module *module_cache_open(struct module_cache *cache, const char *path);

/* The vdso. Copies `bytes` at the first call. */
struct module *module_cache_vdso(struct module_cache *cache, const void *bytes, size_t size);

/* Code that is in no file. Copies `bytes` at the first call with this name. Its first instruction has vaddr 0. */
struct module *module_cache_code(struct module_cache *cache, const char *name, const struct unwind_arch *arch,
				 const void *bytes, size_t size);

/* Returns a new number for an address space, that is, for one program at one time. */
uint64_t module_cache_next_space(struct module_cache *cache);

/* Does the vaddr lie in one of the file's .plt sections? */
bool module_is_plt(const struct module *module, uint64_t vaddr);

/* "function+0x12", or "?" if no symbol covers the vaddr. The caller frees it. */
char *module_symbol(const struct module *module, const char *path, uint64_t vaddr);

#endif
