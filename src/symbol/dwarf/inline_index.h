#ifndef XPROF_SYMBOL_INLINE_INDEX_H
#define XPROF_SYMBOL_INLINE_INDEX_H

/*
 * The functions of one unit, and what was inlined into them: address → the
 * function's entry and those of the inlined calls around the address (DWARF 5,
 * sections 3.3.1 and 3.3.8).
 */

#include "symbol/dwarf/dwarf_ranges.h"
#include "symbol/dwarf/owned_ranges.h"

/* A function that was compiled, or an inlined call. In the order of their entries, callers before what they call. */
struct inline_scope {
	Dwarf_Die entry;
	uint32_t first_range, range_count;
	uint32_t end; /* number of the first scope that is not inside of this one */
	bool is_function;
	uint32_t whole; /* of a function: the number of itself with the calls inside, once they were asked for */
};

/* Where code may lie: what was left out of the program has ranges that begin at addresses like 0. */
typedef bool inline_index_is_code(uint64_t vaddr, const void *context);

/* Zeroed before the first use; read again and again, it uses its memory again. */
struct inline_index {
	inline_index_is_code *is_code;
	const void *context;
	bool nests_functions;
	struct inline_scope *scopes;
	size_t scope_count, scope_capacity;
	struct dwarf_ranges ranges;
	struct owned_ranges functions; /* of the scopes of that number */
};

enum { INLINE_MAX_DEPTH = 256 };

/*
 * Of the unit whose first entry this is, for as long as the entry's handle is open. `wanted`: rising addresses, of
 * which some may be asked for; NULL: any, and what was inlined into a function is read when it is asked for.
 */
void inline_index_read(struct inline_index *index, const struct dwarf_sections *sections, Dwarf_Die *unit,
		       inline_index_is_code *is_code, const void *context, const uint64_t *wanted,
		       size_t wanted_count);
void inline_index_fini(struct inline_index *index);

/* The part of a function, the scope `owner`, that the address lies in; NULL: of none. */
const struct owned_range *inline_index_function(const struct inline_index *index, uint64_t address);

/* Fills `scopes` with the numbers of the function and the inlined calls inside each other; 0: nothing is known there. */
size_t inline_index_find(struct inline_index *index, uint64_t address, uint32_t scopes[INLINE_MAX_DEPTH]);

#endif
