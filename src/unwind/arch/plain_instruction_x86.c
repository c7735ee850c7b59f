/*
 * The length of an instruction is the sum of its prefixes, opcode, address (ModRM, SIB, displacement) and constant (Intel SDM
 * volume 2, chapter 2). shape_of() and shape_of_0f() tell which of these follow an opcode, as the tables in appendix A do.
 */
#include "unwind/arch/plain_instruction_x86.h"

#include <stdbool.h>

enum shape {
	NOT_PLAIN,
	ALONE,         /* opcode only */
	ADDRESS,       /* ModRM */
	ADDRESS_BYTE,  /* ModRM and a constant of one byte */
	ADDRESS_WORD,  /* ModRM and a constant of the operand's size, at most 4 bytes */
	CONSTANT_BYTE, /* of one byte */
	CONSTANT_WORD,
};

enum prefix { PREFIX_NONE = 1, PREFIX_66 = 2, PREFIX_F2 = 4, PREFIX_F3 = 8 };

struct prefixes {
	enum prefix operand;
	bool is_wide; /* REX.W */
	size_t size_bytes;
};

static bool is_rex(uint8_t byte)
{
	return (byte & 0xf0) == 0x40;
}

/*
 * Reads at most one prefix that changes the opcode's meaning, and REX: compilers write others only in padding and for segments.
 */
static struct prefixes prefixes_of(const uint8_t *bytes, size_t size)
{
	struct prefixes prefixes = { .operand = PREFIX_NONE };

	if (size > 0 && (bytes[0] == 0x66 || bytes[0] == 0xf2 || bytes[0] == 0xf3)) {
		prefixes.operand = bytes[0] == 0x66 ? PREFIX_66 : bytes[0] == 0xf2 ? PREFIX_F2 : PREFIX_F3;
		prefixes.size_bytes++;
	}
	if (size > prefixes.size_bytes && is_rex(bytes[prefixes.size_bytes])) {
		prefixes.is_wide = bytes[prefixes.size_bytes] & 8;
		prefixes.size_bytes++;
	}
	return prefixes;
}

/* The middle field of ModRM, which for some opcodes selects the instruction. */
static uint8_t field_of(uint8_t modrm)
{
	return modrm >> 3 & 7;
}

static bool is_register(uint8_t modrm)
{
	return modrm >> 6 == 3;
}

static bool is_at_rip(uint8_t modrm)
{
	return (modrm & 0xc7) == 5;
}

/* The shape of a one-byte opcode. */
static enum shape shape_of(uint8_t opcode, uint8_t modrm)
{
	/* add, or, adc, sbb, and, sub, xor, cmp: eight opcodes each */
	if (opcode < 0x40)
		return (opcode & 7) < 4  ? ADDRESS :
		       (opcode & 7) == 4 ? CONSTANT_BYTE :
		       (opcode & 7) == 5 ? CONSTANT_WORD :
					   NOT_PLAIN;
	if (opcode >= 0x50 && opcode < 0x60) /* push, pop */
		return ALONE;
	if (opcode >= 0x70 && opcode < 0x80) /* je … */
		return CONSTANT_BYTE;
	switch (opcode) {
	case 0x63: /* movsxd */
	case 0x84: /* test */
	case 0x85:
	case 0x88: /* mov */
	case 0x89:
	case 0x8a:
	case 0x8b:
	case 0xd0: /* shifts */
	case 0xd1:
	case 0xd2:
	case 0xd3: return ADDRESS;
	case 0x8d: return is_register(modrm) || is_at_rip(modrm) ? NOT_PLAIN : ADDRESS; /* lea */
	case 0x6b:                                                                      /* imul */
	case 0x80:                                                                      /* add … cmp */
	case 0x83:
	case 0xc0: /* shifts */
	case 0xc1: return ADDRESS_BYTE;
	case 0x69: /* imul */
	case 0x81: return ADDRESS_WORD;
	case 0x98: /* cdqe */
	case 0x99: return ALONE;
	case 0xa8: return CONSTANT_BYTE; /* test */
	case 0xa9: return CONSTANT_WORD;
	case 0xf6: return field_of(modrm) < 2 ? ADDRESS_BYTE : ADDRESS; /* test; not, neg, mul, div */
	case 0xf7: return field_of(modrm) < 2 ? ADDRESS_WORD : ADDRESS;
	case 0xfe:
	case 0xff: return field_of(modrm) < 2 ? ADDRESS : NOT_PLAIN; /* inc, dec; others call and jump */
	default: return NOT_PLAIN;
	}
}

