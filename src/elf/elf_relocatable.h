#ifndef XPROF_ELF_ELF_RELOCATABLE_H
#define XPROF_ELF_ELF_RELOCATABLE_H

/*
 * Relocatable files (ET_REL): kernel modules, and what a compiler writes. No
 * linker has given their sections addresses, and their debug information says
 * "so far into section S" by relocations that were never carried out.
 */

#include "elf/elf_file.h"
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

/* Do relocations wait to be carried out in this section? In debug information alone: code is not looked at. */
bool elf_relocatable_is_target(const struct elf_file *file, const struct elf_section *section);

/*
 * Carries out what the file's relocations say of `section`, in a copy of its bytes. Places that cannot be told
 * (undefined symbols, unknown kinds) stay as they are.
 */
void elf_relocatable_apply(struct elf_file *file, const struct elf_section *section, uint8_t *bytes,
			   size_t size);

#endif
