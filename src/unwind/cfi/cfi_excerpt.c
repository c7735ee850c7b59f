/*
 * One pass over a section finds the wanted FDEs and the CIEs they refer to. .eh_frame is cut in place, since its pointers are
 * relative: unwanted stretches become one CIE each. .debug_frame is rewritten, CIEs first, with references adjusted. See
 * make_eh_frame() and make_debug_frame().
 */
#include "unwind/cfi/cfi_excerpt.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "elf/mini_debuginfo.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/cfi/fde_index.h"

struct record { /* a CIE or an FDE */
	uint64_t offset, end;
	uint64_t cie_offset; /* of a wanted FDE; UINT64_MAX for any other record */
	bool wanted;
};

struct records {
	const struct cfi_section *section;
	struct record *items;
	size_t count, capacity;
	uint64_t *cies; /* offsets of the CIEs of wanted FDEs, sorted */
	size_t cie_count, cie_capacity;
};

struct starts {
	const uint64_t *items;
	size_t count;
};

static int compare_numbers(const void *one, const void *other)
{
	const uint64_t *a = one, *b = other;

	return *a < *b ? -1 : *a > *b;
}

static bool contains(const uint64_t *sorted, size_t count, uint64_t number)
{
	return count && bsearch(&number, sorted, count, sizeof(number), compare_numbers);
}

static void read_records(struct records *records, const struct starts *starts)
{
	struct cfi_cie_memo cies = { .places = { { .key = 0 } } };
	uint64_t offset = 0, next;

	for (; offset != UINT64_MAX; offset = next) {
		struct cfi_fde fde = { .start = 0 };
		struct record record = { .offset = offset, .cie_offset = UINT64_MAX };

		if (cfi_section_fde(records->section, &cies, offset, &fde, &next) == 1 &&
		    contains(starts->items, starts->count, fde.start)) {
			record.wanted = true;
			record.cie_offset = fde.cie_offset;
			*ARRAY_ADD(records->cies, records->cie_count, records->cie_capacity) = fde.cie_offset;
		}
		if (next == UINT64_MAX)
			return;
		record.end = next;
		*ARRAY_ADD(records->items, records->count, records->capacity) = record;
	}
}

static void want_cies(struct records *records)
{
	if (records->cie_count)
		qsort(records->cies, records->cie_count, sizeof(*records->cies), compare_numbers);
	for (size_t i = 0; i < records->count; i++)
		if (contains(records->cies, records->cie_count, records->items[i].offset))
			records->items[i].wanted = true;
}

static void records_init(struct records *records, const struct cfi_section *section,
			 const struct starts *starts)
{
	*records = (struct records){ .section = section };
	read_records(records, starts);
	want_cies(records);
}

static void records_fini(struct records *records)
{
	free(records->items);
	free(records->cies);
}

/* --- .eh_frame ------------------------------------------------------------------------------ */

/*
 * Replaces the bytes between two records by one CIE: length, id 0, version 1, no augmentation, code and data
 * alignment 1, return address in column 0, and zeros, which are DW_CFA_nop (LSB Core, "The Common Information
 * Entry Format").
 */
static void leave_out(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size)
{
	enum { CIE_BYTES = 13, MAX_CIE_BYTES = 0x7fffffff };
	const bool swap = elf_file_swapped(elf_excerpt_of(excerpt));
	struct strbuf cie = STRBUF_INIT;

	if (size < CIE_BYTES || size > MAX_CIE_BYTES) {
		elf_excerpt_keep(excerpt, file_offset, size);
		return;
	}
	strbuf_add_u32(&cie, (uint32_t)size - 4, swap);
	strbuf_add_u32(&cie, 0, swap);
	strbuf_add(&cie, "\1\0\1\1\0", 5);
	elf_excerpt_clear(excerpt, file_offset, size);
	elf_excerpt_put(excerpt, file_offset, cie.bytes, cie.size);
	elf_excerpt_clear(excerpt, file_offset + cie.size, size - cie.size);
	strbuf_fini(&cie);
}