/* The prefixes with which an opcode behind 0x0f is a plain instruction with ModRM; 0 if there are none. */
static unsigned prefixes_of_0f(uint8_t opcode)
{
	enum { INTEGER = PREFIX_NONE | PREFIX_66, SCALAR = INTEGER | PREFIX_F2 | PREFIX_F3 };

	if ((opcode & 0xf0) == 0x40 || (opcode & 0xf0) == 0x90) /* cmov, set */
		return INTEGER;
	switch (opcode) {
	case 0x10: /* movups, movss … */
	case 0x11:
	case 0x2a: /* cvtsi2sd … */
	case 0x2c:
	case 0x2d:
	case 0x51: /* sqrt */
	case 0x58: /* add, mul */
	case 0x59:
	case 0x5a: /* cvtss2sd … */
	case 0x5c: /* sub, min, div, max */
	case 0x5d:
	case 0x5e:
	case 0x5f: return SCALAR;
	case 0x14: /* unpcklps */
	case 0x28: /* movaps */
	case 0x29:
	case 0x2e: /* ucomiss, comiss */
	case 0x2f:
	case 0x54: /* andps … xorps */
	case 0x55:
	case 0x56:
	case 0x57:
	case 0xa3: /* bt, imul */
	case 0xaf:
	case 0xb6: /* movzx, movsx */
	case 0xb7:
	case 0xbe:
	case 0xbf:
	case 0xc6: /* shufps, with a byte */
	case 0xd4: /* paddq, pand, por, psubd, pxor, paddd */
	case 0xdb:
	case 0xeb:
	case 0xef:
	case 0xfa:
	case 0xfe: return INTEGER;
	case 0x6e: /* movd */
	case 0x6f: /* movdqa, movdqu */
	case 0x7f: return opcode == 0x6e ? INTEGER : INTEGER | PREFIX_F3;
	case 0x7e: return INTEGER | PREFIX_F3;
	case 0xd6: return PREFIX_66; /* movq */
	case 0x70: return SCALAR;    /* pshufd …, with a byte */
	default: return 0;
	}
}

static enum shape shape_of_0f(uint8_t opcode, enum prefix prefix)
{
	if (opcode >= 0x80 && opcode < 0x90 && prefix == PREFIX_NONE) /* je … */
		return CONSTANT_WORD;
	if (!(prefixes_of_0f(opcode) & prefix))
		return NOT_PLAIN;
	return opcode == 0x70 || opcode == 0xc6 ? ADDRESS_BYTE : ADDRESS;
}

/* The size of ModRM, SIB and displacement. `sib` is the byte behind ModRM, used if there is a SIB. */
static size_t address_bytes(uint8_t modrm, uint8_t sib)
{
	const uint8_t mode = modrm >> 6;
	const bool has_sib = mode != 3 && (modrm & 7) == 4;
	const size_t bytes = 1 + has_sib;

	if (mode == 1)
		return bytes + 1;
	if (mode == 2 || is_at_rip(modrm) || (mode == 0 && has_sib && (sib & 7) == 5))
		return bytes + 4;
	return bytes;
}

size_t plain_instruction_x86_64(const uint8_t *bytes, size_t size)
{
	const struct prefixes prefixes = prefixes_of(bytes, size);
	const size_t word_bytes = prefixes.operand == PREFIX_66 && !prefixes.is_wide ? 2 : 4;
	size_t at = prefixes.size_bytes;
	uint8_t opcode, modrm;
	enum shape shape;

	/* The longest has 11 bytes behind its prefixes. The last few instructions of the code are not worth exact tests. */
	if (size < at + 12)
		return 0;
	opcode = bytes[at++];
	if (opcode == 0x0f) {
		shape = shape_of_0f(bytes[at], prefixes.operand);
		at++;
	} else {
		shape = prefixes.operand > PREFIX_66 ? NOT_PLAIN : shape_of(opcode, bytes[at]);
	}
	modrm = bytes[at];
	switch (shape) {
	case ALONE: return at;
	case ADDRESS: return at + address_bytes(modrm, bytes[at + 1]);
	case ADDRESS_BYTE: return at + address_bytes(modrm, bytes[at + 1]) + 1;
	case ADDRESS_WORD: return at + address_bytes(modrm, bytes[at + 1]) + word_bytes;
	case CONSTANT_BYTE: return at + 1;
	case CONSTANT_WORD: return at + word_bytes;
	default: return 0;
	}
}
