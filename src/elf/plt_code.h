#ifndef XPROF_ELF_PLT_CODE_H
#define XPROF_ELF_PLT_CODE_H

/*
 * The code of procedure linkage tables: which entries it has. Linkers lay these tables out in many ways (with or without
 * a header, IBT and BTI landing pads, entries of 8, 16 or 24 bytes), so each entry is told by its own instructions.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

/* Code that looks like an entry; the relocations of the file decide whether it is one. */
struct plt_entry {
	size_t at, size; /* in its section */
	uint64_t slot_vaddr; /* of the GOT's slot that it jumps through, unless the dynamic linker finds that by the number: */
	uint32_t lazy_index; /* of its relocation in .rela.plt; PLT_NO_LAZY_INDEX */
	bool is_from_got;    /* slot_vaddr counts from the address in DT_PLTGOT */
};

enum { PLT_NO_LAZY_INDEX = 0xffffffff };

/* Of one machine. */
struct plt_code {
	uint64_t header_bytes; /* what a table with lazy binding begins with */
	size_t step_bytes;     /* entries begin at multiples of this */
	/*
	 * Finds the slot through which the entry at `bytes` jumps. Returns the size of the entry; 0 if this
	 * is no entry.
	 */
	size_t (*decode)(const uint8_t *bytes, size_t left, uint64_t vaddr, struct plt_entry *entry);
};

extern const struct plt_code plt_code_x86_64, plt_code_i386, plt_code_aarch64;

/* The first entry at or behind `from`, a multiple of step_bytes; false where no more come. */
bool plt_code_next(const struct plt_code *code, const struct elf_section *plt, size_t from,
		   struct plt_entry *entry);

#endif
