#ifndef XPROF_ELF_PLT_CODE_H
#define XPROF_ELF_PLT_CODE_H

/*
 * Finds the entries of procedure linkage tables by their code. Linkers lay these tables out in many ways (with or
 * without a header, IBT and BTI landing pads, entries of 8, 16 or 24 bytes), so each entry is recognized by its
 * own instructions.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_file.h"

/* Code that looks like an entry; the caller has to check that the GOT slot has a relocation. */
struct plt_entry {
	size_t at, size;     /* offset in the section, and size */
	uint64_t slot_vaddr; /* of the GOT slot through which it jumps, if lazy_index is PLT_NO_LAZY_INDEX */
	uint32_t lazy_index; /* number of its relocation in .rela.plt, or PLT_NO_LAZY_INDEX */
	bool is_from_got;    /* slot_vaddr counts from the address in DT_PLTGOT */
};

enum { PLT_NO_LAZY_INDEX = 0xffffffff };

/* The layout and the decoder for one machine. */
struct plt_code {
	uint64_t header_bytes; /* size of the header of a table with lazy binding */
	size_t step_bytes;     /* entries begin at multiples of this */
	/*
	 * Decodes the entry at `bytes`, of which `left` may be read. Returns its size; 0 if this is not an
	 * entry.
	 */
	size_t (*decode)(const uint8_t *bytes, size_t left, uint64_t vaddr, struct plt_entry *entry);
};

extern const struct plt_code plt_code_x86_64, plt_code_i386, plt_code_aarch64;

/*
 * The first entry at or behind offset `from`, a multiple of step_bytes. Returns false if there are no more.
 */
bool plt_code_next(const struct plt_code *code, const struct elf_section *plt, size_t from,
		   struct plt_entry *entry);

#endif
