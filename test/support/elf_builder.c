#include "support/elf_builder.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"

static size_t header_size(const struct elf_builder *builder)
{
	return builder->is_64bit ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
}

static size_t segment_header_size(const struct elf_builder *builder)
{
	return builder->is_64bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
}

static size_t section_header_size(const struct elf_builder *builder)
{
	return builder->is_64bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static void add_u16(struct strbuf *to, const struct elf_builder *builder, uint16_t value)
{
	strbuf_add_u16(to, value, builder->swap);
}

static void add_u32(struct strbuf *to, const struct elf_builder *builder, uint32_t value)
{
	strbuf_add_u32(to, value, builder->swap);
}

static void add_word(struct strbuf *to, const struct elf_builder *builder, uint64_t value)
{
	if (builder->is_64bit)
		strbuf_add_u64(to, value, builder->swap);
	else
		strbuf_add_u32(to, (uint32_t)value, builder->swap);
}

void elf_builder_init(struct elf_builder *builder, bool is_64bit, bool swap, uint16_t type, uint16_t machine)
{
	memset(builder, 0, sizeof(*builder));
	builder->is_64bit = is_64bit;
	builder->swap = swap;
	builder->type = type;
	builder->machine = machine;
	strbuf_init(&builder->contents);
	strbuf_init(&builder->names);
	strbuf_addc(&builder->names, '\0');
	strbuf_add_zeros(&builder->contents,
			 header_size(builder) + ELF_BUILDER_SEGMENTS * segment_header_size(builder));
	builder->section_count = 1; /* number 0 means no section */
}

void elf_builder_fini(struct elf_builder *builder)
{
	strbuf_fini(&builder->contents);
	strbuf_fini(&builder->names);
}

static void align_contents(struct elf_builder *builder)
{
	strbuf_add_zeros(&builder->contents, -builder->contents.size % 16);
}

uint32_t elf_builder_section(struct elf_builder *builder, const char *name, uint32_t type, uint64_t flags,
			     uint64_t vaddr, const void *bytes, uint64_t size)
{
	align_contents(builder);
	builder->sections[builder->section_count] = (struct elf_builder_section){
		.name = (uint32_t)builder->names.size,
		.type = type,
		.flags = flags,
		.vaddr = vaddr,
		.file_offset = builder->contents.size,
		.size = size,
		.alignment = 1,
	};
	strbuf_add(&builder->names, name, strlen(name) + 1);
	if (bytes)
		strbuf_add(&builder->contents, bytes, (size_t)size);
	return builder->section_count++;
}

void elf_builder_segment(struct elf_builder *builder, uint32_t type, uint32_t flags, uint64_t file_offset,
			 uint64_t vaddr, uint64_t file_size, uint64_t alignment)
{
	builder->segments[builder->segment_count++] = (struct elf_builder_segment){
		.type = type,
		.flags = flags,
		.file_offset = file_offset,
		.vaddr = vaddr,
		.file_size = file_size,
		.memory_size = file_size,
		.alignment = alignment,
	};
}

void elf_builder_code_segment(struct elf_builder *builder, uint32_t section)
{
	const struct elf_builder_section *code = &builder->sections[section];

	elf_builder_segment(builder, PT_LOAD, PF_R | PF_X, code->file_offset, code->vaddr, code->size, 4096);
}

static void add_symbol(struct strbuf *table, const struct elf_builder *builder, uint32_t name,
		       const struct elf_builder_symbol *symbol)
{
	add_u32(table, builder, name);
	if (!builder->is_64bit) {
		add_u32(table, builder, (uint32_t)symbol->value);
		add_u32(table, builder, (uint32_t)symbol->size);
	}
	strbuf_addc(table, (char)symbol->info);
	strbuf_addc(table, (char)symbol->other);
	add_u16(table, builder, symbol->section);
	if (builder->is_64bit) {
		strbuf_add_u64(table, symbol->value, builder->swap);
		strbuf_add_u64(table, symbol->size, builder->swap);
	}
}

uint32_t elf_builder_symbols(struct elf_builder *builder, uint32_t type,
			     const struct elf_builder_symbol *symbols, size_t count)
{
	static const struct elf_builder_symbol none;
	struct strbuf table, strings;
	uint32_t string_section, table_section;

	strbuf_init(&table);
	strbuf_init(&strings);
	strbuf_addc(&strings, '\0');
	add_symbol(&table, builder, 0, &none);
	for (size_t i = 0; i < count; i++) {
		add_symbol(&table, builder, (uint32_t)strings.size, &symbols[i]);
		strbuf_add(&strings, symbols[i].name, strlen(symbols[i].name) + 1);
	}
	string_section = elf_builder_section(builder, type == SHT_DYNSYM ? ".dynstr" : ".strtab", SHT_STRTAB,
					     0, 0, strings.bytes, strings.size);
	table_section = elf_builder_section(builder, type == SHT_DYNSYM ? ".dynsym" : ".symtab", type, 0, 0,
					    table.bytes, table.size);
	builder->sections[table_section].link = string_section;
	builder->sections[table_section].entry_size =
		builder->is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	strbuf_fini(&table);
	strbuf_fini(&strings);
	return table_section;
}

void elf_builder_build_id(struct elf_builder *builder, const uint8_t *bytes, size_t size)
{
	const struct elf_builder_section *section;
	struct strbuf note;
	uint32_t number;

	strbuf_init(&note);
	add_u32(&note, builder, sizeof("GNU"));
	add_u32(&note, builder, (uint32_t)size);
	add_u32(&note, builder, NT_GNU_BUILD_ID);
	strbuf_add(&note, "GNU", sizeof("GNU"));
	strbuf_add(&note, bytes, size);
	number = elf_builder_section(builder, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0, note.bytes,
				     note.size);
	section = &builder->sections[number];
	elf_builder_segment(builder, PT_NOTE, PF_R, section->file_offset, 0, section->size, 4);
	strbuf_fini(&note);
}

void elf_builder_debuglink(struct elf_builder *builder, const char *name, uint32_t crc)
{
	struct strbuf link;

	strbuf_init(&link);
	strbuf_add(&link, name, strlen(name) + 1);
	strbuf_add_zeros(&link, -link.size % 4);
	add_u32(&link, builder, crc);
	elf_builder_section(builder, ".gnu_debuglink", SHT_PROGBITS, 0, 0, link.bytes, link.size);
	strbuf_fini(&link);
}

static void add_section_header(struct strbuf *to, const struct elf_builder *builder,
			       const struct elf_builder_section *section)
{
	add_u32(to, builder, section->name);
	add_u32(to, builder, section->type);
	add_word(to, builder, section->flags);
	add_word(to, builder, section->vaddr);
	add_word(to, builder, section->file_offset);
	add_word(to, builder, section->size);
	add_u32(to, builder, section->link);
	add_u32(to, builder, section->info);
	add_word(to, builder, section->alignment);
	add_word(to, builder, section->entry_size);
}

static void add_segment_header(struct strbuf *to, const struct elf_builder *builder,
			       const struct elf_builder_segment *segment)
{
	add_u32(to, builder, segment->type);
	if (builder->is_64bit)
		add_u32(to, builder, segment->flags);
	add_word(to, builder, segment->file_offset);
	add_word(to, builder, segment->vaddr);
	add_word(to, builder, segment->vaddr); /* p_paddr */
	add_word(to, builder, segment->file_size);
	add_word(to, builder, segment->memory_size);
	if (!builder->is_64bit)
		add_u32(to, builder, segment->flags);
	add_word(to, builder, segment->alignment);
}

static void add_elf_header(struct strbuf *to, const struct elf_builder *builder, uint64_t section_offset)
{
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != builder->swap;

	strbuf_add(to, ELFMAG, SELFMAG);
	strbuf_addc(to, builder->is_64bit ? ELFCLASS64 : ELFCLASS32);
	strbuf_addc(to, little ? ELFDATA2LSB : ELFDATA2MSB);
	strbuf_addc(to, EV_CURRENT);
	strbuf_add_zeros(to, EI_NIDENT - to->size);
	add_u16(to, builder, builder->type);
	add_u16(to, builder, builder->machine);
	add_u32(to, builder, EV_CURRENT);
	add_word(to, builder, 0); /* e_entry */
	add_word(to, builder, header_size(builder));
	add_word(to, builder, section_offset);
	add_u32(to, builder, 0); /* e_flags */
	add_u16(to, builder, (uint16_t)header_size(builder));
	add_u16(to, builder, (uint16_t)segment_header_size(builder));
	add_u16(to, builder, builder->segment_count);
	add_u16(to, builder, (uint16_t)section_header_size(builder));
	add_u16(to, builder, (uint16_t)builder->section_count);
	add_u16(to, builder, (uint16_t)(builder->section_count - 1)); /* .shstrtab is last */
}

uint8_t *elf_builder_finish(struct elf_builder *builder, size_t *size)
{
	struct strbuf headers;
	uint64_t section_offset;

	elf_builder_section(builder, ".shstrtab", SHT_STRTAB, 0, 0, NULL, 0);
	builder->sections[builder->section_count - 1].size = builder->names.size;
	strbuf_add(&builder->contents, builder->names.bytes, builder->names.size);
	align_contents(builder);
	section_offset = builder->contents.size;
	for (uint32_t i = 0; i < builder->section_count; i++)
		add_section_header(&builder->contents, builder, &builder->sections[i]);
	strbuf_init(&headers);
	add_elf_header(&headers, builder, section_offset);
	for (uint16_t i = 0; i < builder->segment_count; i++)
		add_segment_header(&headers, builder, &builder->segments[i]);
	memcpy(builder->contents.bytes, headers.bytes, headers.size);
	strbuf_fini(&headers);
	*size = builder->contents.size;
	return (uint8_t *)strbuf_detach(&builder->contents);
}

struct elf_file *elf_builder_open(struct elf_builder *builder, const char *name)
{
	size_t size;
	uint8_t *bytes = elf_builder_finish(builder, &size);
	struct elf_file *file = elf_file_open_memory(bytes, size, name, NULL);

	assert_non_null(file);
	elf_builder_fini(builder);
	return file;
}

void elf_builder_write(struct elf_builder *builder, const struct temp_tree *tree, const char *path)
{
	size_t size;
	uint8_t *bytes = elf_builder_finish(builder, &size);

	temp_tree_bytes(tree, path, bytes, size);
	free(bytes);
	elf_builder_fini(builder);
}
