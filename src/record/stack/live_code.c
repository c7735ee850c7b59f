/*
 * A chunk is 32 KiB of a process's memory, read with a window around it, and becomes a module for the unwinder. Blocks of 256
 * bytes track what changes. A chunk that changed is read again; its old module is retired, not freed, because remembered stacks
 * may refer to it, until live_code_shrink(). MAX_BYTES and MAX_CHUNKS bound the memory: the owner starts anew when
 * live_code_is_full().
 */
#include "record/stack/live_code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "record/stack/mapping_log.h"
#include "record/stack/process_memory.h"
#include "unwind/code/code_exit.h"
#include "unwind/code/instruction_cache.h"

enum {
	PAGE_BYTES = 4096,
	CHUNK_BYTES = 32 << 10,
	/* Functions begin before a chunk and continue after it: some of HotSpot's have 40 KiB. */
	BEFORE_BYTES = 16 << 10,
	BEHIND_BYTES = 32 << 10,
	WINDOW_BYTES = BEFORE_BYTES + CHUNK_BYTES + BEHIND_BYTES,
	MAX_BYTES = 24 << 20, /* including code of ended processes, and code that was rewritten since */
	MAX_CHUNKS = 4096,    /* likewise */
	LARGE_BYTES = 2 << 20,
	UNUSED_GENERATIONS = 50, /* some five seconds */
	/* Modules of files are numbered from 0 up, those of run-time code from MODULE_MAX_NUMBER down. */
	LEAST_NUMBER = MODULE_MAX_NUMBER / 2,
	BLOCK_BYTES = 256, /* changes of code are tracked per block; no block crosses a page */
	/*
	 * The part of a frame's code that is compared. Only the frame's rule knows which instructions up to
	 * the return matter.
	 */
	COMPARED_BEFORE_BYTES = 64,
	COMPARED_BEHIND_BYTES = 192,
	MAX_BLOCKS_AROUND = 2,
	NEW_ROUNDS = 25, /* code counts as new for a quarter of a second if rounds are short */
	LATELY_ROUNDS = NEW_ROUNDS + 40,
	MAX_PROCESSES = 2048,
};

static_assert(BLOCK_BYTES >= COMPARED_BEFORE_BYTES + COMPARED_BEHIND_BYTES, "MAX_BLOCKS_AROUND");

struct chunk {
	uint32_t pid;
	uint64_t address;
	uint32_t generation; /* in which it was last compared */
	uint64_t base;
	size_t size;
	uint8_t *bytes;
	struct module *module; /* NULL if it could not be read */
	struct block *blocks;  /* of `bytes` */
	uint64_t read_ns;      /* in the samples' clock: not later than the last read or comparison */
	uint64_t changed_in,
		read_in; /* last comparison that found changed blocks, and the one after which it was read */
	uint64_t unchanged_ns; /* `read_ns` before that */
};

struct block {
	uint64_t since;    /* the round in which its present content was first found */
	uint64_t compared; /* the last comparison that included it */
	uint64_t same_in;  /* the last round in which a comparison found it unchanged; 0 if none did */
	bool is_changed;   /* result of the last comparison */
	/* Code that stacks led through was replaced: by other mappings, or overwritten in place. */
	bool is_remapped, is_rewritten;
};

struct retired { /* a module that remembered stacks may still refer to */
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
	struct instruction_cache *instructions; /* of all modules, as are the exits */
	struct code_exits *exits;
	size_t bytes; /* of chunks and retired modules */
	size_t large_bytes;
	uint32_t next_number;
	uint32_t generation;
	uint32_t changes; /* incremented when lookups of this generation may give new results */
	struct mapping_log *mappings;
	uint64_t latest_ns; /* the latest time seen: now, or earlier */
	uint64_t round;     /* from 1 on */
	uint64_t new_round;
	uint64_t comparison;
};

struct live_code *live_code_create(const struct unwind_arch *arch)
{
	struct live_code *code;

