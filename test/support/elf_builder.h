#ifndef TEST_SUPPORT_ELF_BUILDER_H
#define TEST_SUPPORT_ELF_BUILDER_H

/*
 * ELF files for tests, byte by byte: 32 or 64 bits, either byte order. Contents are laid out in the order of addition,
 * behind room for the ELF header and ELF_BUILDER_SEGMENTS program headers, so file offsets are known while building.
 * Section headers are at the end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "elf/elf_file.h"
#include "support/temp_tree.h"

enum { ELF_BUILDER_SEGMENTS = 8, ELF_BUILDER_SECTIONS = 32 };

struct elf_builder_section {
	uint32_t name; /* offset in names */
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

struct elf_builder_segment {
	uint32_t type;
	uint32_t flags;
	uint64_t file_offset;
	uint64_t vaddr;
	uint64_t file_size;
	uint64_t memory_size;
	uint64_t alignment;
};

struct elf_builder {
	bool is_64bit;
	bool swap; /* the opposite of this machine's byte order */
	uint16_t type;
	uint16_t machine;
	struct strbuf contents; /* from file offset 0 on */
	struct strbuf names;
	struct elf_builder_section sections[ELF_BUILDER_SECTIONS]; /* may be changed until the end */
	uint32_t section_count;
	struct elf_builder_segment segments[ELF_BUILDER_SEGMENTS];
	uint16_t segment_count;
};

struct elf_builder_symbol {
	const char *name;
	uint64_t value;
	uint64_t size;
	uint8_t info;  /* ELF64_ST_INFO(binding, type) */
	uint8_t other; /* visibility */
	uint16_t section;
};

void elf_builder_init(struct elf_builder *builder, bool is_64bit, bool swap, uint16_t type, uint16_t machine);
void elf_builder_fini(struct elf_builder *builder);

/* Returns the number of the new section. Contents begin at the next multiple of 16. bytes may be NULL for SHT_NOBITS. */
uint32_t elf_builder_section(struct elf_builder *builder, const char *name, uint32_t type, uint64_t flags,
			     uint64_t vaddr, const void *bytes, uint64_t size);

void elf_builder_segment(struct elf_builder *builder, uint32_t type, uint32_t flags, uint64_t file_offset,
			 uint64_t vaddr, uint64_t file_size, uint64_t alignment);

/* Adds a PT_LOAD, readable and executable, for the contents of a section. */
void elf_builder_code_segment(struct elf_builder *builder, uint32_t section);

/* Adds a table of symbols and its strings; returns the table's number. The first, empty symbol is added automatically. */
uint32_t elf_builder_symbols(struct elf_builder *builder, uint32_t type,
			     const struct elf_builder_symbol *symbols, size_t count);

/* Adds a section and a PT_NOTE with a build-id. */
void elf_builder_build_id(struct elf_builder *builder, const uint8_t *bytes, size_t size);

/* Adds .gnu_debuglink. */
void elf_builder_debuglink(struct elf_builder *builder, const char *name, uint32_t crc);

/* Returns the file, malloc()ed. Afterwards the builder can only be released. */
uint8_t *elf_builder_finish(struct elf_builder *builder, size_t *size);

/* Opens the file under that name and releases the builder. */
struct elf_file *elf_builder_open(struct elf_builder *builder, const char *name);

/* Writes the file to a path of the tree and releases the builder. */
void elf_builder_write(struct elf_builder *builder, const struct temp_tree *tree, const char *path);

#endif
