/*
 * Keeps a ring of looked-up mappings for each of the last few address spaces. A changed address space has a new number, and so
 * gets a new ring.
 */
#include "unwind/mapping_cache.h"

#include "unwind/rule_memo.h"

static bool is_of_input(const struct known_mappings *known, const struct unwind_input *input)
{
	return input->space != 0 && known->space == input->space && known->arch == input->arch;
}

void mapping_cache_enter(struct mapping_cache *cache, const struct unwind_input *input)
{
	struct known_mappings *oldest = &cache->spaces[cache->next];

	if (is_of_input(&cache->spaces[cache->current], input))
		return;
	for (uint32_t i = 0; i < MAPPING_CACHE_SPACES; i++)
		if (is_of_input(&cache->spaces[i], input)) {
			cache->current = i;
			return;
		}
	cache->current = cache->next;
	cache->next = (cache->next + 1) % MAPPING_CACHE_SPACES;
	oldest->count = oldest->next = 0;
	oldest->space = input->space;
	oldest->arch = input->arch;
}

static const struct known_mapping *ask(struct mapping_cache *cache, const struct unwind_input *input,
				       uint64_t address)
{
	struct known_mappings *all = &cache->spaces[cache->current];
	struct known_mapping *known;
	struct unwind_mapping mapping = { .module = NULL };

	cache->misses++;
	if (!input->find_mapping(input->context, address, &mapping) || !unwind_mapping_has(&mapping, address))
		return NULL;
	/* The file may be for another machine: an emulator maps such files as data, and Wine runs programs of two modes. */
	if (mapping.module && module_arch(mapping.module) != input->arch)
		mapping.module = NULL;
	if (all->count < MAPPING_CACHE_CAPACITY)
		all->count++;
	known = &all->items[all->next];
	all->next = (all->next + 1) % MAPPING_CACHE_CAPACITY;
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

bool known_mapping_is_live(const struct known_mapping *known)
{
	return known->mapping.module && module_is_live(known->mapping.module);
}
