#include "truth/instruction.h"

#include <stdbool.h>

/* Intel SDM volume 2, section 2.1.1 and 2.2.1: legacy prefixes, then REX. */
static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xf2:
	case 0xf3: return true;
	default: return byte >> 4 == 4;
	}
}

/* Opcode, ModRM, SIB, displacement of an instruction without an immediate operand. Table 2-2 and 2-3. */
static size_t modrm_size(const uint8_t *opcode)
{
	uint8_t mod = opcode[1] >> 6, rm = opcode[1] & 7;
	size_t size = 2;

	if (mod == 3)
		return size;
	if (rm == 4)
		size++;
	if (mod == 1)
		return size + 1;
	if (mod == 2 || rm == 5 || (rm == 4 && (opcode[2] & 7) == 5))
		size += 4;
	return size;
}

struct instruction instruction_decode(const uint8_t *bytes, size_t size)
{
	uint8_t copy[INSTRUCTION_MAX_BYTES + 3] = { 0 };
	const uint8_t *opcode = copy;

	for (size_t i = 0; i < size && i < INSTRUCTION_MAX_BYTES; i++)
		copy[i] = bytes[i];
	while (opcode < copy + INSTRUCTION_MAX_BYTES && is_prefix(*opcode))
		opcode++;
	if (*opcode == 0xe8)
		return (struct instruction){ INSTRUCTION_CALL, (size_t)(opcode - copy) + 5 };
	if (*opcode == 0xff && (opcode[1] >> 3 & 7) == 2)
		return (struct instruction){ INSTRUCTION_CALL, (size_t)(opcode - copy) + modrm_size(opcode) };
	if (*opcode == 0xff && (opcode[1] >> 3 & 7) == 4)
		return (struct instruction){ INSTRUCTION_INDIRECT_JUMP, 0 };
	if (*opcode == 0xc3 || *opcode == 0xc2)
		return (struct instruction){ INSTRUCTION_RETURN, 0 };
	if (*opcode >= 0x58 && *opcode <= 0x5f)
		return (struct instruction){ INSTRUCTION_POP, 0 };
	if (*opcode == 0x0f && opcode[1] == 0x05)
		return (struct instruction){ INSTRUCTION_SYSCALL, 0 };
	return (struct instruction){ INSTRUCTION_OTHER, 0 };
}

/* Arm ARM, C4.1.93: unconditional branches; those that authenticate their target have bits 11:10 set. */
struct instruction instruction_decode_aarch64(uint32_t word)
{
	enum { LINK_REGISTER = 30 };
	bool authenticates = (word & 0x0000f800) == 0x00000800;
	uint32_t target = word >> 5 & 31;
	enum instruction_kind kind = INSTRUCTION_OTHER;

	if ((word & 0xfc000000) == 0x94000000) /* bl */
		kind = INSTRUCTION_CALL;
	else if (word == 0xd4000001) /* svc #0 */
		kind = INSTRUCTION_SYSCALL;
	else if ((word & 0xfe000000) != 0xd6000000 || (!authenticates && word & 0x0000fc1f))
		return (struct instruction){ INSTRUCTION_OTHER, 4 };
	else if ((word & 0x00e00000) == 0x00200000 && (word & 0x001f0000) == 0x001f0000)
		kind = INSTRUCTION_CALL; /* blr */
	else if ((word & 0x00e00000) == 0x00400000 && (word & 0x001f0000) == 0x001f0000)
		kind = INSTRUCTION_RETURN;
	else if ((word & 0x00e00000) == 0 && (word & 0x001f0000) == 0x001f0000)
		kind = target == LINK_REGISTER ? INSTRUCTION_RETURN : INSTRUCTION_INDIRECT_JUMP;
	return (struct instruction){ kind, 4 };
}
