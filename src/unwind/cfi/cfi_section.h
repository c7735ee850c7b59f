#ifndef XPROF_UNWIND_CFI_SECTION_H
#define XPROF_UNWIND_CFI_SECTION_H

/*
 * One section of call frame information, .eh_frame (LSB Core, "Exception Frames") or .debug_frame (DWARF 5,
 * section 6.4.1), and its entries: a CIE has the parts that many FDEs have in common, an FDE is the unwind
 * program of one range of code. All pointers are valid as long as the section's bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cfi_section {
	const uint8_t *bytes;
	size_t size;
	uint64_t vaddr;      /* where the section is loaded; .debug_frame: 0 */
	uint64_t hdr_vaddr;  /* .eh_frame_hdr, 0 when there is none */
	uint64_t text_vaddr; /* .text, likewise */
	bool is_eh_frame;
	bool is_64bit;
	bool swap;
};

struct cfi_program {
	const uint8_t *bytes;
	size_t size;
};

struct cfi_cie {
	struct cfi_program initial; /* the instructions that every FDE begins with */
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t ra_column;
	uint8_t pointer_encoding; /* DW_EH_PE_* of addresses in FDEs */
	bool sized_augmentation;  /* 'z': FDEs have augmentation data of a stated size */
	bool signal_frame;        /* 'S': callers were interrupted, not calling */
};

struct cfi_fde {
	uint64_t start; /* vaddrs [start, end) */
	uint64_t end;
	struct cfi_program program;
	uint64_t cie_offset;
};

/*
 * Caches the CIEs of one section: linkers keep only a few different ones, which all FDEs share. Must be zeroed before
 * the first use.
 */
enum { CFI_CIE_PLACES = 8 };
struct cfi_cie_memo {
	struct cfi_cie_place {
		uint64_t key; /* the CIE's offset, plus 1; 0: empty */
		bool is_usable;
		struct cfi_cie cie;
	} places[CFI_CIE_PLACES];
};

/* The CIE at an offset, valid until the memo is used again; NULL if there is none, or it cannot be used. */
const struct cfi_cie *cfi_section_cie(const struct cfi_section *section, struct cfi_cie_memo *memo,
				      uint64_t offset);

/*
 * Reads the FDE at an offset of the section. Returns 1, or 0 if there is a CIE, the end, or an entry that
 * cannot be used. *next is the offset of the next entry, or UINT64_MAX if the rest cannot be read.
 */
int cfi_section_fde(const struct cfi_section *section, struct cfi_cie_memo *memo, uint64_t offset,
		    struct cfi_fde *fde, uint64_t *next);

#endif
