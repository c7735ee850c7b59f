/*
 * The first half places sections as the kernel lays out a module. The second half applies relocations by the table `kinds`, which
 * maps machine and type to an operation and a field width; apply() computes S + A and its variants. Unknown types are skipped.
 */
#include "elf/elf_relocatable.h"

#include <elf.h>
#include <string.h>

#include "base/byte_reader.h"

#ifndef EM_RISCV
#define EM_RISCV 243
#endif
#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif

/* --- placing ---------------------------------------------------------------------- */

/*
 * As the kernel's __layout_sections() (kernel/module/main.c): loaded executable sections come first, in file order, each at its
 * own alignment. Sections whose names begin with ".init" go elsewhere, and are freed once the module runs.
 */
enum elf_relocatable_group elf_relocatable_group(const struct elf_section_header *header, const char *name)
{
	if (!(header->flags & SHF_ALLOC))
		return ELF_RELOCATABLE_NOT_LOADED;
	if (!(header->flags & SHF_EXECINSTR))
		return ELF_RELOCATABLE_DATA;
	return strncmp(name, ".init", strlen(".init")) == 0 ? ELF_RELOCATABLE_INIT_TEXT :
							      ELF_RELOCATABLE_TEXT;
}

uint64_t elf_relocatable_place(struct elf_section_header *header, uint64_t free_vaddr)
{
	const uint64_t max_bytes = (uint64_t)1 << 32; /* of size and alignment: beyond, they are damaged */
	uint64_t alignment = header->alignment;

	if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > max_bytes)
		alignment = 1;
	header->vaddr = (free_vaddr + alignment - 1) & ~(alignment - 1);
	return header->vaddr + (header->size < max_bytes ? header->size : 0);
}

/* --- relocations ------------------------------------------------------------------- */

enum operation {
	SET,          /* S + A */
	SET_RELATIVE, /* S + A - P */
	ADD,          /* V + S + A */
	SUBTRACT,     /* V - S - A */
};

struct relocation_kind {
	uint16_t machine;
	uint32_t type;
	enum operation operation;
	unsigned int bits; /* size of the field; 6: the low bits of a byte */
};

/* Relocations in debug information, from the ABI's processor supplements. Others occur only in code. */
static const struct relocation_kind kinds[] = {
	{ EM_X86_64, R_X86_64_64, SET, 64 },
	{ EM_X86_64, R_X86_64_32, SET, 32 },
	{ EM_X86_64, R_X86_64_32S, SET, 32 },
	{ EM_X86_64, R_X86_64_PC32, SET_RELATIVE, 32 },
	{ EM_X86_64, R_X86_64_PC64, SET_RELATIVE, 64 },
	{ EM_386, R_386_32, SET, 32 },
	{ EM_386, R_386_PC32, SET_RELATIVE, 32 },
	{ EM_AARCH64, R_AARCH64_ABS64, SET, 64 },
	{ EM_AARCH64, R_AARCH64_ABS32, SET, 32 },
	{ EM_AARCH64, R_AARCH64_PREL32, SET_RELATIVE, 32 },
	{ EM_AARCH64, R_AARCH64_PREL64, SET_RELATIVE, 64 },
	{ EM_ARM, R_ARM_ABS32, SET, 32 },
	{ EM_ARM, R_ARM_REL32, SET_RELATIVE, 32 },
	{ EM_PPC64, R_PPC64_ADDR64, SET, 64 },
	{ EM_PPC64, R_PPC64_ADDR32, SET, 32 },
	{ EM_PPC64, R_PPC64_REL32, SET_RELATIVE, 32 },
	{ EM_S390, R_390_64, SET, 64 },
	{ EM_S390, R_390_32, SET, 32 },
	/* RISC-V and LoongArch linkers shorten code, so assemblers express lengths as differences of two symbols. */
	{ EM_RISCV, 1 /* R_RISCV_32 */, SET, 32 },
	{ EM_RISCV, 2 /* R_RISCV_64 */, SET, 64 },
	{ EM_RISCV, 33 /* R_RISCV_ADD8 */, ADD, 8 },
	{ EM_RISCV, 34 /* R_RISCV_ADD16 */, ADD, 16 },
	{ EM_RISCV, 35 /* R_RISCV_ADD32 */, ADD, 32 },
	{ EM_RISCV, 36 /* R_RISCV_ADD64 */, ADD, 64 },
	{ EM_RISCV, 37 /* R_RISCV_SUB8 */, SUBTRACT, 8 },
	{ EM_RISCV, 38 /* R_RISCV_SUB16 */, SUBTRACT, 16 },
	{ EM_RISCV, 39 /* R_RISCV_SUB32 */, SUBTRACT, 32 },
	{ EM_RISCV, 40 /* R_RISCV_SUB64 */, SUBTRACT, 64 },
	{ EM_RISCV, 52 /* R_RISCV_SUB6 */, SUBTRACT, 6 },
	{ EM_RISCV, 53 /* R_RISCV_SET6 */, SET, 6 },
	{ EM_RISCV, 54 /* R_RISCV_SET8 */, SET, 8 },
	{ EM_RISCV, 55 /* R_RISCV_SET16 */, SET, 16 },
	{ EM_RISCV, 56 /* R_RISCV_SET32 */, SET, 32 },
	{ EM_RISCV, 57 /* R_RISCV_32_PCREL */, SET_RELATIVE, 32 },
	{ EM_LOONGARCH, 1 /* R_LARCH_32 */, SET, 32 },
	{ EM_LOONGARCH, 2 /* R_LARCH_64 */, SET, 64 },
	{ EM_LOONGARCH, 47 /* R_LARCH_ADD8 */, ADD, 8 },
	{ EM_LOONGARCH, 48 /* R_LARCH_ADD16 */, ADD, 16 },
	{ EM_LOONGARCH, 50 /* R_LARCH_ADD32 */, ADD, 32 },
	{ EM_LOONGARCH, 51 /* R_LARCH_ADD64 */, ADD, 64 },
	{ EM_LOONGARCH, 52 /* R_LARCH_SUB8 */, SUBTRACT, 8 },
	{ EM_LOONGARCH, 53 /* R_LARCH_SUB16 */, SUBTRACT, 16 },
	{ EM_LOONGARCH, 55 /* R_LARCH_SUB32 */, SUBTRACT, 32 },
	{ EM_LOONGARCH, 56 /* R_LARCH_SUB64 */, SUBTRACT, 64 },
};

