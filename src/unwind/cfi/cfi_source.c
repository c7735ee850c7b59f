/*
 * Finds sections by name; in a file without section headers, reads PT_GNU_EH_FRAME, whose header points to .eh_frame. The bytes
 * are those of the mapped ELF file.
 */
#include "unwind/cfi/cfi_source.h"

#include <elf.h>

#include "elf/elf_header.h"
#include "unwind/cfi/encoded_pointer.h"

const uint8_t *cfi_source_loaded(const struct elf_file *file, uint64_t vaddr, size_t *before, size_t *after)
{
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);

	for (size_t i = 0; i < elf_file_segment_count(file); i++) {
		const struct elf_segment *segment = elf_file_segment(file, i);
		uint64_t distance = vaddr - segment->vaddr;

		if (distance >= segment->file_size || segment->file_offset > size ||
		    segment->file_size > size - segment->file_offset)
			continue;
		*before = (size_t)distance;
		*after = (size_t)(segment->file_size - distance);
		return bytes + segment->file_offset + distance;
	}
	return NULL;
}

static struct cfi_section section_of(const struct elf_file *file, const uint8_t *bytes, size_t size,
				     uint64_t vaddr)
{
	return (struct cfi_section){
		.bytes = bytes,
		.size = size,
		.vaddr = vaddr,
		.is_64bit = elf_file_is_64bit(file),
		.swap = elf_file_swapped(file),
	};
}

int cfi_source_segment(const struct elf_file *file, uint32_t type, struct elf_program_header *found)
{
	struct elf_header header;
	struct error err;
	size_t size;
	const uint8_t *bytes = elf_file_bytes(file, &size);

	if (elf_header_decode(&header, bytes, size, "", &err) < 0 || header.segment_offset > size ||
	    (uint64_t)header.segment_count * header.segment_entry_size > size - header.segment_offset)
		return 0;
	for (uint32_t i = 0; i < header.segment_count; i++) {
		elf_program_header_decode(found, &header,
					  bytes + header.segment_offset +
						  (size_t)i * header.segment_entry_size);
		if (found->type == type)
			return 1;
	}
	return 0;
}

/* .eh_frame_hdr gives the address of .eh_frame, which ends with its segment at the latest. */
static int find_by_segment(struct elf_file *file, struct cfi_section *section, struct cfi_hdr *hdr)
{
	struct elf_program_header segment;
	struct pointer_bases bases;
	struct byte_reader r;
	size_t before, after;
	uint64_t vaddr;
	uint8_t encoding;

	if (cfi_source_segment(file, PT_GNU_EH_FRAME, &segment) != 1)
		return 0;
	hdr->bytes = cfi_source_loaded(file, segment.vaddr, &before, &after);
	if (!hdr->bytes)
		return 0;
	hdr->size = segment.file_size < after ? (size_t)segment.file_size : after;
	r = byte_reader_over(hdr->bytes, hdr->size, elf_file_swapped(file));
	bases = (struct pointer_bases){
		.bytes = hdr->bytes,
		.bytes_vaddr = segment.vaddr,
		.data_vaddr = segment.vaddr,
		.address_bytes = elf_file_is_64bit(file) ? 8 : 4,
	};
	byte_reader_skip(&r, 1);
	encoding = byte_reader_u8(&r);
	byte_reader_skip(&r, 2);
	vaddr = encoded_pointer_read(&r, encoding, &bases);
	*section = section_of(file, cfi_source_loaded(file, vaddr, &before, &after), 0, vaddr);
	section->size = section->bytes ? after : 0;
	section->hdr_vaddr = segment.vaddr;
	section->is_eh_frame = true;
	return byte_reader_ok(&r) && section->bytes ? 1 : 0;
}

int cfi_source_eh_frame(struct elf_file *file, struct cfi_section *section, struct cfi_hdr *hdr)
{
	struct elf_section found, table, text;
	struct error err;

	*hdr = (struct cfi_hdr){ .bytes = NULL };
	if (elf_file_section(file, ".eh_frame", &found, &err) != 1)
		return find_by_segment(file, section, hdr);
	if (!found.bytes) /* a debug file keeps the header of the section without its bytes */
		return 0;
	*section = section_of(file, found.bytes, found.size, found.vaddr);
	section->is_eh_frame = true;
	if (elf_file_section(file, ".eh_frame_hdr", &table, &err) == 1 && table.bytes) {
		section->hdr_vaddr = table.vaddr;
		*hdr = (struct cfi_hdr){ table.bytes, table.size };
	}
	if (elf_file_section(file, ".text", &text, &err) == 1)
		section->text_vaddr = text.vaddr;
	return 1;
}

int cfi_source_debug_frame(struct elf_file *file, struct cfi_section *section)
{
	struct elf_section found;
	struct error err;

	if (elf_file_section(file, ".debug_frame", &found, &err) != 1 || !found.bytes)
		return 0;
	*section = section_of(file, found.bytes, found.size, 0);
	return 1;
}
