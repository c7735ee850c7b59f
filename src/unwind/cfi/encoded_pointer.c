/* The low four bits of an encoding say how the number is stored, the next three what it is relative to. */
#include "unwind/cfi/encoded_pointer.h"

#include <dwarf.h>

#include "base/leb128.h"

enum { FORMAT_MASK = 0x0f, RELATION_MASK = 0x70 };

static uint64_t read_format(struct byte_reader *r, uint8_t encoding, size_t address_bytes)
{
	switch (encoding & FORMAT_MASK) {
	case DW_EH_PE_absptr: return address_bytes == 4 ? byte_reader_u32(r) : byte_reader_u64(r);
	case 0x08: /* signed address: DW_EH_PE_signed */
		return address_bytes == 4 ? (uint64_t)(int64_t)(int32_t)byte_reader_u32(r) :
					    byte_reader_u64(r);
	case DW_EH_PE_uleb128: return leb128_unsigned(r);
	case DW_EH_PE_udata2: return byte_reader_u16(r);
	case DW_EH_PE_udata4: return byte_reader_u32(r);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8: return byte_reader_u64(r);
	case DW_EH_PE_sleb128: return (uint64_t)leb128_signed(r);
	case DW_EH_PE_sdata2: return (uint64_t)(int64_t)(int16_t)byte_reader_u16(r);
	case DW_EH_PE_sdata4: return (uint64_t)(int64_t)(int32_t)byte_reader_u32(r);
	default: r->failed = true; return 0;
	}
}

uint64_t encoded_pointer_read_length(struct byte_reader *r, uint8_t encoding, size_t address_bytes)
{
	return read_format(r, encoding, address_bytes);
}

/* Skips the padding in front of an aligned address (DW_EH_PE_aligned). */
static void align(struct byte_reader *r, const struct pointer_bases *bases)
{
	uint64_t vaddr = bases->bytes_vaddr + (uint64_t)(r->next - bases->bytes);

	byte_reader_skip(r, (size_t)(-vaddr & (bases->address_bytes - 1)));
}

uint64_t encoded_pointer_read(struct byte_reader *r, uint8_t encoding, const struct pointer_bases *bases)
{
	uint64_t vaddr, value;

	if (encoding == DW_EH_PE_aligned) {
		align(r, bases);
		encoding = DW_EH_PE_absptr;
	}
	if (encoding & DW_EH_PE_indirect) {
		r->failed = true;
		return 0;
	}
	vaddr = bases->bytes_vaddr + (uint64_t)(r->next - bases->bytes);
	value = read_format(r, encoding, bases->address_bytes);
	switch (encoding & RELATION_MASK) {
	case DW_EH_PE_absptr: break;
	case DW_EH_PE_pcrel: value += vaddr; break;
	case DW_EH_PE_textrel: value += bases->text_vaddr; break;
	case DW_EH_PE_datarel: value += bases->data_vaddr; break;
	default: r->failed = true;
	}
	return bases->address_bytes == 4 ? (uint32_t)value : value;
}
