#ifndef XPROF_ELF_ELF_EXCERPT_H
#define XPROF_ELF_ELF_EXCERPT_H

/*
 * Makes a small ELF file with the parts of a large one that are needed to name and unwind the recorded samples. Kept
 * parts stay at their offsets, so that offsets, vaddrs and relative pointers stay valid; everything between them is a
 * hole. The headers of loaded sections stay, with or without their contents. Other sections are removed; a .symtab with
 * the added symbols, and the sections that the caller adds, are at the end of the file. Any tool that reads ELF files
 * can read it.
 *
 * An excerpt is complete by itself: debug_file_open() finds no debug file for it, and the names of PLT entries are in
 * its .symtab.
 */

#include "elf/elf_file.h"

struct elf_excerpt;

/* The section that marks a file as an excerpt. */
#define ELF_EXCERPT_SECTION ".xprof.excerpt"

bool elf_excerpt_is(const struct elf_file *file);

/*
 * Begins an excerpt of `file`, which must stay open as long. The headers, the notes and .dynamic are kept from the start.
 */
struct elf_excerpt *elf_excerpt_create(struct elf_file *file);
void elf_excerpt_destroy(struct elf_excerpt *excerpt);

struct elf_file *elf_excerpt_of(const struct elf_excerpt *excerpt);

/* Keeps these bytes of the file, rounded to full blocks; bytes outside of loaded segments are not kept. */
void elf_excerpt_keep(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size);

/* The same for a vaddr. */
void elf_excerpt_keep_vaddr(struct elf_excerpt *excerpt, uint64_t vaddr, uint64_t size);

/* Overwrites bytes of a kept range. */
void elf_excerpt_put(struct elf_excerpt *excerpt, uint64_t file_offset, const void *bytes, size_t size);

/* Overwrites those bytes of the range that are kept with zeros. */
void elf_excerpt_clear(struct elf_excerpt *excerpt, uint64_t file_offset, uint64_t size);

/* Adds a function symbol; symbols with one vaddr keep the order of the calls. `binding` is STB_*. */
void elf_excerpt_add_symbol(struct elf_excerpt *excerpt, const char *name, uint64_t vaddr, uint64_t size,
			    uint8_t binding);

/* Adds a section that is not loaded. The name must outlive the excerpt; the bytes are copied. */
void elf_excerpt_add_section(struct elf_excerpt *excerpt, const char *name, const void *bytes, size_t size);

/*
 * Call once, last. Sets *image to the bytes of the file, including holes, and to the ranges that are not
 * holes; both are valid as long as the excerpt. Returns 0, or -1 with err set.
 */
struct elf_excerpt_range {
	uint64_t offset, size; /* multiples of ELF_EXCERPT_BLOCK_BYTES, except for the end of the last one */
};
enum { ELF_EXCERPT_BLOCK_BYTES = 512 };
struct elf_excerpt_image {
	const uint8_t *bytes;
	size_t size;
	const struct elf_excerpt_range *ranges; /* in ascending order */
	size_t range_count;
};
int elf_excerpt_finish(struct elf_excerpt *excerpt, struct elf_excerpt_image *image, struct error *err);

#endif
