#ifndef XPROF_UNWIND_INSTRUCTION_CACHE_H
#define XPROF_UNWIND_INSTRUCTION_CACHE_H

/*
 * Caches decoded instructions by their bytes, on which their effect depends alone. Paths to a return from different places
 * of a loop contain the same instructions, and code that was read again is mostly unchanged. Decoding an instruction takes
 * some 150 ns, finding it 10.
 */

#include "unwind/arch/unwind_arch.h"

struct instruction_cache;

/* For one machine. Not thread-safe. */
struct instruction_cache *instruction_cache_create(const struct unwind_arch *arch);
void instruction_cache_destroy(struct instruction_cache *cache);

/*
 * The result of arch.read_instruction() for these bytes; NULL if it returned false. Valid until the next
 * call.
 */
const struct code_instruction *instruction_cache_read(struct instruction_cache *cache, const uint8_t *bytes,
						      size_t size);

#endif
