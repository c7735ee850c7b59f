#include "record/live_code.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "base/hash_table.h"
#include "base/xalloc.h"

enum {
	PAGE_BYTES = 4096,
	BEFORE_BYTES = 16,  /* of the page in front: a call ends there whose return address begins this one */
	BEHIND_BYTES = 256, /* of the page behind: instructions go on there */
	MAX_PAGES = 4096, /* 20 MB; those of processes that ended and those that were written anew included */
	/* Modules of files have numbers from 0 up. */
	LEAST_NUMBER = MODULE_MAX_NUMBER / 2,
};

struct page_item {
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
	struct page_item *items;
	size_t count, capacity;
	struct retired *retired;
	size_t retired_count, retired_capacity;
	struct hash_table by_address;
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
	hash_table_init(&code->by_address);
	return code;
}

void live_code_destroy(struct live_code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->count; i++) {
		module_destroy(code->items[i].module);
		free(code->items[i].bytes);
	}
	for (size_t i = 0; i < code->retired_count; i++) {
		module_destroy(code->retired[i].module);
		free(code->retired[i].bytes);
	}
	free(code->items);
	free(code->retired);
	hash_table_fini(&code->by_address);
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
	return code->count + code->retired_count >= MAX_PAGES || code->next_number <= LEAST_NUMBER;
}

/* --- one page --------------------------------------------------------------------------------- */

static size_t read_memory(uint32_t pid, uint64_t address, uint8_t *to, size_t size)
{
	const struct iovec local = { .iov_base = to, .iov_len = size };
	/* Page by page, for what is not there ends the call where the last whole piece did. */
	const uint64_t page_end = (address | (PAGE_BYTES - 1)) + 1;
	struct iovec remote[3] = { { .iov_base = (void *)(uintptr_t)address,
				     .iov_len = page_end - address } };
	unsigned long count = 1;
	ssize_t got;

	for (uint64_t at = page_end; at < address + size; at += PAGE_BYTES)
		remote[count++] =
			(struct iovec){ .iov_base = (void *)(uintptr_t)at,
					.iov_len = address + size - at < PAGE_BYTES ? address + size - at :
										      PAGE_BYTES };
	got = process_vm_readv((pid_t)pid, &local, 1, remote, count, 0);
	return got > 0 ? (size_t)got : 0;
}

/* The page with a little on both sides, where there is any: from *base on. 0: it cannot be read. */
static size_t read_page(uint32_t pid, uint64_t address, uint8_t *to, uint64_t *base)
{
	size_t size;

	*base = address - BEFORE_BYTES;
	size = read_memory(pid, *base, to, BEFORE_BYTES + PAGE_BYTES + BEHIND_BYTES);
	if (size >= BEFORE_BYTES + PAGE_BYTES)
		return size;
	*base = address;
	size = read_memory(pid, *base, to, PAGE_BYTES + BEHIND_BYTES);
	return size >= PAGE_BYTES ? size : 0;
}

static void retire(struct live_code *code, struct page_item *item)
{
	if (!item->module)
		return;
	code->retired = array_grow(code->retired, &code->retired_capacity, code->retired_count + 1,
				   sizeof(*code->retired));
	code->retired[code->retired_count++] =
		(struct retired){ .module = item->module, .bytes = item->bytes };
}

static void take_bytes(struct live_code *code, struct page_item *item, const uint8_t *bytes, size_t size,
		       uint64_t base)
{
	struct module_frames frames = { .code_size = size };

	retire(code, item);
	item->bytes = xmalloc(size);
	memcpy(item->bytes, bytes, size);
	item->size = size;
	item->base = base;
	frames.code = item->bytes;
	item->module = module_create_live(code->next_number--, code->arch, &frames);
}

/* Is it still what it was? A process that has ended since changes nothing any more. */
static void compare(struct live_code *code, struct page_item *item)
{
	uint8_t bytes[BEFORE_BYTES + PAGE_BYTES + BEHIND_BYTES];
	uint64_t base;
	const size_t size = read_page(item->pid, item->address, bytes, &base);

	item->generation = code->generation;
	if (size == 0 || (item->module && base == item->base && size == item->size &&
			  memcmp(bytes, item->bytes, size) == 0))
		return;
	if (!live_code_is_full(code))
		take_bytes(code, item, bytes, size, base);
}

/* --- all ------------------------------------------------------------------------------------------ */

static bool is_page(const void *items, uint32_t number, const void *key)
{
	const struct page_item *item = &((const struct page_item *)items)[number], *wanted = key;

	return item->pid == wanted->pid && item->address == wanted->address;
}

static struct page_item *find_or_add(struct live_code *code, uint32_t pid, uint64_t address)
{
	const struct page_item wanted = { .pid = pid, .address = address };
	const uint64_t hash = hash_combine(hash_u64(pid), address);
	const uint32_t number = hash_table_find(&code->by_address, hash, is_page, code->items, &wanted);

	if (number != HASH_TABLE_NONE)
		return &code->items[number];
	if (live_code_is_full(code))
		return NULL;
	code->items = array_grow(code->items, &code->capacity, code->count + 1, sizeof(*code->items));
	code->items[code->count] = wanted;
	hash_table_insert(&code->by_address, hash, (uint32_t)code->count);
	code->items[code->count].generation = code->generation - 1;
	return &code->items[code->count++];
}

bool live_code_find(struct live_code *code, uint32_t pid, uint64_t address, struct live_page *found)
{
	const uint64_t start = address & ~(uint64_t)(PAGE_BYTES - 1);
	struct page_item *item = find_or_add(code, pid, start);

	if (!item)
		return false;
	if (item->generation != code->generation)
		compare(code, item);
	*found = (struct live_page){
		.start = start, .end = start + PAGE_BYTES, .base = item->base, .module = item->module
	};
	return item->module;
}
