/*
 * Only one unit is in memory, that of the last address. Its inline index gives the functions around an address, its line
 * table the line and the discriminator, encoded as in llvm/IR/DebugInfoMetadata.h.
 */
#include "symbol/dwarf/site_index.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/partition_point.h"
#include "base/str_pool.h"
#include "base/xalloc.h"
#include "symbol/dwarf/dwarf_file.h"
#include "symbol/dwarf/inline_index.h"

#ifndef DW_AT_GNU_discriminator
#define DW_AT_GNU_discriminator 0x2136
#endif

struct site_index {
	struct dwarf_file *file;
	struct dwarf_handle handle;
	struct str_pool *names;
	struct dwarf_unit_range *ranges; /* sorted by address */
	size_t range_count;
	uint32_t unit; /* the unit that was read; UINT32_MAX: none */
	Dwarf_Die entry;
	struct inline_index inlines;
};

/* --- discriminators ------------------------------------------------------------------------ */

static uint32_t decode_prefix(uint32_t encoded)
{
	if (encoded & 1)
		return 0;
	encoded >>= 1;
	return encoded & 0x20 ? (encoded >> 1 & 0xfe0) | (encoded & 0x1f) : encoded & 0x1f;
}

/* A discriminator consists of a base, a number of copies and an identifier of the copy. */
static uint32_t next_component(uint32_t encoded)
{
	if (encoded & 1)
		return encoded >> 1;
	return encoded >> (encoded & 0x40 ? 14 : 7);
}

static void set_discriminator(struct source_site *site, uint32_t encoded)
{
	const uint32_t copies = decode_prefix(next_component(encoded));

	site->discriminator = decode_prefix(encoded);
	site->copies = copies ? copies : 1;
}

/* --- units --------------------------------------------------------------------------------- */

static int compare_ranges(const void *a, const void *b)
{
	const struct dwarf_unit_range *left = a, *right = b;

	return left->low < right->low ? -1 : left->low > right->low;
}

static void sort_ranges(struct site_index *index)
{
	const struct dwarf_unit_range *ranges = dwarf_file_ranges(index->file, &index->range_count);

	index->ranges = xmalloc((index->range_count + 1) * sizeof(*ranges));
	for (size_t i = 0; i < index->range_count; i++)
		index->ranges[i] = ranges[i];
	if (index->range_count)
		qsort(index->ranges, index->range_count, sizeof(*ranges), compare_ranges);
}

struct site_index *site_index_open(struct elf_file *binary, struct elf_file *debug,
				   const struct debug_file_search *search, struct error *err)
{
	struct site_index *index = xcalloc(1, sizeof(*index));

	index->unit = UINT32_MAX;
	index->names = str_pool_create();
	index->file = dwarf_file_open(debug ? debug : binary, search, err);
	if (!index->file || dwarf_file_unit_count(index->file) == 0 ||
	    dwarf_file_open_handle(index->file, &index->handle)) {
		if (index->file)
			error_set(err, "there is no debug information");
		site_index_close(index);
		return NULL;
	}
	sort_ranges(index);
	return index;
}

void site_index_close(struct site_index *index)
{
	inline_index_fini(&index->inlines);
	dwarf_handle_close(&index->handle);
	dwarf_file_close(index->file);
	str_pool_destroy(index->names);
	free(index->ranges);
	free(index);
}

/* Functions that the linker removed have ranges at 0. */
static bool is_code(uint64_t vaddr, const void *context)
{
	(void)context;
	return vaddr != 0;
}

static bool read_unit(struct site_index *index, uint64_t vaddr)
{
	const size_t first = PARTITION_POINT(i, 0, index->range_count, index->ranges[i].low <= vaddr);
	const struct dwarf_unit *unit;

	if (first == 0 || vaddr >= index->ranges[first - 1].high)
		return false;
	if (index->unit == index->ranges[first - 1].unit)
		return index->entry.addr != NULL;
	index->unit = index->ranges[first - 1].unit;
	unit = dwarf_file_unit(index->file, index->unit);
	index->entry.addr = NULL;
	if (unit->split_name || !dwarf_offdie(index->handle.dwarf, unit->entry, &index->entry)) {
		index->entry.addr = NULL;
		return false;
	}
	inline_index_read(&index->inlines, dwarf_file_sections(index->file), &index->entry, is_code, NULL,
			  NULL, 0);
	return true;
}

/* --- sites --------------------------------------------------------------------------------- */

/* Line of the function's declaration, also for an inlined function. */
static uint32_t declared_at(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line;

	return dwarf_formudata(dwarf_attr_integrate(entry, DW_AT_decl_line, &attribute), &line) == 0 ?
		       (uint32_t)line :
		       0;
}

static void set_function(struct site_index *index, struct source_site *site, Dwarf_Die *entry, uint32_t line)
{
	const char *name = dwarf_handle_name(&index->handle, entry);

	site->function = str_pool_text(index->names, str_pool_add(index->names, name ? name : ""));
	site->line = (line - declared_at(entry)) & 0xffff;
}

static void set_own_line(struct site_index *index, struct source_site *site, Dwarf_Die *entry, uint64_t vaddr)
{
	Dwarf_Line *line = dwarf_getsrc_die(&index->entry, vaddr);
	unsigned int discriminator = 0;
	int number = 0;

	if (line) {
		(void)dwarf_lineno(line, &number);
		(void)dwarf_linediscriminator(line, &discriminator);
	}
	set_function(index, site, entry, (uint32_t)number);
	set_discriminator(site, discriminator);
}

size_t site_index_find(struct site_index *index, uint64_t vaddr, struct source_site sites[SITE_MAX_DEPTH])
{
	uint32_t scopes[INLINE_MAX_DEPTH];
	size_t count;

	if (!read_unit(index, vaddr))
		return 0;
	count = inline_index_find(&index->inlines, vaddr, scopes);
	for (size_t i = 0; i < count; i++) {
		Dwarf_Die *entry = &index->inlines.scopes[scopes[i]].entry;
		Dwarf_Die *call = i + 1 < count ? &index->inlines.scopes[scopes[i + 1]].entry : NULL;

		if (!call) {
			set_own_line(index, &sites[i], entry, vaddr);
			continue;
		}
		set_function(index, &sites[i], entry, (uint32_t)dwarf_handle_number(call, DW_AT_call_line));
		set_discriminator(&sites[i], (uint32_t)dwarf_handle_number(call, DW_AT_GNU_discriminator));
	}
	return count;
}
