#ifndef XPROF_UNWIND_MAPPING_CACHE_H
#define XPROF_UNWIND_MAPPING_CACHE_H

/*
 * Caches the mappings looked up in the last few address spaces, because samples of several programs alternate. Belongs to one
 * unwinder.
 */

#include "unwind/unwind_stack.h"

enum {
	MAPPING_CACHE_CAPACITY = 32, /* more than the DSOs in typical stacks of one program */
	MAPPING_CACHE_SPACES = 8,
};

struct known_mapping {
	struct unwind_mapping mapping;
	uint64_t key_base; /* rule_memo_key_base() of its module */
};

struct known_mappings {
	struct known_mapping items[MAPPING_CACHE_CAPACITY];
	uint32_t count, next;
	uint64_t space;                 /* their address space: see struct unwind_input */
	const struct unwind_arch *arch; /* modules for other machines are ignored */
};

/* All zeros: empty. */
struct mapping_cache {
	struct known_mappings spaces[MAPPING_CACHE_SPACES];
	uint32_t current; /* the address space of the current input */
	uint32_t next;    /* the one that is replaced next */
	uint64_t misses;  /* find_mapping() called */
};

static inline bool unwind_mapping_has(const struct unwind_mapping *mapping, uint64_t address)
{
	return address - mapping->start < mapping->end - mapping->start;
}

/* Call before the first lookup for an input: selects its address space, or replaces the oldest one by it. */
void mapping_cache_enter(struct mapping_cache *cache, const struct unwind_input *input);

/* The cached mapping of an address; NULL if it is not in the cache. */
static inline const struct known_mapping *mapping_cache_known(const struct mapping_cache *cache,
							      uint64_t address)
{
	const struct known_mappings *known = &cache->spaces[cache->current];

	for (uint32_t i = 0; i < known->count; i++)
		if (unwind_mapping_has(&known->items[i].mapping, address))
			return &known->items[i];
	return NULL;
}

/*
 * Looks in the cache, then calls input->find_mapping(). NULL if nothing is known to be mapped there. Valid
 * until the next call.
 */
const struct known_mapping *mapping_cache_find(struct mapping_cache *cache, const struct unwind_input *input,
					       uint64_t address);

/* The same, but NULL if the mapping is not executable. */
const struct known_mapping *mapping_cache_find_code(struct mapping_cache *cache,
						    const struct unwind_input *input, uint64_t address);

/* The instructions around an address of a mapping; empty if it has no module. */
struct code_bytes known_mapping_code(const struct known_mapping *known, uint64_t address);

/* Is it run-time code that was read where it ran? No if the mapping has no module. */
bool known_mapping_is_live(const struct known_mapping *known);

#endif
