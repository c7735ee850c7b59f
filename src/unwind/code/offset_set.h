#ifndef XPROF_UNWIND_CODE_OFFSET_SET_H
#define XPROF_UNWIND_CODE_OFFSET_SET_H

/*
 * A set of offsets in a piece of code, such as the instructions that a search has visited. Its size depends on the number
 * of offsets and how close they are, not on the size of the code, which may be 200 MB in a browser.
 */

#include <stdbool.h>
#include <stddef.h>

struct offset_word;

/* All zero: empty. */
struct offset_set {
	struct offset_word *words;
	size_t capacity; /* 0 or a power of two */
	size_t count;
};

void offset_set_fini(struct offset_set *set);

/* Returns true if the offset is new. */
bool offset_set_add(struct offset_set *set, size_t offset);
bool offset_set_has(const struct offset_set *set, size_t offset);

#endif
