#ifndef XPROF_SYMBOL_UNIT_SOURCE_H
#define XPROF_SYMBOL_UNIT_SOURCE_H

/* One unit's answers: its inlined calls and its lines put together to frames. */

#include "base/str_pool.h"
#include "base/strbuf.h"
#include "symbol/dwarf/dwarf_file.h"
#include "symbol/dwarf/inline_index.h"
#include "symbol/dwarf/split_dwarf.h"

/* Numbers in a pool of texts; 0, the empty one: not known. */
struct unit_frame {
	uint32_t function;
	uint32_t file;
	uint32_t line;
};

/* Finds the parts of a unit. Shared by threads. */
struct unit_context {
	const struct dwarf_file *file;
	const struct split_package *package; /* NULL: none */
	const char *symfs;
	const char *directory; /* of the binary */
	inline_index_is_code *is_code;
	const void *is_code_context;
};

/* Zeroed before the first use; read again and again, it uses its memory again. */
struct unit_source {
	const struct dwarf_unit *unit; /* NULL: none was read */
	const struct dwarf_handle *handle;
	Dwarf_Die entry; /* the first, with the lines; addr NULL: damaged */
	struct split_unit split;
	bool is_split;
	struct inline_index inlines;
	Dwarf_Files *call_files; /* NULL: not known */
	struct strbuf scratch;
};

/*
 * Through `handle`, one of the context's file, which has to stay open. `wanted` as for inline_index_read(). -1: a part
 * was not found, err says which; there are lines at least.
 */
int unit_source_read(struct unit_source *source, const struct dwarf_unit *unit,
		     const struct unit_context *context, const struct dwarf_handle *handle,
		     const uint64_t *wanted, size_t wanted_count, struct error *err);

/* Innermost first; their number. */
size_t unit_source_find(struct unit_source *source, uint64_t vaddr, struct str_pool *texts,
			struct unit_frame frames[INLINE_MAX_DEPTH]);

/* The part of a function that the address lies in, and its name as in a frame; NULL: of none. */
const struct owned_range *unit_source_function(struct unit_source *source, uint64_t vaddr,
					       struct str_pool *texts, uint32_t *name);
void unit_source_fini(struct unit_source *source);

#endif
