#ifndef XPROF_SYMBOL_UNIT_SOURCE_H
#define XPROF_SYMBOL_UNIT_SOURCE_H

/* The source frames of addresses in one unit, from its inlined calls and its line table. */

#include "base/str_pool.h"
#include "base/strbuf.h"
#include "symbol/dwarf/dwarf_file.h"
#include "symbol/dwarf/inline_index.h"
#include "symbol/dwarf/split_dwarf.h"

/* function and file are numbers in a pool of texts; 0, the empty text: unknown. */
struct unit_frame {
	uint32_t function;
	uint32_t file;
	uint32_t line;
};

/* Where to find the parts of a unit. Shared by threads. */
struct unit_context {
	const struct dwarf_file *file;
	const struct split_package *package; /* NULL: none */
	const char *symfs;
	const char *directory; /* of the binary */
	inline_index_is_code *is_code;
	const void *is_code_context;
};

/* Must be zeroed before the first use; reuses its memory for the next unit. */
struct unit_source {
	const struct dwarf_unit *unit; /* NULL: no unit was read */
	const struct dwarf_handle *handle;
	Dwarf_Die entry; /* the first entry, with the line table; addr NULL: damaged */
	struct split_unit split;
	bool is_split;
	struct inline_index inlines;
	Dwarf_Files *call_files; /* NULL: not known */
	struct strbuf scratch;
};

/*
 * Reads a unit through `handle`, which belongs to the context's file and must stay open. `wanted` is as for
 * inline_index_read(). Returns -1 with err set if a part was not found; lines are available nevertheless.
 */
int unit_source_read(struct unit_source *source, const struct dwarf_unit *unit,
		     const struct unit_context *context, const struct dwarf_handle *handle,
		     const uint64_t *wanted, size_t wanted_count, struct error *err);

/* Stores the frames of an address, innermost first. Returns their number. */
size_t unit_source_find(struct unit_source *source, uint64_t vaddr, struct str_pool *texts,
			struct unit_frame frames[INLINE_MAX_DEPTH]);

/* The range of the function that contains the address, and its name as in a frame; NULL if there is none. */
const struct owned_range *unit_source_function(struct unit_source *source, uint64_t vaddr,
					       struct str_pool *texts, uint32_t *name);
void unit_source_fini(struct unit_source *source);

#endif
