#ifndef XPROF_UNWIND_CODE_COVER_H
#define XPROF_UNWIND_CODE_COVER_H

/* A bit for each byte of a piece of code: set if unwind information describes the byte. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_range {
	uint64_t start, end; /* vaddrs [start, end) */
};

/* Puts them in order and joins those that touch: fewer are left, as many as are returned. Empty ones go. */
size_t code_ranges_join(struct code_range *ranges, size_t count);

struct code_cover;

/* Of `size` bytes at a vaddr, which some of the joined ranges describe. */
struct code_cover *code_cover_create(uint64_t vaddr, size_t size, const struct code_range *ranges,
				     size_t count);
void code_cover_destroy(struct code_cover *cover);

/* Is byte `offset` of the piece described? */
bool code_cover_has(const struct code_cover *cover, size_t offset);

/* The first one from `offset` on that is not: `offset` itself, at most the size. */
size_t code_cover_until(const struct code_cover *cover, size_t offset);

#endif
