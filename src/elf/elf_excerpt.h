#ifndef XPROF_ELF_ELF_EXCERPT_H
#define XPROF_ELF_ELF_EXCERPT_H

/*
 * The few parts of an ELF file that are needed to name and to unwind what was sampled in it, as an ELF file of its own:
 * what is kept lies where it lay, so that offsets, vaddrs and relative pointers mean what they meant, and all between
 * are holes. Headers of sections that are loaded stay, with or without what is in them; there is a .symtab of the
 * symbols that are asked for, under the names they had; other sections are gone, and what the maker puts in their
 * place comes behind everything else. Any tool that reads ELF files can read it.
 *
 * Such a file says all that there was to say: no debug file belongs to it (debug_file_open() finds none), and its PLT
 * has its names in .symtab.
 */

#include "elf/elf_file.h"

struct elf_excerpt;

/* The section that says that a file is an excerpt. */
#define ELF_EXCERPT_SECTION ".xprof.excerpt"

bool elf_excerpt_is(const struct elf_file *file);

/* Of a file that stays open as long. It has the headers, the notes, and what loads a program (.dynamic) from the start. */
struct elf_excerpt *elf_excerpt_create(struct elf_file *file);
void elf_excerpt_destroy(struct elf_excerpt *excerpt);

struct elf_file *elf_excerpt_of(const struct elf_excerpt *excerpt);

/* Keeps these bytes of the file, rounded to full blocks; bytes outside of loaded segments are not kept. */
void elf_excerpt_keep(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size);

/* The same for a vaddr. */
void elf_excerpt_keep_vaddr(struct elf_excerpt *excerpt, uint64_t vaddr, uint64_t size);

/* Puts other bytes into their place. Call after keeping the range. */
void elf_excerpt_put(struct elf_excerpt *excerpt, uint64_t file_offset, const void *bytes, size_t size);

/* Puts zeros into the place of kept bytes, if there are any. */
void elf_excerpt_clear(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size);

/* Adds a function; the order of several at one vaddr is kept. binding: STB_*. */
void elf_excerpt_add_symbol(struct elf_excerpt *excerpt, const char *name, uint64_t vaddr, uint64_t size,
			    uint8_t binding);

/* Adds a section that is not loaded. The name must outlive the excerpt; the bytes are copied. */
void elf_excerpt_add_section(struct elf_excerpt *excerpt, const char *name, const void *bytes, size_t size);

/*
 * Call once, last: returns the file's bytes, holes included (valid as long as the excerpt), and the ranges
 * that are not holes.
 */
struct elf_excerpt_range {
	uint64_t offset, size; /* multiples of ELF_EXCERPT_BLOCK_BYTES, the last one's end apart */
};
enum { ELF_EXCERPT_BLOCK_BYTES = 512 };
struct elf_excerpt_image {
	const uint8_t *bytes;
	size_t size;
	const struct elf_excerpt_range *ranges; /* rising */
	size_t range_count;
};
int elf_excerpt_finish(struct elf_excerpt *excerpt, struct elf_excerpt_image *image, struct error *err);

#endif
