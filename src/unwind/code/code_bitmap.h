#ifndef XPROF_UNWIND_CODE_BITMAP_H
#define XPROF_UNWIND_CODE_BITMAP_H

/* A bit for each byte of a piece of code: set if unwind information describes the byte. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_range {
	uint64_t start, end; /* vaddrs [start, end) */
};

/* Sorts ranges, joins adjacent ones and removes empty ones. Returns the new number. */
size_t code_ranges_join(struct code_range *ranges, size_t count);

struct code_bitmap;

/* Makes a bitmap for `size` bytes of code at `vaddr`; `ranges` (joined) are described. */
struct code_bitmap *code_bitmap_create(uint64_t vaddr, size_t size, const struct code_range *ranges,
				       size_t count);
void code_bitmap_destroy(struct code_bitmap *bitmap);

/* Is byte `offset` of the piece described? */
bool code_bitmap_has(const struct code_bitmap *bitmap, size_t offset);

/* The first byte from `offset` on that is not described; the size if there is none. */
size_t code_bitmap_until(const struct code_bitmap *bitmap, size_t offset);

#endif