	if (arch->ra_is_register)
		return NULL;
	code = xcalloc(1, sizeof(*code));
	code->arch = arch;
	code->next_number = MODULE_MAX_NUMBER;
	code->round = 1;
	code->large_bytes = LARGE_BYTES;
	code->instructions = instruction_cache_create(arch);
	code->exits = code_exits_create();
	code->mappings = mapping_log_create();
	return code;
}

static void free_chunk(const struct chunk *chunk)
{
	module_destroy(chunk->module);
	free(chunk->bytes);
	free(chunk->blocks);
}

static void free_retired(struct live_code *code)
{
	for (size_t i = 0; i < code->retired_count; i++) {
		module_destroy(code->retired[i].module);
		free(code->retired[i].bytes);
	}
	code->retired_count = 0;
}

void live_code_destroy(struct live_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->count; i++)
		free_chunk(&code->chunks[i]);
	free_retired(code);
	free(code->chunks);
	free(code->retired);
	hash_table_fini(&code->by_address);
	instruction_cache_destroy(code->instructions);
	code_exits_destroy(code->exits);
	mapping_log_destroy(code->mappings);
	free(code);
}

void live_code_age(struct live_code *code)
{
	code->generation += code->count > 0;
}

uint32_t live_code_generation(const struct live_code *code)
{
	return code->generation + code->changes;
}

bool live_code_is_full(const struct live_code *code)
{
	return code->count + code->retired_count >= MAX_CHUNKS || code->bytes >= MAX_BYTES ||
	       code->next_number <= LEAST_NUMBER ||
	       mapping_log_process_count(code->mappings) >= MAX_PROCESSES;
}

/* --- one chunk -------------------------------------------------------------------------------- */

static_assert((size_t)WINDOW_BYTES <= (size_t)PROCESS_MEMORY_MAX_BYTES, "a window is read at once");

/* Reads up to the end of the mapped memory. Returns the number of bytes. */
static size_t read_memory(uint32_t pid, uint64_t start, uint64_t end, uint8_t *to)
{
	return start < end ? process_memory_read(pid, start, to, end - start) : 0;
}

/*
 * Reads the chunk and its surroundings in the same mapping, from window->start on. If the part before `address` is no longer
 * mapped, starts with the page of `address`. Returns 0 if the memory cannot be read.
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
	*ARRAY_ADD(code->retired, code->retired_count, code->retired_capacity) =
		(struct retired){ .module = chunk->module, .bytes = chunk->bytes };
}

/* The new state of the block at an address, after it was read again. */
static struct block reread_block(const struct live_code *code, const struct chunk *chunk,
				 const uint8_t *bytes, uint64_t address)
{
	const uint64_t offset = address - chunk->base;
	struct block block = { .since = code->round };

	if (!chunk->module || offset >= chunk->size || chunk->size - offset < BLOCK_BYTES)
		return block;
	block = chunk->blocks[offset / BLOCK_BYTES];
	if (memcmp(bytes, chunk->bytes + offset, BLOCK_BYTES) != 0) {
		block.since = code->round;
		block.same_in = 0;
	}
	return block;
}

static void take_blocks(struct live_code *code, struct chunk *chunk, const uint8_t *bytes, size_t size,
			uint64_t base)
{
	struct block *blocks = xcalloc(size / BLOCK_BYTES + 1, sizeof(*blocks));

	for (size_t i = 0; i < size / BLOCK_BYTES; i++)
		blocks[i] = reread_block(code, chunk, bytes + i * BLOCK_BYTES, base + i * BLOCK_BYTES);
	free(chunk->blocks);
	chunk->blocks = blocks;
}

