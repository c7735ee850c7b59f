#ifndef XPROF_UNWIND_CFI_SOURCE_H
#define XPROF_UNWIND_CFI_SOURCE_H

/* Where a file keeps its call frame information. Bytes found live as long as the file. */

#include "elf/elf_file.h"
#include "elf/elf_header.h"
#include "unwind/cfi/cfi_section.h"

/* .eh_frame_hdr, as far as there is one: size_bytes 0 when not. */
struct cfi_hdr {
	const uint8_t *bytes;
	size_t size;
};

/*
 * .eh_frame and its table: by their sections, or by PT_GNU_EH_FRAME where the table of sections has been stripped
 * (LSB Core, "Program Header"). 1 found, 0 there is none.
 */
int cfi_source_eh_frame(struct elf_file *file, struct cfi_section *section, struct cfi_hdr *hdr);

/* .debug_frame: 1 found, 0 there is none. */
int cfi_source_debug_frame(struct elf_file *file, struct cfi_section *section);

/* The bytes of the PT_LOAD around a vaddr, before it and from it on; NULL if no PT_LOAD contains it. */
const uint8_t *cfi_source_loaded(const struct elf_file *file, uint64_t vaddr, size_t *before, size_t *after);

/* The first program header of a type (PT_*), of which struct elf_file keeps PT_LOADs alone. 1 found, 0 there is none. */
int cfi_source_segment(const struct elf_file *file, uint32_t type, struct elf_program_header *found);

#endif