static const struct relocation_kind *kind_of(uint16_t machine, uint32_t type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

/* A field of the section, in the file's byte order. */
static uint64_t read_field(const uint8_t *at, unsigned int bits, bool swap)
{
	struct byte_reader r = byte_reader_over(at, bits < 8 ? 1 : bits / 8, swap);

	switch (bits) {
	case 64: return byte_reader_u64(&r);
	case 32: return byte_reader_u32(&r);
	case 16: return byte_reader_u16(&r);
	case 8: return byte_reader_u8(&r);
	default: return byte_reader_u8(&r) & ((1u << bits) - 1);
	}
}

static void write_field(uint8_t *at, unsigned int bits, bool swap, uint64_t value)
{
	const bool big_endian = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != swap;
	const size_t size = bits / 8;

	if (bits < 8) {
		uint8_t mask = (uint8_t)((1u << bits) - 1);

		*at = (uint8_t)((*at & ~mask) | (value & mask));
		return;
	}
	for (size_t i = 0; i < size; i++)
		at[big_endian ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

/* A relocation as in the table (gABI, "Relocation"). */
struct raw_relocation {
	uint64_t offset; /* in the section to be relocated */
	uint32_t type;
	uint32_t symbol;
	uint64_t addend;
};

static struct raw_relocation decode_relocation(const struct elf_relocations *table, struct byte_reader *r)
{
	struct raw_relocation raw = { 0 };
	uint64_t kind;

	if (table->header->is_64bit) {
		raw.offset = byte_reader_u64(r);
		kind = byte_reader_u64(r);
		raw.type = (uint32_t)kind;
		raw.symbol = (uint32_t)(kind >> 32);
		if (table->with_addends)
			raw.addend = byte_reader_u64(r);
	} else {
		raw.offset = byte_reader_u32(r);
		kind = byte_reader_u32(r);
		raw.type = kind & 0xff;
		raw.symbol = (uint32_t)(kind >> 8);
		if (table->with_addends)
			raw.addend = (uint64_t)(int64_t)(int32_t)byte_reader_u32(r);
	}
	return raw;
}

/* Finds a symbol's vaddr. Returns false if it is undefined, or its section has no known address. */
static bool symbol_vaddr(const struct elf_relocations *table, uint32_t number, uint64_t *vaddr)
{
	const bool is_64bit = table->header->is_64bit;
	struct byte_reader r = byte_reader_over(table->symbols, table->symbols_size, table->header->swap);
	uint16_t section_number;
	uint64_t base;

	byte_reader_skip(&r, number * (is_64bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)));
	if (is_64bit) {
		byte_reader_skip(&r, 6);
		section_number = byte_reader_u16(&r);
		*vaddr = byte_reader_u64(&r);
	} else {
		byte_reader_skip(&r, 4);
		*vaddr = byte_reader_u32(&r);
		byte_reader_skip(&r, 6);
		section_number = byte_reader_u16(&r);
	}
	if (!byte_reader_ok(&r))
		return false;
	if (section_number == SHN_ABS || number == 0)
		return true;
	if (section_number == SHN_UNDEF || !table->section_vaddr(table->context, section_number, &base))
		return false;
	*vaddr += base;
	return true;
}

static void apply(const struct elf_relocations *table, const struct raw_relocation *raw, uint64_t vaddr,
		  uint8_t *bytes, size_t size)
{
	const struct relocation_kind *kind = kind_of(table->header->machine, raw->type);
	const bool swap = table->header->swap;
	uint64_t value, field;
	size_t field_size;

	if (!kind)
		return;
	field_size = kind->bits < 8 ? 1 : kind->bits / 8;
	if (raw->offset > size || size - raw->offset < field_size ||
	    !symbol_vaddr(table, raw->symbol, &value))
		return;
	field = read_field(bytes + raw->offset, kind->bits, swap);
	value += table->with_addends ? raw->addend : field;
	switch (kind->operation) {
	case SET: break;
	case SET_RELATIVE: value -= vaddr + raw->offset; break;
	case ADD: value = field + value; break;
	case SUBTRACT: value = field - value; break;
	}
	write_field(bytes + raw->offset, kind->bits, swap, value);
}

void elf_relocations_apply(const struct elf_relocations *relocations, uint64_t vaddr, uint8_t *bytes,
			   size_t size)
{
	struct byte_reader r =
		byte_reader_over(relocations->entries, relocations->entries_size, relocations->header->swap);

	while (byte_reader_left(&r) > 0) {
		const struct raw_relocation raw = decode_relocation(relocations, &r);

		if (!byte_reader_ok(&r))
			break;
		apply(relocations, &raw, vaddr, bytes, size);
	}
}
