/*
 * There are two kinds of table, the linker's, used in place, and our own. Both are reached through start_of() and
 * fde_index_slot(), so that searches are written once. After enough searches make_pages() divides the code into pages and notes
 * the first FDE of each, which leaves a few steps of the binary search. FDEs may overlap, hence fde_index_find_back().
 */
#include "unwind/cfi/fde_index.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/partition_point.h"
#include "base/xalloc.h"
#include "unwind/cfi/encoded_pointer.h"

/*
 * A search in a large library's table takes 17 steps, most of which wait for memory. So the code is cut into pages, small enough
 * that few FDEs begin in each.
 */
enum { PAGES_PER_FDE = 2 };

/* One search without pages loses as much time as dividing this many FDEs into pages takes. */
enum { FDES_PER_SEARCH = 16 };

struct page_table {
	uint32_t *first; /* by page, plus one at the end: the first FDE that does not begin before the page; or NULL */
	size_t count;
	unsigned page_bits;
	uint64_t start; /* vaddr of the first FDE and of page 0 */
};

struct fde_index {
	struct cfi_section section;
	const uint8_t *table; /* the linker's (start, FDE), 4 bytes each from .eh_frame_hdr on; or NULL */
	struct fde_index_slot *slots; /* our own, if `table` is NULL */
	uint32_t count;
	struct page_table pages;
	uint32_t searches_left; /* before pages are made; 0: made, or impossible */
	struct cfi_cie_memo cies;
};

/* FDEs of hand-written or damaged CFI may overlap: so many are tried, backwards, before the vaddr counts as not covered. */
enum { MAX_OVERLAP = 8 };

bool fde_index_find_table(const struct cfi_section *section, const uint8_t *hdr, size_t hdr_size,
			  size_t *offset, uint32_t *count)
{
	struct byte_reader r = byte_reader_over(hdr, hdr_size, section->swap);
	struct pointer_bases bases = {
		.bytes = hdr,
		.bytes_vaddr = section->hdr_vaddr,
		.data_vaddr = section->hdr_vaddr,
		.address_bytes = section->is_64bit ? 8 : 4,
	};
	uint8_t version = byte_reader_u8(&r), frame_encoding = byte_reader_u8(&r);
	uint8_t count_encoding = byte_reader_u8(&r), table_encoding = byte_reader_u8(&r);
	uint64_t pairs;

	if (version != 1 || table_encoding != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
	    count_encoding == DW_EH_PE_omit || frame_encoding == DW_EH_PE_omit)
		return false;
	(void)encoded_pointer_read(&r, frame_encoding, &bases);
	pairs = encoded_pointer_read(&r, count_encoding, &bases);
	if (!byte_reader_ok(&r) || pairs == 0 || pairs > byte_reader_left(&r) / FDE_INDEX_PAIR_BYTES)
		return false;
	*offset = hdr_size - byte_reader_left(&r);
	*count = (uint32_t)pairs;
	return true;
}

static int compare_slots(const void *a, const void *b)
{
	const struct fde_index_slot *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->fde_offset < y->fde_offset ? -1 : x->fde_offset > y->fde_offset;
}

static void make_slots(struct fde_index *index)
{
	size_t count = 0, capacity = 0;
	uint64_t offset = 0, next;

	for (; offset != UINT64_MAX; offset = next) {
		struct cfi_fde fde;

		if (cfi_section_fde(&index->section, &index->cies, offset, &fde, &next) != 1)
			continue;
		*ARRAY_ADD(index->slots, count, capacity) = (struct fde_index_slot){ fde.start, offset };
	}
	if (count)
		qsort(index->slots, count, sizeof(*index->slots), compare_slots);
	index->count = (uint32_t)count;
}

struct fde_index *fde_index_create(const struct cfi_section *section, const uint8_t *hdr, size_t hdr_size)
{
	struct fde_index *index = xcalloc(1, sizeof(*index));
	size_t table;

	index->section = *section;
	if (fde_index_find_table(section, hdr, hdr_size, &table, &index->count))
		index->table = hdr + table;
	else
		make_slots(index);
	if (index->count > 0)
		index->searches_left = 1 + index->count / FDES_PER_SEARCH;
	return index;
}

void fde_index_destroy(struct fde_index *index)
{
	if (!index)
		return;
	free(index->slots);
	free(index->pages.first);
	free(index);
}

const struct cfi_section *fde_index_section(const struct fde_index *index)
{
	return &index->section;
}

const struct cfi_cie *fde_index_cie(struct fde_index *index, const struct cfi_fde *fde)
{
	return cfi_section_cie(&index->section, &index->cies, fde->cie_offset);
}

int fde_index_read(struct fde_index *index, uint64_t fde_offset, struct cfi_fde *fde)
{
	uint64_t next;

	return cfi_section_fde(&index->section, &index->cies, fde_offset, fde, &next);
}

uint32_t fde_index_count(const struct fde_index *index)
{
	return index->count;
}

/*
 * Returns one of the two numbers of a pair in the linker's table as a vaddr. fde_index_find_table() has checked that all `count`
 * pairs are there.
 */
