#ifndef XPROF_ELF_ELF_FILE_H
#define XPROF_ELF_ELF_FILE_H

/*
 * One ELF file, mapped read-only. 32 and 64 bit, either byte order (libelf). If another program shortens the file
 * meanwhile, the bytes behind its new end read as zeros, and elf_file_check_whole() tells.
 *
 * Three address spaces meet here and never share a name:
 *   file_offset  where bytes lie in the file,
 *   vaddr        where the linker placed them (st_value, p_vaddr, DWARF),
 *   (a runtime address, which only process/ knows, becomes a file_offset
 *   through its mapping: file_offset = address - map_start + map_file_offset).
 *
 *     struct elf_file *file = elf_file_open(path, &err);
 *
 *     if (!file)
 *             return -1;
 *     if (elf_file_section(file, ".symtab", &section, &err) == 1)
 *             read_symbols(section.bytes, section.size);
 *     elf_file_close(file);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "elf/build_id.h"

struct elf_file;

/* One PT_LOAD. For a debug file without code: as it was in the binary that it belongs to. */
struct elf_segment {
	uint64_t file_offset;
	uint64_t file_size;
	uint64_t vaddr;
	uint64_t memory_size;
	bool executable;
	bool writable;
};

struct elf_section {
	const char *name;
	/* decompressed (SHF_COMPRESSED and .zdebug_*); NULL for SHT_NOBITS; lives as long as the file */
	const uint8_t *bytes;
	size_t size;
	uint64_t vaddr;
	uint64_t file_offset;
	uint32_t type;             /* SHT_* */
	uint64_t flags;            /* SHF_* */
	uint32_t number;           /* index in the section table */
	uint32_t link;             /* sh_link: of a symbol table, the number of its string table */
	uint32_t info;             /* sh_info */
	uint64_t entry_size_bytes; /* sh_entsize, unchecked: may be 0 or wrong */
	bool compressed; /* `bytes` were decompressed: file_offset is that of the compressed bytes */
};

/* Returns NULL with err set if the file cannot be opened or is not an ELF file. */
struct elf_file *elf_file_open(const char *path, struct error *err);

/* Opens an ELF file in a malloc()ed block, which is freed on close and on failure. */
struct elf_file *elf_file_open_memory(void *bytes, size_t size, const char *name, struct error *err);

/* Opens an ELF file in mmap()ed memory, which is unmapped on close and on failure. */
struct elf_file *elf_file_open_mapped(void *bytes, size_t size, const char *name, struct error *err);
void elf_file_close(struct elf_file *file);

/*
 * Returns 0, or -1 if the file was shortened while it was open: what was read from it may be wrong.
 * elf_file_section() fails from then on. A cut within the file's last page is not noticed. Thread-safe.
 */
int elf_file_check_whole(const struct elf_file *file, struct error *err);

const char *elf_file_path(const struct elf_file *file);
uint16_t elf_file_machine(const struct elf_file *file); /* EM_* */
uint16_t elf_file_type(const struct elf_file *file);    /* ET_EXEC, ET_DYN, ET_REL … */
bool elf_file_is_64bit(const struct elf_file *file);
bool elf_file_swapped(const struct elf_file *file);
const struct build_id *elf_file_build_id(const struct elf_file *file); /* size 0 when it has none */

/* The whole file; lives as long as it is open. */
const uint8_t *elf_file_bytes(const struct elf_file *file, size_t *size);

size_t elf_file_segment_count(const struct elf_file *file);
const struct elf_segment *elf_file_segment(const struct elf_file *file, size_t number);

/*
 * Converts by the PT_LOAD that contains the offset, an executable one if several do. Returns 0, or -1 if none
 * does.
 */
int elf_file_offset_to_vaddr(const struct elf_file *file, uint64_t file_offset, uint64_t *vaddr);

/*
 * The vaddr of a mapping's first byte. That byte may belong to another segment: lld puts code behind
 * read-only data on one page of the file, and the mapping begins with that page. So the executable one of the
 * segments in [file_offset, file_offset + size_bytes) counts. Returns 0, or -1 if no segment lies there.
 */
int elf_file_mapping_to_vaddr(const struct elf_file *file, uint64_t file_offset, uint64_t size_bytes,
			      uint64_t *vaddr);
int elf_file_vaddr_to_offset(const struct elf_file *file, uint64_t vaddr, uint64_t *file_offset);

/*
 * Finds a section by name; ".debug_x" also finds ".zdebug_x". Returns 1 if found, 0 if not, -1 with err set
 * if it is damaged. Not thread-safe: the first lookup of a compressed section decompresses it.
 */
int elf_file_section(struct elf_file *file, const char *name, struct elf_section *section, struct error *err);

/* Decompresses the compressed ones of these sections in advance, each in its own thread. */
void elf_file_inflate(struct elf_file *file, const char *const *names, size_t count);

/* The same by number, from 0. */
size_t elf_file_section_count(const struct elf_file *file);
int elf_file_section_at(struct elf_file *file, size_t number, struct elf_section *section, struct error *err);

/* Fills in the members known from the section header; `bytes` is NULL. Never fails. */
void elf_file_section_header(const struct elf_file *file, size_t number, struct elf_section *section);

/* The string at an offset of a section; NULL if it has no terminator inside the section. */
const char *elf_section_string(const struct elf_section *section, uint64_t offset);

/* Cuts off the bytes behind the last terminator, so that elf_section_string() need not search for one. */
void elf_section_trim_strings(struct elf_section *section);

/* For data that must live as long as the file. */
struct arena *elf_file_arena(struct elf_file *file);

#endif
