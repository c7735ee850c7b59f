#ifndef XPROF_UNWIND_CODE_OFFSET_SET_H
#define XPROF_UNWIND_CODE_OFFSET_SET_H

/*
 * Offsets in a piece of code, as of the instructions that a search has visited. Its size depends on how many there are and
 * on how near to each other, not on how large the code is: a browser's is 200 MB.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct offset_word;

/* All zero: empty. */
struct offset_set {
	struct offset_word *words;
	size_t capacity; /* 0 or a power of two */
	size_t count;
};

void offset_set_fini(struct offset_set *set);

/* True if it was not there yet. */
bool offset_set_add(struct offset_set *set, size_t offset);
bool offset_set_has(const struct offset_set *set, size_t offset);

#endif
