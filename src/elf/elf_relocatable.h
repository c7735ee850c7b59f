#ifndef XPROF_ELF_ELF_RELOCATABLE_H
#define XPROF_ELF_ELF_RELOCATABLE_H

/*
 * Relocatable files (ET_REL): kernel modules and object files. Their sections have no addresses yet, and the
 * relocations of their debug information have not been applied.
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

/* The vaddr of the first section. Not 0, because debug information gives that address to removed code. */
enum { ELF_RELOCATABLE_BASE = 0x1000 };

enum elf_relocatable_group elf_relocatable_group(const struct elf_section_header *header, const char *name);

/* Gives a section the next free vaddr. Returns the first free vaddr behind it. */
uint64_t elf_relocatable_place(struct elf_section_header *header, uint64_t free_vaddr);

/* The undecoded relocations of one section, and the symbols and sections that they refer to. */
struct elf_relocations {
	const struct elf_header *header;
	const uint8_t *entries;
	size_t entries_size;
	bool with_addends; /* SHT_RELA; otherwise the addends are in the relocated fields */
	const uint8_t *symbols;
	size_t symbols_size;
	/* Returns false if there is no section with that number. */
	bool (*section_vaddr)(const void *context, uint32_t number, uint64_t *vaddr);
	const void *context;
};

/*
 * Applies the relocations to the bytes of the section, whose address is `vaddr`. Skips those with undefined symbols and of
 * unknown types.
 */
void elf_relocations_apply(const struct elf_relocations *relocations, uint64_t vaddr, uint8_t *bytes,
			   size_t size);

#endif