static uint64_t table_vaddr(const struct fde_index *index, uint32_t number, size_t which)
{
	uint32_t value;

	memcpy(&value, index->table + (size_t)number * FDE_INDEX_PAIR_BYTES + which * sizeof(value),
	       sizeof(value));
	if (index->section.swap)
		value = __builtin_bswap32(value);
	return index->section.hdr_vaddr + (uint64_t)(int64_t)(int32_t)value;
}

static uint64_t start_of(const struct fde_index *index, uint32_t number)
{
	return index->table ? table_vaddr(index, number, 0) : index->slots[number].start;
}

int fde_index_slot(const struct fde_index *index, uint32_t number, struct fde_index_slot *slot)
{
	uint64_t vaddr;

	if (!index->table) {
		*slot = index->slots[number];
		return 0;
	}
	vaddr = table_vaddr(index, number, 1);
	*slot = (struct fde_index_slot){ start_of(index, number), vaddr - index->section.vaddr };
	return vaddr >= index->section.vaddr && slot->fde_offset < index->section.size ? 0 : -1;
}

/* Returns false if starts do not ascend: a search in an unsorted table may miss entries. */
static bool fill_pages(const struct fde_index *index, struct page_table *pages)
{
	uint64_t last = pages->start;
	size_t filled = 0;

	for (uint32_t number = 0; number < index->count; number++) {
		const uint64_t start = start_of(index, number);
		const size_t page = (size_t)((start - pages->start) >> pages->page_bits);

		if (start < last || page >= pages->count)
			return false;
		last = start;
		while (filled <= page)
			pages->first[filled++] = number;
	}
	while (filled <= pages->count)
		pages->first[filled++] = index->count;
	return true;
}

static void make_pages(struct fde_index *index)
{
	struct page_table *pages = &index->pages;
	uint64_t span;

	pages->start = start_of(index, 0);
	span = start_of(index, index->count - 1) - pages->start;
	while (span >> pages->page_bits >= (uint64_t)PAGES_PER_FDE * index->count)
		pages->page_bits++;
	pages->count = (size_t)(span >> pages->page_bits) + 1;
	pages->first = xmalloc((pages->count + 1) * sizeof(*pages->first));
	if (!fill_pages(index, pages)) {
		free(pages->first);
		pages->first = NULL;
	}
}

/* The number of FDEs that begin at or below the vaddr. */
static uint32_t count_up_to(struct fde_index *index, uint64_t vaddr)
{
	const struct page_table *pages = &index->pages;
	uint32_t low = 0, high = index->count;

	if (index->searches_left > 0 && --index->searches_left == 0)
		make_pages(index);
	if (pages->first) {
		const uint64_t page = (vaddr - pages->start) >> pages->page_bits;

		if (vaddr < pages->start)
			return 0;
		if (page >= pages->count)
			return index->count;
		low = pages->first[page];
		high = pages->first[page + 1];
	}
	return PARTITION_POINT(i, low, high, start_of(index, i) <= vaddr);
}

int fde_index_last(struct fde_index *index, uint64_t vaddr, uint32_t *last, uint64_t *start)
{
	const uint32_t up_to = count_up_to(index, vaddr);

	if (up_to == 0)
		return 0;
	*last = up_to - 1;
	*start = start_of(index, *last);
	return 1;
}

int fde_index_find_back(struct fde_index *index, uint32_t last, uint64_t vaddr, uint32_t *number,
			struct cfi_fde *fde)
{
	for (uint32_t tried = 0; tried < MAX_OVERLAP && tried <= last; tried++) {
		struct fde_index_slot slot;

		*number = last - tried;
		if (fde_index_slot(index, *number, &slot) == 0 &&
		    fde_index_read(index, slot.fde_offset, fde) == 1 && vaddr >= fde->start &&
		    vaddr < fde->end)
			return 1;
	}
	return 0;
}

int fde_index_find(struct fde_index *index, uint64_t vaddr, uint32_t *number, struct cfi_fde *fde)
{
	uint32_t last;
	uint64_t start;

	return fde_index_last(index, vaddr, &last, &start) == 1 &&
	       fde_index_find_back(index, last, vaddr, number, fde) == 1;
}

/*
 * Does an FDE begin at the vaddr? May say no in the rare pages with more than STEPS. Tests all STEPS, without a branch that
 * depends on the position.
 */
static bool begins_there(const struct fde_index *index, uint64_t vaddr)
{
	enum { STEPS = 4 };
	const struct page_table *pages = &index->pages;
	const uint64_t page = (vaddr - pages->start) >> pages->page_bits;
	bool found = false;

	if (!pages->first || page >= pages->count)
		return false;
	for (uint32_t i = 0, number = pages->first[page]; i < STEPS; i++, number++)
		found |= number < index->count && start_of(index, number) == vaddr;
	return found;
}

bool fde_index_covers(struct fde_index *index, uint64_t vaddr)
{
	struct cfi_fde fde;
	uint32_t last, number;
	uint64_t start;

	if (begins_there(index, vaddr))
		return true;
	return fde_index_last(index, vaddr, &last, &start) == 1 &&
	       (start == vaddr || fde_index_find_back(index, last, vaddr, &number, &fde) == 1);
}
