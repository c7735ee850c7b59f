#ifndef XPROF_SYMBOL_INLINE_INDEX_H
#define XPROF_SYMBOL_INLINE_INDEX_H

/*
 * The functions and inlined calls of one unit: address → the entries of the function and of the inlined calls
 * that contain it (DWARF 5, sections 3.3.1 and 3.3.8).
 */

#include "symbol/dwarf/dwarf_ranges.h"
#include "symbol/dwarf/owned_ranges.h"

/* A compiled function, or an inlined call. Scopes are in the order of their entries, callers before callees. */
struct inline_scope {
	Dwarf_Die entry;
	uint32_t first_range, range_count;
	uint32_t end; /* number of the first scope that is not inside of this one */
	bool is_function;
	uint32_t whole; /* of a function: number of its complete scope, with its inlined calls, once they have
			   been read */
};

/*
 * May there be code at the address? Functions that the linker removed have ranges that begin at addresses
 * such as 0.
 */
typedef bool inline_index_is_code(uint64_t vaddr, const void *context);

/* Must be zeroed before the first use; reuses its memory for the next unit. */
struct inline_index {
	inline_index_is_code *is_code;
	const void *context;
	bool nests_functions;
	struct inline_scope *scopes;
	size_t scope_count, scope_capacity;
	struct dwarf_ranges ranges;
	struct owned_ranges functions; /* owners are numbers of scopes */
};

enum { INLINE_MAX_DEPTH = 256 };

/*
 * Reads the unit with the first entry `unit`. Valid as long as the entry's handle is open. `wanted`: the addresses
 * that may be looked up, ascending; NULL: any, and the inlined calls of a function are read at the first lookup in
 * it.
 */
void inline_index_read(struct inline_index *index, const struct dwarf_sections *sections, Dwarf_Die *unit,
		       inline_index_is_code *is_code, const void *context, const uint64_t *wanted,
		       size_t wanted_count);
void inline_index_fini(struct inline_index *index);

/*
 * The range of a function that contains the address; its owner is the number of the scope. NULL if there is
 * none.
 */
const struct owned_range *inline_index_function(const struct inline_index *index, uint64_t address);

/*
 * Stores the numbers of the function and of the nested inlined calls at an address, outermost first. Returns their
 * number; 0 if nothing is known.
 */
size_t inline_index_find(struct inline_index *index, uint64_t address, uint32_t scopes[INLINE_MAX_DEPTH]);

#endif
