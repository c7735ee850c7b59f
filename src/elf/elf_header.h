#ifndef XPROF_ELF_ELF_HEADER_H
#define XPROF_ELF_ELF_HEADER_H

/*
 * The three header structures of an ELF file (gABI, "ELF Header", "Sections",
 * "Program Header"), decoded from 32 or 64 bits and either byte order into one
 * shape. Decoding checks that the bytes are there; what offsets and sizes mean
 * for the file is checked where they are used.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct elf_header {
	bool is_64bit;
	bool swap; /* the file's byte order is not this machine's */
	uint16_t type;
	uint16_t machine;
	uint64_t segment_offset;
	uint64_t section_offset;
	uint32_t segment_count; /* e_phnum; if PN_XNUM, the number is in section 0, see elf_header_extend() */
	uint32_t section_count;
	uint32_t section_names;      /* number of the section that holds the names of the sections */
	uint16_t segment_entry_size; /* at least the size of a program header, or segment_count is 0 */
	uint16_t section_entry_size;
};

struct elf_program_header {
	uint32_t type;  /* PT_* */
	uint32_t flags; /* PF_* */
	uint64_t file_offset;
	uint64_t vaddr;
	uint64_t file_size;
	uint64_t memory_size;
	uint64_t alignment;
};

struct elf_section_header {
	uint32_t name; /* offset in the section of names */
	uint32_t type;
	uint64_t flags;
	uint64_t vaddr;
	uint64_t file_offset;
	uint64_t size;
	uint32_t link;
	uint32_t info;
	uint64_t alignment;
	uint64_t entry_size;
};

/* Returns -1 with err set if `bytes` do not begin an ELF file. `name` is for the message. */
int elf_header_decode(struct elf_header *header, const void *bytes, size_t size, const char *name,
		      struct error *err);

/* Takes counts that did not fit into 16 bits from section 0 (gABI, "Extended Section Header"). */
void elf_header_extend(struct elf_header *header, const struct elf_section_header *section_0);

/* `bytes` has at least header->segment_entry_size (section_entry_size) bytes. */
void elf_program_header_decode(struct elf_program_header *segment, const struct elf_header *header,
			       const void *bytes);
void elf_section_header_decode(struct elf_section_header *section, const struct elf_header *header,
			       const void *bytes);

#endif
