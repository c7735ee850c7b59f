#ifndef XPROF_UNWIND_STACK_MEMORY_H
#define XPROF_UNWIND_STACK_MEMORY_H

/*
 * The stack bytes of a sample, read by run-time address. The bytes are borrowed.
 *
 *	struct stack_memory dump = { .bytes = sample.user_stack, .size = sample.user_stack_size, .address = sp };
 *
 * A copy by the recorder's BPF program may begin below the stack pointer (the red zone), and may lack pages that were
 * not in memory. If a signal handler ran on an alternate stack, it also has the interrupted stack.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct stack_memory {
	const uint8_t *bytes;
	size_t size;
	uint64_t address; /* run-time address of the first byte; the stack pointer in a dump of the kernel */
	bool swap;        /* the words are in the opposite order to this machine's */
	bool is_32bit;    /* words have 4 bytes, not 8 */
	/* a bit for each page, from that of `address` on: set if its bytes are unknown; NULL: none */
	const uint64_t *holes;
	const struct stack_memory *outer; /* NULL, or the interrupted stack */
};

enum { STACK_MEMORY_PAGE_BYTES = 4096 }; /* of `holes` */

static inline bool stack_memory_is_hole(const struct stack_memory *memory, uint64_t address)
{
	const uint64_t page = address / STACK_MEMORY_PAGE_BYTES - memory->address / STACK_MEMORY_PAGE_BYTES;

	return memory->holes[page / 64] >> page % 64 & 1;
}

/* The bytes [address, address + size); NULL if not all of them are known. */
static inline const uint8_t *stack_memory_at(const struct stack_memory *memory, uint64_t address, size_t size)
{
	const uint64_t offset = address - memory->address;

	if (offset < memory->size && memory->size - offset >= size) {
		if (memory->holes && (stack_memory_is_hole(memory, address) ||
				      stack_memory_is_hole(memory, address + size - 1)))
			return NULL;
		return memory->bytes + offset;
	}
	return memory->outer ? stack_memory_at(memory->outer, address, size) : NULL;
}

/* A word of a 32-bit program, of a recording in the other byte order, or of memory with holes or more than one part. */
static inline bool stack_memory_unusual_word(const struct stack_memory *memory, uint64_t address,
					     uint64_t *word)
{
	const uint8_t *bytes =
		stack_memory_at(memory, address, memory->is_32bit ? sizeof(uint32_t) : sizeof(uint64_t));
	uint64_t value;
	uint32_t half;

	if (!bytes)
		return false;
	if (memory->is_32bit) {
		memcpy(&half, bytes, sizeof(half));
		*word = memory->swap ? __builtin_bswap32(half) : half;
		return true;
	}
	memcpy(&value, bytes, sizeof(value));
	*word = memory->swap ? __builtin_bswap64(value) : value;
	return true;
}

/* Reads a word of 8 bytes (4 in 32-bit programs). Returns false if not all of them are known. */
static inline bool stack_memory_word(const struct stack_memory *memory, uint64_t address, uint64_t *word)
{
	const uint64_t offset = address - memory->address;

	if (memory->swap || memory->is_32bit || memory->holes || offset >= memory->size ||
	    memory->size - offset < sizeof(*word))
		return stack_memory_unusual_word(memory, address, word);
	memcpy(word, memory->bytes + offset, sizeof(*word));
	return true;
}

#endif