static void take_bytes(struct live_code *code, struct chunk *chunk, const uint8_t *bytes, size_t size,
		       uint64_t base)
{
	struct module_frames frames = { .code_size = size,
					.instructions = code->instructions,
					.exits = code->exits };

	take_blocks(code, chunk, bytes, size, base);
	retire(code, chunk);
	chunk->bytes = xmalloc(size);
	memcpy(chunk->bytes, bytes, size);
	chunk->size = size;
	chunk->base = base;
	frames.code = chunk->bytes;
	chunk->module = module_create_live(code->next_number--, code->arch, &frames);
	code->bytes += size;
}

/* Reads the chunk again and replaces it if it has changed. The chunk of a process that has ended stays as it is. */
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
	if (size)
		chunk->read_ns = code->latest_ns;
	if (size == 0 || (chunk->module && window.start == chunk->base && size == chunk->size &&
			  memcmp(bytes, chunk->bytes, size) == 0))
		return;
	if (!live_code_is_full(code))
		take_bytes(code, chunk, bytes, size, window.start);
}

/* --- all chunks ----------------------------------------------------------------------------------- */

static bool is_chunk(const void *items, uint32_t number, const void *key)
{
	const struct chunk *chunk = &((const struct chunk *)items)[number], *wanted = key;

	return chunk->pid == wanted->pid && chunk->address == wanted->address;
}

static uint64_t hash_of(uint32_t pid, uint64_t address)
{
	return hash_combine(hash_u64(pid), address);
}

