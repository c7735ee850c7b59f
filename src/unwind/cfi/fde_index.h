#ifndef XPROF_UNWIND_FDE_INDEX_H
#define XPROF_UNWIND_FDE_INDEX_H

/*
 * Finds the FDE that describes a vaddr: in the linker's sorted table (.eh_frame_hdr; LSB Core, "The
 * .eh_frame_hdr section"), searched in place, or, without a usable one, in a table made in one pass over the
 * section. After many lookups it builds a faster table of at most 8 bytes for each FDE. Not thread-safe.
 *
 *     struct fde_index *index = fde_index_create(&section, hdr.bytes, hdr.size);
 *
 *     if (fde_index_find(index, vaddr, &number, &fde) == 1)
 *             read_rows(fde_index_cie(index, &fde), &fde);
 */

#include "unwind/cfi/cfi_section.h"

struct fde_index;

struct fde_index_slot {
	uint64_t start;
	uint64_t fde_offset;
};

enum { FDE_INDEX_PAIR_BYTES = 8 }; /* (start, FDE), both 4 bytes relative to .eh_frame_hdr */

/*
 * The linker's table in .eh_frame_hdr: offset and number of its pairs. Returns false if there is none, or it has another
 * format.
 */
bool fde_index_find_table(const struct cfi_section *section, const uint8_t *hdr, size_t hdr_size,
			  size_t *offset, uint32_t *count);

/*
 * `hdr` are the bytes of .eh_frame_hdr (size 0: none), at section->hdr_vaddr. Both are borrowed and must
 * outlive the index.
 */
struct fde_index *fde_index_create(const struct cfi_section *section, const uint8_t *hdr, size_t hdr_size);
void fde_index_destroy(struct fde_index *index);

const struct cfi_section *fde_index_section(const struct fde_index *index);

/* The CIE of an FDE, valid until the next call; NULL if it cannot be used. */
const struct cfi_cie *fde_index_cie(struct fde_index *index, const struct cfi_fde *fde);

/* FDEs are numbered densely, in order of their start. */
uint32_t fde_index_count(const struct fde_index *index);

/* Reads FDE number `number` of the table: 0, or -1 if the entry is damaged. */
int fde_index_slot(const struct fde_index *index, uint32_t number, struct fde_index_slot *slot);

/* Reads the FDE at an offset of the section. Returns 1, or 0 if there is none. */
int fde_index_read(struct fde_index *index, uint64_t fde_offset, struct cfi_fde *fde);

/*
 * Finds the FDE that covers a vaddr; of several, the one with the highest start. Returns 1 if found, 0 if
 * there is none.
 */
int fde_index_find(struct fde_index *index, uint64_t vaddr, uint32_t *number, struct cfi_fde *fde);

/*
 * The same in two steps. fde_index_last() finds, by the table alone, the last FDE that begins at or below the vaddr:
 * returns 1 and its start, or 0 if there is none. A caller that knows the size of that FDE can stop there if it covers
 * the vaddr. Otherwise fde_index_find_back() continues from there.
 */
int fde_index_last(struct fde_index *index, uint64_t vaddr, uint32_t *last, uint64_t *start);
int fde_index_find_back(struct fde_index *index, uint32_t last, uint64_t vaddr, uint32_t *number,
			struct cfi_fde *fde);

/* Does any FDE cover the vaddr? Fast if one begins there, as at the start of most functions. */
bool fde_index_covers(struct fde_index *index, uint64_t vaddr);

#endif
