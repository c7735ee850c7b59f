#ifndef XPROF_ELF_ELF_FILE_H
#define XPROF_ELF_ELF_FILE_H

/*
 * One ELF file, mapped read-only. 32 and 64 bit, either byte order (libelf).
 *
 * Three address spaces meet here and never share a name:
 *   file_offset  where bytes lie in the file,
 *   vaddr        where the linker placed them (st_value, p_vaddr, DWARF),
 *   (a runtime address, which only process/ knows, becomes a file_offset
 *   through its mapping: file_offset = address - map_start + map_file_offset).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "elf/build_id.h"

struct elf_file;

struct elf_segment { /* one PT_LOAD */
	uint64_t file_offset;
	uint64_t file_size;
	uint64_t vaddr;
	uint64_t memory_size;
	bool executable;
};

struct elf_section {
	const char *name;
	const uint8_t *bytes; /* decompressed (SHF_COMPRESSED and .zdebug_*); NULL for SHT_NOBITS; lives as long as the file */
	size_t size;
	uint64_t vaddr;
	uint64_t file_offset;
	uint32_t type;  /* SHT_* */
	uint64_t flags; /* SHF_* */
};

/* NULL with err set when the file cannot be opened or is no ELF file. */
struct elf_file *elf_file_open(const char *path, struct error *err);

/* Over bytes in memory; takes ownership of a malloc()ed block (freed on close, and on failure). */
struct elf_file *elf_file_open_memory(void *bytes, size_t size, const char *name, struct error *err);
void elf_file_close(struct elf_file *file);

const char *elf_file_path(const struct elf_file *file);
uint16_t elf_file_machine(const struct elf_file *file); /* EM_* */
uint16_t elf_file_type(const struct elf_file *file);    /* ET_EXEC, ET_DYN, ET_REL … */
bool elf_file_is_64bit(const struct elf_file *file);
bool elf_file_swapped(const struct elf_file *file);
const struct build_id *elf_file_build_id(const struct elf_file *file); /* size 0 when it has none */

size_t elf_file_segment_count(const struct elf_file *file);
const struct elf_segment *elf_file_segment(const struct elf_file *file, size_t number);

/* By the PT_LOAD that contains it; 0, or -1 when none does. */
int elf_file_offset_to_vaddr(const struct elf_file *file, uint64_t file_offset, uint64_t *vaddr);
int elf_file_vaddr_to_offset(const struct elf_file *file, uint64_t vaddr, uint64_t *file_offset);

/* By name; ".debug_x" also finds ".zdebug_x". 1 found, 0 not there, -1 damaged (err). */
int elf_file_section(struct elf_file *file, const char *name, struct elf_section *section, struct error *err);

#endif
