#ifndef XPROF_UNWIND_MAPPING_CACHE_H
#define XPROF_UNWIND_MAPPING_CACHE_H

/*
 * Remembers the mappings of the address space that is being unwound, as far as they were looked up. Belongs
 * to one unwinder.
 */

#include "unwind/unwind_stack.h"

enum {
	MAPPING_CACHE_CAPACITY = 32, /* more than the DSOs that one program's stacks pass through */
};

struct known_mapping {
	struct unwind_mapping mapping;
	uint64_t key_base; /* of rule_memo's keys */
};

/* All zeros: empty. */
struct mapping_cache {
	struct known_mapping items[MAPPING_CACHE_CAPACITY];
	uint32_t count, next;
	uint64_t space;                 /* whose they are: see struct unwind_input */
	const struct unwind_arch *arch; /* modules of others are left out */
	uint64_t misses;                /* find_mapping() called */
};

static inline bool unwind_mapping_has(const struct unwind_mapping *mapping, uint64_t address)
{
	return address - mapping->start < mapping->end - mapping->start;
}

/* Before the first question for an input: forgets what is not of its address space. */
void mapping_cache_enter(struct mapping_cache *cache, const struct unwind_input *input);

/* Of those that have been asked for; NULL when there is none yet. */
static inline const struct known_mapping *mapping_cache_known(const struct mapping_cache *cache,
							      uint64_t address)
{
	for (uint32_t i = 0; i < cache->count; i++)
		if (unwind_mapping_has(&cache->items[i].mapping, address))
			return &cache->items[i];
	return NULL;
}

/* NULL when nothing is known to be mapped there. Valid until the next call. */
const struct known_mapping *mapping_cache_find(struct mapping_cache *cache, const struct unwind_input *input,
					       uint64_t address);

/* NULL also where it is not executable. */
const struct known_mapping *mapping_cache_find_code(struct mapping_cache *cache,
						    const struct unwind_input *input, uint64_t address);

/* The instructions around an address of a mapping; none where there is no module. */
struct code_bytes known_mapping_code(const struct known_mapping *known, uint64_t address);

#endif
