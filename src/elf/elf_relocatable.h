#ifndef XPROF_ELF_ELF_RELOCATABLE_H
#define XPROF_ELF_ELF_RELOCATABLE_H

/*
 * Relocatable files (ET_REL): kernel modules, and what a compiler writes. No
 * linker has given their sections addresses, and their debug information says
 * "so far into section S" by relocations that were never carried out.
 */

#include "elf/elf_header.h"

/* Sections are placed group by group, and in file order within one. */
enum elf_relocatable_group {
	ELF_RELOCATABLE_TEXT, /* first, so that a module's text lies as the kernel lays it out */
	ELF_RELOCATABLE_INIT_TEXT,
	ELF_RELOCATABLE_DATA,
	ELF_RELOCATABLE_GROUPS,
	ELF_RELOCATABLE_NOT_LOADED,
};

/* The vaddr of the first section. Not 0, which debug information gives to code that is not there. */
enum { ELF_RELOCATABLE_BASE = 0x1000 };

enum elf_relocatable_group elf_relocatable_group(const struct elf_section_header *header, const char *name);

/* Gives a section the next free vaddr; returns what is free behind it. */
uint64_t elf_relocatable_place(struct elf_section_header *header, uint64_t free_vaddr);

/* The relocations of one section, as the file has them, and what they refer to. */
struct elf_relocations {
	const struct elf_header *header;
	const uint8_t *entries;
	size_t entries_size;
	bool with_addends; /* SHT_RELA; else they are in the fields themselves */
	const uint8_t *symbols;
	size_t symbols_size;
	/* False when there is no section of that number. */
	bool (*section_vaddr)(const void *context, uint32_t number, uint64_t *vaddr);
	const void *context;
};

/*
 * Carries them out in the bytes of the section, which lies at `vaddr`. Places that cannot be told (undefined symbols, unknown
 * kinds) stay as they are.
 */
void elf_relocations_apply(const struct elf_relocations *relocations, uint64_t vaddr, uint8_t *bytes,
			   size_t size);

#endif
