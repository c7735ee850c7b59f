#include "record/stack/live_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "record/stack/process_memory.h"
#include "unwind/code/instruction_cache.h"

enum {
	PAGE_BYTES = 4096,
	CHUNK_BYTES = 16 << 10,
	/* Functions begin in front of a chunk, and go on behind it: some of HotSpot's have 40 KiB. */
	BEFORE_BYTES = 16 << 10,
	BEHIND_BYTES = 32 << 10,
	WINDOW_BYTES = BEFORE_BYTES + CHUNK_BYTES + BEHIND_BYTES,
	MAX_BYTES = 64 << 20, /* those of processes that ended and those that were written anew included */
	MAX_CHUNKS = 4096,    /* likewise */
	/* Modules of files have numbers from 0 up. */
	LEAST_NUMBER = MODULE_MAX_NUMBER / 2,
};

struct chunk {
	uint32_t pid;
	uint64_t address;
	uint32_t generation; /* in which it was last compared */
	uint64_t base;
	size_t size;
	uint8_t *bytes;
	struct module *module; /* NULL: it could not be read */
};

struct retired { /* a module that stacks may still be remembered by */
	struct module *module;
	uint8_t *bytes;
};

struct live_code {
	const struct unwind_arch *arch;
	struct chunk *chunks;
	size_t count, capacity;
	struct retired *retired;
	size_t retired_count, retired_capacity;
	struct hash_table by_address;
	struct instruction_cache *instructions; /* of all modules */
	size_t bytes;                           /* read in all */
	uint32_t next_number;
	uint32_t generation;
};

struct live_code *live_code_create(const struct unwind_arch *arch)
{
	struct live_code *code;

	if (arch->ra_is_register)
		return NULL;
	code = xcalloc(1, sizeof(*code));
	code->arch = arch;
	code->next_number = MODULE_MAX_NUMBER;
	code->instructions = instruction_cache_create(arch);
	hash_table_init(&code->by_address);
	return code;
}

void live_code_destroy(struct live_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->count; i++) {
		module_destroy(code->chunks[i].module);
		free(code->chunks[i].bytes);
	}
	for (size_t i = 0; i < code->retired_count; i++) {
		module_destroy(code->retired[i].module);
		free(code->retired[i].bytes);
	}
	free(code->chunks);
	free(code->retired);
	hash_table_fini(&code->by_address);
	instruction_cache_destroy(code->instructions);
	free(code);
}

void live_code_age(struct live_code *code)
{
	code->generation += code->count > 0;
}

uint32_t live_code_generation(const struct live_code *code)
{
	return code->generation;
}

bool live_code_is_full(const struct live_code *code)
{
	return code->count + code->retired_count >= MAX_CHUNKS || code->bytes >= MAX_BYTES ||
	       code->next_number <= LEAST_NUMBER;
}

/* --- one chunk -------------------------------------------------------------------------------- */

static_assert((size_t)WINDOW_BYTES <= (size_t)PROCESS_MEMORY_MAX_BYTES, "a window is read at once");

/* Up to where memory ends. */
static size_t read_memory(uint32_t pid, uint64_t start, uint64_t end, uint8_t *to)
{
	return start < end ? process_memory_read(pid, start, to, end - start) : 0;
}

/*
 * The chunk with what lies around it in the same mapping, from window->start on. What lies in front may have gone
 * since the mapping was told of: then the page of `address` is where it begins. 0: that cannot be read.
 */
static size_t read_window(const struct chunk *chunk, uint64_t address, struct live_range *window, uint8_t *to)
{
	const uint64_t page = address & ~(uint64_t)(PAGE_BYTES - 1);
	size_t size = read_memory(chunk->pid, window->start, window->end, to);

	if (size <= address - window->start) {
		if (page > window->start)
			window->start = page;
		size = read_memory(chunk->pid, window->start, window->end, to);
	}
	return size > address - window->start ? size : 0;
}