static void keep_records(struct elf_excerpt *excerpt, const struct records *records, uint64_t file_offset)
{
	uint64_t end = 0;
	size_t i;

	for (i = 0; i < records->count; i++)
		if (records->items[i].wanted)
			elf_excerpt_keep(excerpt, file_offset + records->items[i].offset,
					 records->items[i].end - records->items[i].offset);
	for (i = 0; i < records->count; i++) {
		if (!records->items[i].wanted)
			continue;
		if (records->items[i].offset > end)
			leave_out(excerpt, file_offset + end, records->items[i].offset - end);
		end = records->items[i].end;
	}
	/* Zeros also mark the section's end. */
	if (records->count)
		elf_excerpt_clear(excerpt, file_offset + end, records->items[records->count - 1].end - end);
}

static bool is_listed(const struct fde_index *index, uint32_t number, const struct starts *starts,
		      struct fde_index_slot *slot)
{
	return fde_index_slot(index, number, slot) == 0 &&
	       contains(starts->items, starts->count, slot->start);
}

/*
 * Keeps the table's header and its wanted entries. The count is udata4 in every table of a linker that is searched in place; any
 * other table is kept whole, with entries that lead nowhere.
 */
static void keep_hdr(struct elf_excerpt *excerpt, const struct cfi_section *section,
		     const struct cfi_hdr *hdr, uint64_t file_offset, const struct starts *starts)
{
	enum { COUNT_OFFSET = 8, TABLE_OFFSET = 12 };
	const bool swap = section->swap;
	struct fde_index *index;
	struct strbuf table = STRBUF_INIT;
	uint32_t kept = 0;

	if (hdr->size < TABLE_OFFSET || hdr->bytes[2] != DW_EH_PE_udata4 ||
	    hdr->bytes[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
	    ((hdr->bytes[1] & 0x0f) != DW_EH_PE_sdata4 && (hdr->bytes[1] & 0x0f) != DW_EH_PE_udata4)) {
		elf_excerpt_keep(excerpt, file_offset, hdr->size);
		return;
	}
	strbuf_add(&table, hdr->bytes, COUNT_OFFSET);
	strbuf_add_u32(&table, 0, swap);
	index = fde_index_create(section, hdr->bytes, hdr->size);
	for (uint32_t i = 0; i < fde_index_count(index); i++) {
		struct fde_index_slot slot;

		if (!is_listed(index, i, starts, &slot))
			continue;
		strbuf_add_u32(&table, (uint32_t)(slot.start - section->hdr_vaddr), swap);
		strbuf_add_u32(&table, (uint32_t)(slot.fde_offset + section->vaddr - section->hdr_vaddr),
			       swap);
		kept++;
	}
	fde_index_destroy(index);
	if (kept) { /* an empty table counts as no table */
		struct strbuf count = STRBUF_INIT;

		strbuf_add_u32(&count, kept, swap);
		memcpy(table.bytes + COUNT_OFFSET, count.bytes, count.size);
		strbuf_fini(&count);
	}
	if (table.size <= hdr->size) {
		elf_excerpt_put(excerpt, file_offset, table.bytes, table.size);
		elf_excerpt_clear(excerpt, file_offset + table.size, hdr->size - table.size);
	}
	strbuf_fini(&table);
}

/* The file offset of bytes of the mapped file; UINT64_MAX if they lie elsewhere. */
static uint64_t offset_of(const struct elf_file *file, const uint8_t *bytes, size_t size)
{
	size_t file_size;
	const uint8_t *start = elf_file_bytes(file, &file_size);
	const uintptr_t distance = (uintptr_t)bytes - (uintptr_t)start;

	return distance < file_size && size <= file_size - distance ? distance : UINT64_MAX;
}

static void make_eh_frame(struct elf_excerpt *excerpt, const struct starts *starts)
{
	struct elf_file *file = elf_excerpt_of(excerpt);
	struct cfi_section section;
	struct records records;
	struct cfi_hdr hdr;
	uint64_t file_offset, hdr_offset;

	if (cfi_source_eh_frame(file, &section, &hdr) != 1)
		return;
	file_offset = offset_of(file, section.bytes, section.size);
	hdr_offset = hdr.bytes ? offset_of(file, hdr.bytes, hdr.size) : UINT64_MAX;
	if (file_offset == UINT64_MAX)
		return;
	records_init(&records, &section, starts);
	keep_records(excerpt, &records, file_offset);
	records_fini(&records);
	if (hdr_offset != UINT64_MAX)
		keep_hdr(excerpt, &section, &hdr, hdr_offset, starts);
}

/* --- .debug_frame ------------------------------------------------------------------------------ */

/* Copies a record. Its reference to its CIE counts from the section's beginning (DWARF 5, section 6.4.1). */
static void copy_record(struct strbuf *out, const struct cfi_section *section, const struct record *record,
			uint64_t new_cie)
{
	const size_t size = (size_t)(record->end - record->offset);
	struct byte_reader r = byte_reader_over(section->bytes + record->offset, size, section->swap);
	const bool is_64bit_dwarf = byte_reader_u32(&r) == 0xffffffff;
	const size_t reference = is_64bit_dwarf ? 12 : 4, width = is_64bit_dwarf ? 8 : 4;

	if (record->cie_offset == UINT64_MAX || size < reference + width) {
		strbuf_add(out, section->bytes + record->offset, size);
		return;
	}
	strbuf_add(out, section->bytes + record->offset, reference);
	if (is_64bit_dwarf)
		strbuf_add_u64(out, new_cie, section->swap);
	else
		strbuf_add_u32(out, (uint32_t)new_cie, section->swap);
	strbuf_add(out, section->bytes + record->offset + reference + width, size - reference - width);
}

/* Copies CIEs first, as they may follow the FDEs that refer to them. */
static void copy_records(struct strbuf *out, const struct records *records)
{
	uint64_t *places = xmalloc((records->cie_count + 1) * sizeof(*places));

	for (size_t i = 0; i < records->cie_count; i++) {
		places[i] = i && records->cies[i] == records->cies[i - 1] ? places[i - 1] : out->size;
		if (i && records->cies[i] == records->cies[i - 1])
			continue;
		for (size_t j = 0; j < records->count; j++)
			if (records->items[j].offset == records->cies[i])
				copy_record(out, records->section, &records->items[j], 0);
	}
	for (size_t i = 0; i < records->count; i++) {
		const struct record *record = &records->items[i];
		const uint64_t *cie;

		if (!record->wanted || record->cie_offset == UINT64_MAX)
			continue;
		cie = bsearch(&record->cie_offset, records->cies, records->cie_count, sizeof(*cie),
			      compare_numbers);
		copy_record(out, records->section, record, places[cie - records->cies]);
	}
	free(places);
}

static void add_debug_frame(struct strbuf *out, struct elf_file *file, const struct starts *starts)
{
	struct cfi_section section;
	struct records records;

	if (!file || cfi_source_debug_frame(file, &section) != 1)
		return;
	records_init(&records, &section, starts);
	copy_records(out, &records);
	records_fini(&records);
}

/* Of several FDEs of one function, searches find the last. The file's own FDEs take precedence, so they come last. */
static void make_debug_frame(struct elf_excerpt *excerpt, const struct debug_file_search *search,
			     const struct starts *starts)
{
	struct elf_file *file = elf_excerpt_of(excerpt), *mini = NULL, *debug;
	struct strbuf out = STRBUF_INIT;

	debug = search ? debug_file_open(file, search, NULL) : NULL;
	add_debug_frame(&out, debug, starts);
	elf_file_close(debug);
	if (mini_debuginfo_open(file, &mini, NULL) == 1)
		add_debug_frame(&out, mini, starts);
	elf_file_close(mini);
	add_debug_frame(&out, file, starts);
	if (out.size)
		elf_excerpt_add_section(excerpt, ".debug_frame", out.bytes, out.size);
	strbuf_fini(&out);
}

void cfi_excerpt_make(struct elf_excerpt *excerpt, const struct debug_file_search *search,
		      const uint64_t *starts, size_t count)
{
	const struct starts wanted = { starts, count };

	if (!count)
		return;
	make_eh_frame(excerpt, &wanted);
	make_debug_frame(excerpt, search, &wanted);
}
