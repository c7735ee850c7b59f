/*
 * libdw splits a section into entries; this file reads augmentation strings and encoded pointers. CIEs pass through a small
 * direct-mapped memo, as FDEs share a few of them.
 */
#include "unwind/cfi/cfi_section.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/leb128.h"
#include "unwind/cfi/encoded_pointer.h"

static size_t address_bytes(const struct cfi_section *section)
{
	return section->is_64bit ? 8 : 4;
}

static struct pointer_bases bases(const struct cfi_section *section)
{
	return (struct pointer_bases){
		.bytes = section->bytes,
		.bytes_vaddr = section->vaddr,
		.data_vaddr = section->hdr_vaddr,
		.text_vaddr = section->text_vaddr,
		.address_bytes = address_bytes(section),
	};
}

/* Calls dwarf_next_cfi(), which needs the class and byte order in an ELF identification. */
static int next_entry(const struct cfi_section *section, uint64_t offset, Dwarf_Off *next,
		      Dwarf_CFI_Entry *entry)
{
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != section->swap;
	unsigned char e_ident[EI_NIDENT] = {
		[EI_CLASS] = section->is_64bit ? ELFCLASS64 : ELFCLASS32,
		[EI_DATA] = little ? ELFDATA2LSB : ELFDATA2MSB,
	};
	Elf_Data data = { .d_buf = (void *)(uintptr_t)section->bytes, .d_size = section->size };

	*next = UINT64_MAX;
	if (offset >= section->size)
		return 1;
	return dwarf_next_cfi(e_ident, &data, section->is_eh_frame, offset, next, entry);
}

/* Reads the letters behind 'z' that matter to FDEs. Stops at an unknown letter: 'z' gives the size. */
static int read_augmentation(const struct cfi_section *section, const Dwarf_CIE *entry, struct cfi_cie *cie)
{
	struct byte_reader r =
		byte_reader_over(entry->augmentation_data, entry->augmentation_data_size, section->swap);
	struct pointer_bases base = bases(section);

	cie->pointer_encoding = DW_EH_PE_absptr;
	/* Without 'z' an augmentation cannot be skipped; only that of old g++, "eh", adds nothing to FDEs. */
	if (entry->augmentation[0] != 'z')
		return entry->augmentation[0] == '\0' || strcmp(entry->augmentation, "eh") == 0 ? 0 : -1;
	cie->sized_augmentation = true;
	for (const char *letter = entry->augmentation + 1; *letter; letter++) {
		switch (*letter) {
		case 'L': byte_reader_skip(&r, 1); break;
		case 'R': cie->pointer_encoding = byte_reader_u8(&r); break;
		case 'P': {
			/* The target is not used, so it need not be readable. */
			uint8_t encoding = byte_reader_u8(&r) & (uint8_t)~DW_EH_PE_indirect;

			(void)encoded_pointer_read(&r, encoding, &base);
			break;
		}
		case 'S': cie->signal_frame = true; break;
		case 'B': /* aarch64: return addresses are signed with key B */
		case 'G': /* aarch64: the frame's memory is tagged */ break;
		default: return 0;
		}
	}
	return byte_reader_ok(&r) ? 0 : -1;
}

static int read_cie(const struct cfi_section *section, uint64_t offset, struct cfi_cie *cie)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (next_entry(section, offset, &next, &entry) != 0 || !dwarf_cfi_cie_p(&entry))
		return -1;
	*cie = (struct cfi_cie){
		.initial = { entry.cie.initial_instructions,
			     (size_t)(entry.cie.initial_instructions_end - entry.cie.initial_instructions) },
		.code_alignment = entry.cie.code_alignment_factor,
		.data_alignment = entry.cie.data_alignment_factor,
		.ra_column = entry.cie.return_address_register,
	};
	return read_augmentation(section, &entry.cie, cie);
}

const struct cfi_cie *cfi_section_cie(const struct cfi_section *section, struct cfi_cie_memo *memo,
				      uint64_t offset)
{
	struct cfi_cie_place *place = &memo->places[hash_u64(offset) % CFI_CIE_PLACES];

	if (place->key != offset + 1) {
		place->key = offset + 1;
		place->is_usable = read_cie(section, offset, &place->cie) == 0;
	}
	return place->is_usable ? &place->cie : NULL;
}

int cfi_section_fde(const struct cfi_section *section, struct cfi_cie_memo *memo, uint64_t offset,
		    struct cfi_fde *fde, uint64_t *next)
{
	struct pointer_bases base = bases(section);
	const struct cfi_cie *cie;
	struct byte_reader r;
	Dwarf_CFI_Entry entry;
	Dwarf_Off next_offset;
	int result = next_entry(section, offset, &next_offset, &entry);

	*next = next_offset > offset ? next_offset : UINT64_MAX;
	if (result != 0 || dwarf_cfi_cie_p(&entry))
		return 0;
	cie = cfi_section_cie(section, memo, entry.fde.CIE_pointer);
	if (!cie)
		return 0;
	r = byte_reader_over(entry.fde.start, (size_t)(entry.fde.end - entry.fde.start), section->swap);
	fde->cie_offset = entry.fde.CIE_pointer;
	fde->start = encoded_pointer_read(&r, cie->pointer_encoding, &base);
	fde->end =
		fde->start + encoded_pointer_read_length(&r, cie->pointer_encoding, address_bytes(section));
	if (cie->sized_augmentation)
		byte_reader_skip(&r, leb128_unsigned(&r));
	fde->program = (struct cfi_program){ r.next, byte_reader_left(&r) };
	return byte_reader_ok(&r) && fde->end > fde->start;
}