static void retire(struct live_code *code, struct chunk *chunk)
{
	if (!chunk->module)
		return;
	code->retired = array_grow(code->retired, &code->retired_capacity, code->retired_count + 1,
				   sizeof(*code->retired));
	code->retired[code->retired_count++] =
		(struct retired){ .module = chunk->module, .bytes = chunk->bytes };
}

static void take_bytes(struct live_code *code, struct chunk *chunk, const uint8_t *bytes, size_t size,
		       uint64_t base)
{
	struct module_frames frames = { .code_size = size, .instructions = code->instructions };

	retire(code, chunk);
	chunk->bytes = xmalloc(size);
	memcpy(chunk->bytes, bytes, size);
	chunk->size = size;
	chunk->base = base;
	frames.code = chunk->bytes;
	chunk->module = module_create_live(code->next_number--, code->arch, &frames);
	code->bytes += size;
}

/* Is it still what it was? A process that has ended since changes nothing any more. */
static void compare(struct live_code *code, struct chunk *chunk, uint64_t address,
		    const struct live_range *mapping)
{
	uint8_t bytes[WINDOW_BYTES];
	struct live_range window = {
		.start = mapping->start + BEFORE_BYTES < chunk->address ? chunk->address - BEFORE_BYTES :
									  mapping->start,
		.end = mapping->end - chunk->address > CHUNK_BYTES + BEHIND_BYTES ?
			       chunk->address + CHUNK_BYTES + BEHIND_BYTES :
			       mapping->end,
	};
	const size_t size = read_window(chunk, address, &window, bytes);

	chunk->generation = code->generation;
	if (size == 0 || (chunk->module && window.start == chunk->base && size == chunk->size &&
			  memcmp(bytes, chunk->bytes, size) == 0))
		return;
	if (!live_code_is_full(code))
		take_bytes(code, chunk, bytes, size, window.start);
}

/* --- all ------------------------------------------------------------------------------------------ */

static bool is_chunk(const void *items, uint32_t number, const void *key)
{
	const struct chunk *chunk = &((const struct chunk *)items)[number], *wanted = key;

	return chunk->pid == wanted->pid && chunk->address == wanted->address;
}

static struct chunk *find_or_add(struct live_code *code, uint32_t pid, uint64_t address)
{
	const struct chunk wanted = { .pid = pid, .address = address };
	const uint64_t hash = hash_combine(hash_u64(pid), address);
	const uint32_t number = hash_table_find(&code->by_address, hash, is_chunk, code->chunks, &wanted);

	if (number != HASH_TABLE_NONE)
		return &code->chunks[number];
	if (live_code_is_full(code))
		return NULL;
	code->chunks = array_grow(code->chunks, &code->capacity, code->count + 1, sizeof(*code->chunks));
	code->chunks[code->count] = wanted;
	hash_table_insert(&code->by_address, hash, (uint32_t)code->count);
	code->chunks[code->count].generation = code->generation - 1;
	return &code->chunks[code->count++];
}

bool live_code_find(struct live_code *code, uint32_t pid, uint64_t address, const struct live_range *mapping,
		    struct live_piece *found)
{
	struct chunk *chunk = find_or_add(code, pid, address & ~(uint64_t)(CHUNK_BYTES - 1));

	if (!chunk)
		return false;
	if (chunk->generation != code->generation || address - chunk->base >= chunk->size)
		compare(code, chunk, address, mapping);
	if (!chunk->module || address - chunk->base >= chunk->size)
		return false;
	*found = (struct live_piece){ .base = chunk->base, .module = chunk->module };
	found->range.start = chunk->base > chunk->address ? chunk->base : chunk->address;
	found->range.end = chunk->base + chunk->size < chunk->address + CHUNK_BYTES ?
				   chunk->base + chunk->size :
				   chunk->address + CHUNK_BYTES;
	return true;
}