static struct chunk *find_or_add(struct live_code *code, uint32_t pid, uint64_t address)
{
	const struct chunk wanted = { .pid = pid, .address = address };
	const uint64_t hash = hash_of(pid, address);
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

bool live_code_is_large(const struct live_code *code)
{
	return code->bytes >= code->large_bytes;
}

/* Keeps only recently used chunks: processes end, and programs go on to run other code. */
void live_code_shrink(struct live_code *code)
{
	size_t kept = 0;

	code_exits_forget(code->exits);
	free_retired(code);
	hash_table_clear(&code->by_address);
	code->bytes = 0;
	for (size_t i = 0; i < code->count; i++) {
		const struct chunk *chunk = &code->chunks[i];

		if (code->generation - chunk->generation > UNUSED_GENERATIONS) {
			free_chunk(chunk);
			continue;
		}
		hash_table_insert(&code->by_address, hash_of(chunk->pid, chunk->address), (uint32_t)kept);
		code->bytes += chunk->size;
		code->chunks[kept++] = *chunk;
	}
	code->count = kept;
	code->large_bytes = code->bytes + LARGE_BYTES;
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

/* --- was the code there when a sample was taken? -------------------------------------------------- */

void live_code_note_mapping(struct live_code *code, uint32_t pid, const struct logged_mapping *mapping,
			    bool executable)
{
	if (executable && !mapping_log_has_process(code->mappings, pid)) {
		mapping_log_add_process(code->mappings, pid);
		code->new_round = code->round;
	}
	mapping_log_note(code->mappings, pid, mapping);
	if (mapping->time_ns > code->latest_ns)
		code->latest_ns = mapping->time_ns;
}

void live_code_begin_round(struct live_code *code)
{
	code->round++;
}

bool live_code_is_new(const struct live_code *code)
{
	return code->new_round && code->round - code->new_round < NEW_ROUNDS;
}

bool live_code_was_new_lately(const struct live_code *code)
{
	return code->new_round && code->round - code->new_round < LATELY_ROUNDS;
}

static struct chunk *find_chunk(const struct live_code *code, uint32_t pid, uint64_t address)
{
	const struct chunk wanted = { .pid = pid, .address = address & ~(uint64_t)(CHUNK_BYTES - 1) };
	const uint32_t number = hash_table_find(&code->by_address, hash_of(pid, wanted.address), is_chunk,
						code->chunks, &wanted);
	struct chunk *chunk = number == HASH_TABLE_NONE ? NULL : &code->chunks[number];

	return chunk && chunk->module && address - chunk->base < chunk->size ? chunk : NULL;
}

/* Blocks around an address of a chunk, [first, end). */
struct block_range {
	size_t first, end;
};

static struct block_range blocks_around(const struct chunk *chunk, uint64_t address)
{
	const uint64_t offset = address - chunk->base, behind = offset + COMPARED_BEHIND_BYTES - 1;
	const size_t count = chunk->size / BLOCK_BYTES;
	struct block_range range = { .end = (size_t)behind / BLOCK_BYTES + 1 };

	if (offset > COMPARED_BEFORE_BYTES)
		range.first = (size_t)(offset - COMPARED_BEFORE_BYTES) / BLOCK_BYTES;
	if (range.end > count)
		range.end = count;
	return range;
}

/* Blocks to be read in one call, each with its chunk. */
struct comparison {
	size_t count;
	uint64_t addresses[PROCESS_MEMORY_MAX_PARTS];
	struct chunk *chunks[PROCESS_MEMORY_MAX_PARTS];
	uint8_t bytes[PROCESS_MEMORY_MAX_PARTS * BLOCK_BYTES];
};

static enum live_state compare_blocks(struct live_code *code, struct comparison *comparison, uint32_t pid)
{
	const size_t wanted = comparison->count * BLOCK_BYTES;
	enum live_state state = LIVE_SAME;

	if (comparison->count == 0)
		return LIVE_SAME;
	if (process_memory_read_parts(pid, comparison->addresses, comparison->count, comparison->bytes,
				      BLOCK_BYTES) < wanted)
		return LIVE_GONE;
	for (size_t i = 0; i < comparison->count; i++) {
		struct chunk *chunk = comparison->chunks[i];
		const uint64_t offset = comparison->addresses[i] - chunk->base;
		struct block *block = &chunk->blocks[offset / BLOCK_BYTES];

		if (memcmp(comparison->bytes + i * BLOCK_BYTES, chunk->bytes + offset, BLOCK_BYTES) == 0) {
			block->same_in = code->round;
			continue;
		}
		block->is_changed = true;
		chunk->changed_in = code->comparison;
		state = LIVE_CHANGED;
	}
	return state;
}

/*
 * All samples of a round were taken before the first is processed, so a comparison made in this round is later than each of these
 * samples, and its result holds for all.
 */
static void add_blocks(struct live_code *code, struct comparison *comparison, struct chunk *chunk,
		       uint64_t address)
{
	const struct block_range range = blocks_around(chunk, address);

	for (size_t i = range.first; i < range.end; i++) {
		if (chunk->blocks[i].compared == code->comparison)
			continue;
		chunk->blocks[i].compared = code->comparison;
		chunk->blocks[i].is_changed = false;
		if (chunk->blocks[i].same_in == code->round)
			continue;
		comparison->addresses[comparison->count] = chunk->base + i * BLOCK_BYTES;
		comparison->chunks[comparison->count++] = chunk;
	}
}

static struct live_range range_of(const struct chunk *chunk)
{
	return (struct live_range){ chunk->base, chunk->base + chunk->size };
}

/* Reads changed code again, and makes earlier results invalid. */
static void read_changed(struct live_code *code, uint32_t pid, uint64_t address)
{
	struct chunk *chunk = find_chunk(code, pid, address);
	struct live_range range;

	if (!chunk || chunk->changed_in != code->comparison || chunk->read_in == code->comparison)
		return;
	range = range_of(chunk);
	chunk->read_in = code->comparison;
	chunk->unchanged_ns = chunk->read_ns;
	compare(code, chunk, address, &range);
	code->changes++;
}

static enum live_state compare_all(struct live_code *code, uint32_t pid, const uint64_t *addresses,
				   size_t count)
{
	struct comparison comparison; /* not cleared, which would take longer than comparing */
	enum live_state state = LIVE_SAME, part;

	comparison.count = 0;
	for (size_t i = 0; i <= count && state != LIVE_GONE; i++) {
		struct chunk *chunk = i < count ? find_chunk(code, pid, addresses[i]) : NULL;

		if (i < count && !chunk)
			return LIVE_GONE;
		if (chunk)
			add_blocks(code, &comparison, chunk, addresses[i]);
		if (i < count && comparison.count <= PROCESS_MEMORY_MAX_PARTS - MAX_BLOCKS_AROUND)
			continue;
		part = compare_blocks(code, &comparison, pid);
		if (part != LIVE_SAME)
			state = part;
		comparison.count = 0;
	}
	return state;
}

static void note_read(struct chunk *chunk, uint64_t time_ns)
{
	if (chunk->read_ns < time_ns)
		chunk->read_ns = time_ns;
}

enum live_state live_code_recheck(struct live_code *code, uint32_t pid, uint64_t time_ns,
				  const uint64_t *addresses, size_t count)
{
	enum live_state state;

	if (time_ns > code->latest_ns)
		code->latest_ns = time_ns;
	code->comparison++;
	state = compare_all(code, pid, addresses, count);
	/* Without room for the changed code, it cannot be used for any stack. */
	if (state == LIVE_CHANGED && live_code_is_full(code))
		return LIVE_CHANGED;
	for (size_t i = 0; state == LIVE_CHANGED && i < count; i++)
		read_changed(code, pid, addresses[i]);
	/* The comparison may have been made earlier in the round: after this sample, but perhaps before the latest record. */
	for (size_t i = 0; state == LIVE_SAME && i < count; i++)
		note_read(find_chunk(code, pid, addresses[i]), time_ns);
	return state;
}

void live_code_note_replaced(struct live_code *code, uint32_t pid, const uint64_t *addresses, size_t count)
{
	code->new_round = code->round;
	for (size_t i = 0; i < count; i++) {
		struct chunk *chunk = find_chunk(code, pid, addresses[i]);
		struct block_range range;
		bool is_mapped;

		if (!chunk || chunk->changed_in != code->comparison)
			continue;
		is_mapped =
			mapping_log_is_mapped_after(code->mappings, pid, addresses[i], chunk->unchanged_ns);
		range = blocks_around(chunk, addresses[i]);
		for (size_t block = range.first; block < range.end; block++)
			if (chunk->blocks[block].is_changed) {
				chunk->blocks[block].is_remapped |= is_mapped;
				chunk->blocks[block].is_rewritten |= !is_mapped;
			}
	}
}

/* The common state of all blocks around an address. */
static struct block known_around(const struct chunk *chunk, uint64_t address)
{
	const struct block_range range = blocks_around(chunk, address);
	struct block known = { .since = 0 };

	for (size_t i = range.first; i < range.end; i++) {
		const struct block *block = &chunk->blocks[i];

		if (block->since > known.since)
			known.since = block->since;
		known.is_remapped |= block->is_remapped;
		known.is_rewritten |= block->is_rewritten;
	}
	return known;
}

bool live_code_was_same(const struct live_code *code, uint32_t pid, uint64_t address, uint64_t time_ns,
			enum live_state state)
{
	const struct chunk *chunk = find_chunk(code, pid, address);
	bool is_mapped_since, was_known;
	struct block known;

	if (!chunk)
		return false;
	known = known_around(chunk, address);
	if (state == LIVE_GONE) /* nothing is known about the time after the last read */
		return !known.is_rewritten &&
		       !mapping_log_is_mapped_after(code->mappings, pid, address,
						    time_ns < chunk->read_ns ? time_ns : chunk->read_ns);
	is_mapped_since = mapping_log_is_mapped_after(code->mappings, pid, address, time_ns);
	/* Samples of the round after the read may still be older than the read. */
	was_known = known.since + 2 <= code->round;
	if (known.is_rewritten)
		return was_known && !is_mapped_since;
	return !is_mapped_since || (was_known && !known.is_remapped);
}
