/*
 * One decoder for each machine, with the instruction patterns in a comment above it. plt_code_next() tries the decoder at each
 * step of the section. A decoder only recognizes code; elf_plt.c then checks the GOT slot against the relocations.
 */
#include "elf/plt_code.h"

static uint32_t le32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

/*
 * x86-64 psABI, "Procedure Linkage Table", and what GNU ld, gold, lld and mold emit:
 *
 *   ff 25 rel32   68 imm32   e9 rel32                  lazy, 16 bytes
 *   ff 25 rel32   66 90                                .plt.got, 8 bytes
 *   f3 0f 1e fa   [f2] ff 25 rel32  nop…               .plt.sec and .plt.got with IBT, 16 bytes
 *   f2 ff 25 rel32 90                                  .plt.got with BND (MPX), 8 bytes
 *   f3 0f 1e fa   41 bb imm32  ff 25 rel32             mold, 16 bytes
 *   f3 0f 1e fa   68 imm32  [f2] e9 rel32  nop…        lazy half of IBT: names its relocation by number
 */
static size_t decode_x86_64(const uint8_t *bytes, size_t left, uint64_t vaddr, struct plt_entry *entry)
{
	size_t at = 0;
	bool has_landing_pad = left >= 4 && le32(bytes) == 0xfa1e0ff3; /* endbr64 */

	entry->lazy_index = PLT_NO_LAZY_INDEX;
	if (has_landing_pad && left >= 16 && bytes[4] == 0x68 && (bytes[9] == 0xe9 || bytes[10] == 0xe9)) {
		entry->lazy_index = le32(bytes + 5);
		return 16;
	}
	if (has_landing_pad)
		at += 4;
	if (left >= at + 6 && bytes[at] == 0x41 && bytes[at + 1] == 0xbb)
		at += 6;
	if (left > at && bytes[at] == 0xf2)
		at++;
	if (left < at + 6 || bytes[at] != 0xff || bytes[at + 1] != 0x25)
		return 0;
	entry->slot_vaddr = vaddr + at + 6 + (uint64_t)(int64_t)(int32_t)le32(bytes + at + 2);
	if (has_landing_pad || (left >= at + 16 && bytes[at + 6] == 0x68))
		return left < 16 ? left : 16;
	return left < 8 ? left : 8;
}

/*
 * i386 psABI, "Procedure Linkage Table": jumps through a slot at an absolute address or, in position-independent code, at a
 * distance from the table that %ebx points to:
 *
 *   ff 25 abs32  or  ff a3 disp32   68 imm32   e9 rel32      lazy, 16 bytes
 *   ff 25 abs32  or  ff a3 disp32   66 90                    .plt.got, 8 bytes
 *   f3 0f 1e fb  (ff 25 abs32 or ff a3 disp32)  nop…         .plt.sec with IBT, 16 bytes
 *   f3 0f 1e fb  68 imm32  e9 rel32  nop                     lazy half of IBT: the offset of its relocation in .rel.plt
 */
static size_t decode_i386(const uint8_t *bytes, size_t left, uint64_t vaddr, struct plt_entry *entry)
{
	enum { RELOCATION_BYTES = 8 };
	const bool has_landing_pad = left >= 4 && le32(bytes) == 0xfb1e0ff3; /* endbr32 */
	const size_t at = has_landing_pad ? 4 : 0;

	(void)vaddr;
	entry->lazy_index = PLT_NO_LAZY_INDEX;
	if (has_landing_pad && left >= 16 && bytes[4] == 0x68 && bytes[9] == 0xe9) {
		entry->lazy_index = le32(bytes + 5) / RELOCATION_BYTES;
		return 16;
	}
	if (left < at + 6 || bytes[at] != 0xff || (bytes[at + 1] != 0x25 && bytes[at + 1] != 0xa3))
		return 0;
	entry->is_from_got = bytes[at + 1] == 0xa3;
	entry->slot_vaddr =
		entry->is_from_got ? (uint64_t)(int64_t)(int32_t)le32(bytes + at + 2) : le32(bytes + at + 2);
	if (has_landing_pad || (left >= at + 16 && bytes[at + 6] == 0x68))
		return left < 16 ? left : 16;
	return left < 8 ? left : 8;
}

/*
 * aarch64 sysvabi64, "PLT sequences", as GNU ld and lld emit them: 16 bytes, or 24 with BTI or PAC (instructions are
 * little-endian in either byte order):
 *
 *   [bti c]   adrp x16, slot   ldr x17, [x16, #lo12]   add x16, x16, #lo12   [autia1716]   br x17   [nop…]
 */
static size_t decode_aarch64(const uint8_t *bytes, size_t left, uint64_t vaddr, struct plt_entry *entry)
{
	static const uint32_t bti_c = 0xd503245f, br_x17 = 0xd61f0220, nop = 0xd503201f;
	size_t at = 0;
	uint32_t adrp, ldr;
	uint64_t pages;

	entry->lazy_index = PLT_NO_LAZY_INDEX;
	if (left >= 4 && le32(bytes) == bti_c)
		at += 4;
	if (left < at + 16)
		return 0;
	adrp = le32(bytes + at);
	ldr = le32(bytes + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	pages = (uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
	if (pages & (1 << 20))
		pages |= ~(uint64_t)0 << 21;
	entry->slot_vaddr =
		((vaddr + at) & ~(uint64_t)0xfff) + (pages << 12) + (uint64_t)(ldr >> 10 & 0xfff) * 8;
	for (at += 8; at + 4 <= left && at < 24 && le32(bytes + at) != br_x17;)
		at += 4;
	at += 4;
	while (at + 4 <= left && at < 24 && le32(bytes + at) == nop)
		at += 4;
	return at < left ? at : left;
}

const struct plt_code plt_code_x86_64 = { .header_bytes = 16, .step_bytes = 8, .decode = decode_x86_64 };
const struct plt_code plt_code_i386 = { .header_bytes = 16, .step_bytes = 8, .decode = decode_i386 };
const struct plt_code plt_code_aarch64 = { .header_bytes = 32, .step_bytes = 4, .decode = decode_aarch64 };

bool plt_code_next(const struct plt_code *code, const struct elf_section *plt, size_t from,
		   struct plt_entry *entry)
{
	for (size_t at = from; at < plt->size; at += code->step_bytes) {
		*entry = (struct plt_entry){ .at = at };
		entry->size = code->decode(plt->bytes + at, plt->size - at, plt->vaddr + at, entry);
		if (entry->size)
			return true;
	}
	return false;
}
