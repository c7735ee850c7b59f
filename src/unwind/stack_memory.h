#ifndef XPROF_UNWIND_STACK_MEMORY_H
#define XPROF_UNWIND_STACK_MEMORY_H

/* The stack bytes of a sample, read by their run-time addresses. Borrowed from the caller for one walk. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct stack_memory {
	const uint8_t *bytes;
	size_t size;
	uint64_t address; /* of the first byte: what the stack pointer was */
	bool swap;        /* the words are in the opposite order to this machine's */
};

static inline bool stack_memory_has(const struct stack_memory *memory, uint64_t address, size_t size)
{
	uint64_t offset = address - memory->address;

	return offset < memory->size && memory->size - offset >= size;
}

/* False when the 8 bytes there are not all known. */
static inline bool stack_memory_word(const struct stack_memory *memory, uint64_t address, uint64_t *word)
{
	uint64_t value;

	if (!stack_memory_has(memory, address, sizeof(value)))
		return false;
	memcpy(&value, memory->bytes + (address - memory->address), sizeof(value));
	*word = memory->swap ? __builtin_bswap64(value) : value;
	return true;
}

#endif
