/*
 * Decodes each structure field by field through a byte reader, in the order of the gABI; read_word() hides the difference between
 * 32 and 64 bits. If entry sizes are too small, the count becomes 0, so that later loops never read half an entry.
 */
#include "elf/elf_header.h"

#include <elf.h>
#include <string.h>

#include "base/byte_reader.h"

/* An address, offset or size: 4 bytes in a 32-bit file, 8 in a 64-bit one. */
static uint64_t read_word(struct byte_reader *r, bool is_64bit)
{
	return is_64bit ? byte_reader_u64(r) : byte_reader_u32(r);
}

static bool this_machine_is_little(void)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

static int decode_ident(struct elf_header *header, const uint8_t *ident, const char *name, struct error *err)
{
	if (memcmp(ident, ELFMAG, SELFMAG) != 0)
		return error_set(err, "%s is not an ELF file", name);
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return error_set(err, "%s: unknown ELF class %u", name, ident[EI_CLASS]);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return error_set(err, "%s: unknown ELF byte order %u", name, ident[EI_DATA]);
	header->is_64bit = ident[EI_CLASS] == ELFCLASS64;
	header->swap = (ident[EI_DATA] == ELFDATA2LSB) != this_machine_is_little();
	return 0;
}

int elf_header_decode(struct elf_header *header, const void *bytes, size_t size, const char *name,
		      struct error *err)
{
	struct byte_reader r = byte_reader_over(bytes, size, false);
	const uint8_t *ident = byte_reader_bytes(&r, EI_NIDENT);

	memset(header, 0, sizeof(*header));
	if (!ident)
		return error_set(err, "%s is not an ELF file: it has %zu bytes", name, size);
	if (decode_ident(header, ident, name, err) < 0)
		return -1;
	r.swap = header->swap;
	header->type = byte_reader_u16(&r);
	header->machine = byte_reader_u16(&r);
	byte_reader_skip(&r, 4);               /* e_version */
	(void)read_word(&r, header->is_64bit); /* e_entry */
	header->segment_offset = read_word(&r, header->is_64bit);
	header->section_offset = read_word(&r, header->is_64bit);
	byte_reader_skip(&r, 4 + 2); /* e_flags, e_ehsize */
	header->segment_entry_size = byte_reader_u16(&r);
	header->segment_count = byte_reader_u16(&r);
	header->section_entry_size = byte_reader_u16(&r);
	header->section_count = byte_reader_u16(&r);
	header->section_names = byte_reader_u16(&r);
	if (!byte_reader_ok(&r))
		return error_set(err, "%s: cut off inside of its ELF header", name);
	if (header->segment_entry_size < (header->is_64bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		header->segment_count = 0;
	if (header->section_entry_size < (header->is_64bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr))) {
		header->section_count = 0;
		header->section_offset = 0;
	}
	return 0;
}

void elf_header_extend(struct elf_header *header, const struct elf_section_header *section_0)
{
	if (header->section_count == 0)
		header->section_count = section_0->size < UINT32_MAX ? (uint32_t)section_0->size : UINT32_MAX;
	if (header->section_names == SHN_XINDEX)
		header->section_names = section_0->link;
	if (header->segment_count == PN_XNUM)
		header->segment_count = section_0->info;
}

void elf_program_header_decode(struct elf_program_header *segment, const struct elf_header *header,
			       const void *bytes)
{
	struct byte_reader r = byte_reader_over(bytes, header->segment_entry_size, header->swap);

	segment->type = byte_reader_u32(&r);
	if (header->is_64bit)
		segment->flags = byte_reader_u32(&r);
	segment->file_offset = read_word(&r, header->is_64bit);
	segment->vaddr = read_word(&r, header->is_64bit);
	(void)read_word(&r, header->is_64bit); /* p_paddr */
	segment->file_size = read_word(&r, header->is_64bit);
	segment->memory_size = read_word(&r, header->is_64bit);
	if (!header->is_64bit)
		segment->flags = byte_reader_u32(&r);
	segment->alignment = read_word(&r, header->is_64bit);
}

void elf_section_header_decode(struct elf_section_header *section, const struct elf_header *header,
			       const void *bytes)
{
	struct byte_reader r = byte_reader_over(bytes, header->section_entry_size, header->swap);

	section->name = byte_reader_u32(&r);
	section->type = byte_reader_u32(&r);
	section->flags = read_word(&r, header->is_64bit);
	section->vaddr = read_word(&r, header->is_64bit);
	section->file_offset = read_word(&r, header->is_64bit);
	section->size = read_word(&r, header->is_64bit);
	section->link = byte_reader_u32(&r);
	section->info = byte_reader_u32(&r);
	section->alignment = read_word(&r, header->is_64bit);
	section->entry_size = read_word(&r, header->is_64bit);
}
