/* A ring of the last mappings that were looked up, emptied when the address space changes. */
#include "unwind/mapping_cache.h"

#include "unwind/rule_memo.h"

void mapping_cache_enter(struct mapping_cache *cache, const struct unwind_input *input)
{
	if (input->space != 0 && input->space == cache->space && input->arch == cache->arch)
		return;
	cache->count = cache->next = 0;
	cache->space = input->space;
	cache->arch = input->arch;
}

static const struct known_mapping *ask(struct mapping_cache *cache, const struct unwind_input *input,
				       uint64_t address)
{
	struct known_mapping *known;
	struct unwind_mapping mapping = { .module = NULL };

	cache->misses++;
	if (!input->find_mapping(input->context, address, &mapping) || !unwind_mapping_has(&mapping, address))
		return NULL;
	/* A file for another machine may be mapped as data by an emulator, or by a program that runs in two modes (Wine). */
	if (mapping.module && module_arch(mapping.module) != input->arch)
		mapping.module = NULL;
	if (cache->count < MAPPING_CACHE_CAPACITY)
		cache->count++;
	known = &cache->items[cache->next];
	cache->next = (cache->next + 1) % MAPPING_CACHE_CAPACITY;
	known->mapping = mapping;
	known->key_base = mapping.module ? rule_memo_key_base(module_number(mapping.module)) : 0;
	return known;
}

const struct known_mapping *mapping_cache_find(struct mapping_cache *cache, const struct unwind_input *input,
					       uint64_t address)
{
	const struct known_mapping *known = mapping_cache_known(cache, address);

	return known ? known : ask(cache, input, address);
}

const struct known_mapping *mapping_cache_find_code(struct mapping_cache *cache,
						    const struct unwind_input *input, uint64_t address)
{
	const struct known_mapping *known = mapping_cache_find(cache, input, address);

	return known && known->mapping.executable ? known : NULL;
}

struct code_bytes known_mapping_code(const struct known_mapping *known, uint64_t address)
{
	if (!known->mapping.module)
		return (struct code_bytes){ .at = NULL };
	return module_code(known->mapping.module, address - known->mapping.bias);
}
