#include "support/cfi_builder.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/elf_builder.h"

void cfi_builder_init(struct cfi_builder *builder, uint16_t machine)
{
	*builder = (struct cfi_builder){
		.machine = machine,
		.is_eh_frame = true,
		.with_hdr = true,
		.version = 1,
		.augmentation = "zR",
		.code_alignment = 1,
		.data_alignment = machine == EM_386 ? -4 : -8,
		.ra_column = machine == EM_AARCH64 ? 30 :
			     machine == EM_386     ? 8 :
						     16,
	};
	strbuf_init(&builder->frames);
}

void cfi_builder_fini(struct cfi_builder *builder)
{
	strbuf_fini(&builder->frames);
}

static void add_uleb(struct strbuf *buf, uint64_t value)
{
	do {
		strbuf_addc(buf, (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0)));
		value >>= 7;
	} while (value);
}

static void add_sleb(struct strbuf *buf, int64_t value)
{
	while (value < -64 || value > 63) {
		strbuf_addc(buf, (char)((value & 0x7f) | 0x80));
		value >>= 7;
	}
	strbuf_addc(buf, (char)(value & 0x7f));
}

static bool is_64bit(const struct cfi_builder *builder)
{
	return builder->machine != EM_386;
}

static void add_address(const struct cfi_builder *builder, struct strbuf *entry, uint64_t address)
{
	if (is_64bit(builder))
		strbuf_add_u64(entry, address, builder->swap);
	else
		strbuf_add_u32(entry, (uint32_t)address, builder->swap);
}

static void add_entry(struct cfi_builder *builder, struct strbuf *entry)
{
	while (entry->size % 8 != 4)
		strbuf_addc(entry, DW_CFA_nop);
	strbuf_add_u32(&builder->frames, (uint32_t)entry->size, builder->swap);
	strbuf_add(&builder->frames, entry->bytes, entry->size);
	strbuf_fini(entry);
}

uint64_t cfi_builder_cie(struct cfi_builder *builder, const void *program, size_t size)
{
	uint64_t offset = builder->frames.size;
	struct strbuf entry;

	strbuf_init(&entry);
	strbuf_add_u32(&entry, builder->is_eh_frame ? 0 : UINT32_MAX, builder->swap);
	strbuf_addc(&entry, (char)builder->version);
	strbuf_add(&entry, builder->augmentation, strlen(builder->augmentation) + 1);
	if (builder->version >= 4) {
		strbuf_addc(&entry, is_64bit(builder) ? 8 : 4); /* address size */
		strbuf_addc(&entry, 0);                         /* segment selector size */
	}
	add_uleb(&entry, builder->code_alignment);
	add_sleb(&entry, builder->data_alignment);
	strbuf_addc(&entry, (char)builder->ra_column);
	if (builder->augmentation[0] == 'z') {
		strbuf_addc(&entry, 1); /* size of the rest */
		strbuf_addc(&entry, DW_EH_PE_absptr);
	}
	strbuf_add(&entry, program, size);
	add_entry(builder, &entry);
	return offset;
}

uint64_t cfi_builder_usual_cie(struct cfi_builder *builder)
{
	static const uint8_t x86_64[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset + 16, 1 };
	static const uint8_t i386[] = { DW_CFA_def_cfa, 4, 4, DW_CFA_offset + 8, 1 };
	static const uint8_t aarch64[] = { DW_CFA_def_cfa, 31, 0 };

	switch (builder->machine) {
	case EM_AARCH64: return cfi_builder_cie(builder, aarch64, sizeof(aarch64));
	case EM_386: return cfi_builder_cie(builder, i386, sizeof(i386));
	default: return cfi_builder_cie(builder, x86_64, sizeof(x86_64));
	}
}

void cfi_builder_fde(struct cfi_builder *builder, uint64_t cie, uint64_t start, uint64_t end,
		     const void *program, size_t size)
{
	uint64_t offset = builder->frames.size;
	struct strbuf entry;

	assert_true(builder->fde_count < CFI_MAX_FDES);
	builder->fdes[builder->fde_count].start = start;
	builder->fdes[builder->fde_count++].offset = offset;
	strbuf_init(&entry);
	strbuf_add_u32(&entry, (uint32_t)(builder->is_eh_frame ? offset + 4 - cie : cie), builder->swap);
	add_address(builder, &entry, start);
	add_address(builder, &entry, end - start);
	if (builder->augmentation[0] == 'z')
		strbuf_addc(&entry, 0);
	strbuf_add(&entry, program, size);
	add_entry(builder, &entry);
}

void cfi_builder_hdr(const struct cfi_builder *builder, struct strbuf *hdr)
{
	strbuf_addc(hdr, 1);
	strbuf_addc(hdr, DW_EH_PE_udata4);
	strbuf_addc(hdr, DW_EH_PE_udata4);
	strbuf_addc(hdr, DW_EH_PE_datarel | DW_EH_PE_sdata4);
	strbuf_add_u32(hdr, CFI_FRAME, builder->swap);
	strbuf_add_u32(hdr, (uint32_t)builder->fde_count, builder->swap);
	for (size_t i = 0; i < builder->fde_count; i++) {
		strbuf_add_u32(hdr, (uint32_t)(builder->fdes[i].start - CFI_HDR), builder->swap);
		strbuf_add_u32(hdr, (uint32_t)(CFI_FRAME + builder->fdes[i].offset - CFI_HDR), builder->swap);
	}
}

static void add_hdr(const struct cfi_builder *builder, struct elf_builder *elf)
{
	struct strbuf hdr;

	strbuf_init(&hdr);
	cfi_builder_hdr(builder, &hdr);
	elf_builder_section(elf, ".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, CFI_HDR, hdr.bytes, hdr.size);
	strbuf_fini(&hdr);
}

uint8_t *cfi_builder_bytes(struct cfi_builder *builder, size_t *size)
{
	struct elf_builder elf;
	uint8_t code[CFI_CODE_BYTES] = { 0 }, *bytes;
	uint32_t text;
	struct strbuf entry;

	if (builder->code_size)
		memcpy(code, builder->code, builder->code_size);
	elf_builder_init(&elf, is_64bit(builder), builder->swap, builder->entry ? ET_EXEC : ET_DYN,
			 builder->machine);
	text = elf_builder_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CFI_CODE, code,
				   sizeof(code));
	elf_builder_code_segment(&elf, text);
	if (builder->code_section)
		elf_builder_section(&elf, builder->code_section, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
				    CFI_CODE, builder->code, builder->code_size);
	elf_builder_section(&elf, builder->is_eh_frame ? ".eh_frame" : ".debug_frame", SHT_PROGBITS,
			    builder->is_eh_frame ? SHF_ALLOC : 0, builder->is_eh_frame ? CFI_FRAME : 0,
			    builder->frames.bytes, builder->frames.size);
	if (builder->is_eh_frame && builder->with_hdr)
		add_hdr(builder, &elf);
	bytes = elf_builder_finish(&elf, size);
	elf_builder_fini(&elf);
	strbuf_init(&entry);
	add_address(builder, &entry, builder->entry);
	memcpy(bytes + 24, entry.bytes, entry.size); /* e_entry */
	strbuf_fini(&entry);
	return bytes;
}

struct elf_file *cfi_builder_file(struct cfi_builder *builder)
{
	struct error err;
	size_t size;
	uint8_t *bytes = cfi_builder_bytes(builder, &size);
	struct elf_file *file = elf_file_open_memory(bytes, size, "built", &err);

	assert_non_null(file);
	return file;
}
