#ifndef XPROF_UNWIND_CFI_SOURCE_H
#define XPROF_UNWIND_CFI_SOURCE_H

/* Finds the call frame information of a file. Bytes live as long as the file. */

#include "elf/elf_file.h"
#include "elf/elf_header.h"
#include "unwind/cfi/cfi_section.h"

/* .eh_frame_hdr; size 0 if there is none. */
struct cfi_hdr {
	const uint8_t *bytes;
	size_t size;
};

/*
 * .eh_frame and its table: by their sections, or by PT_GNU_EH_FRAME if the section table was stripped (LSB Core,
 * "Program Header"). Returns 1 if found, 0 if there is none.
 */
int cfi_source_eh_frame(struct elf_file *file, struct cfi_section *section, struct cfi_hdr *hdr);

/* The same for .debug_frame. */
int cfi_source_debug_frame(struct elf_file *file, struct cfi_section *section);

/*
 * The bytes at a vaddr, and the numbers of bytes before and from it in its PT_LOAD; NULL if no PT_LOAD
 * contains it.
 */
const uint8_t *cfi_source_loaded(const struct elf_file *file, uint64_t vaddr, size_t *before, size_t *after);

/*
 * The first program header of a type (PT_*); struct elf_file has only PT_LOADs. Returns 1 if found, 0 if there is none.
 */
int cfi_source_segment(const struct elf_file *file, uint32_t type, struct elf_program_header *found);

#endif
