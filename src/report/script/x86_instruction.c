#include "report/script/x86_instruction.h"

enum opcode_map { MAP_ONE_BYTE = 0, MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3 };

struct decoder {
	const uint8_t *bytes;
	size_t size, at;
	bool is_64bit;
	bool operand_prefix, address_prefix; /* 66, 67 */
	uint8_t rex;                         /* 0: none */
	bool is_vector;                      /* VEX or EVEX */
	unsigned int map;
	uint8_t opcode, modrm;
	bool failed;
};

static uint8_t next(struct decoder *d)
{
	if (d->at < d->size)
		return d->bytes[d->at++];
	d->failed = true;
	return 0;
}

static uint8_t peek(const struct decoder *d)
{
	return d->at < d->size ? d->bytes[d->at] : 0;
}

static void skip(struct decoder *d, size_t count)
{
	if (count > d->size - d->at)
		d->failed = true;
	else
		d->at += count;
}

/* --- in front of the opcode ---------------------------------------------------- */

static void read_prefixes(struct decoder *d)
{
	for (;;) {
		switch (peek(d)) {
		case 0x66: d->operand_prefix = true; break;
		case 0x67: d->address_prefix = true; break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
		case 0xf0:
		case 0xf2:
		case 0xf3: break;
		default:
			if (d->is_64bit && (peek(d) & 0xf0) == 0x40)
				d->rex = next(d);
			return;
		}
		(void)next(d);
	}
}

/* Outside of 64-bit mode LES, LDS and BOUND have these opcodes, whose operand is always in memory. */
static bool is_vector_prefix(const struct decoder *d)
{
	const uint8_t second = d->at + 1 < d->size ? d->bytes[d->at + 1] : 0;

	return (peek(d) == 0xc4 || peek(d) == 0xc5 || peek(d) == 0x62) && (d->is_64bit || second >= 0xc0);
}

static void read_vector_prefix(struct decoder *d)
{
	d->is_vector = true;
	d->map = MAP_0F;
	switch (next(d)) {
	case 0xc5: (void)next(d); break;
	case 0xc4:
		d->map = next(d) & 0x1f;
		(void)next(d);
		break;
	default: /* EVEX */
		d->map = next(d) & 7;
		skip(d, 2);
		break;
	}
	d->opcode = next(d);
}

static void read_opcode(struct decoder *d)
{
	if (is_vector_prefix(d)) {
		read_vector_prefix(d);
		return;
	}
	d->opcode = next(d);
	if (d->opcode != 0x0f)
		return;
	d->map = MAP_0F;
	d->opcode = next(d);
	if (d->opcode == 0x38 || d->opcode == 0x3a) {
		d->map = d->opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
		d->opcode = next(d);
	}
}

/* --- the operand ------------------------------------------------------------------- */

/* Bit n: opcode 16 * row + n is followed by a ModRM byte. */
static const uint16_t modrm_one_byte[16] = { 0x0f0f, 0x0f0f, 0x0f0f, 0x0f0f, 0,      0,      0x0a0c, 0,
					     0xffff, 0,      0,      0,      0x00f3, 0xff0f, 0,      0xc0c0 };
static const uint16_t modrm_0f[16] = { 0xa00f, 0xffff, 0xff0f, 0,      0xffff, 0xffff, 0xffff, 0xff7f,
				       0,      0xffff, 0xf838, 0xffff, 0x00ff, 0xffff, 0xffff, 0xffff };

static bool has_modrm(const struct decoder *d)
{
	const bool is_zeroupper = d->is_vector && d->map == MAP_0F && d->opcode == 0x77;

	if (d->map == MAP_ONE_BYTE)
		return modrm_one_byte[d->opcode >> 4] >> (d->opcode & 15) & 1;
	if (d->map == MAP_0F && !d->is_vector)
		return modrm_0f[d->opcode >> 4] >> (d->opcode & 15) & 1;
	return !is_zeroupper;
}

static void read_address_16(struct decoder *d, unsigned int mod, unsigned int rm)
{
	if (mod == 1)
		skip(d, 1);
	else if (mod == 2 || (mod == 0 && rm == 6))
		skip(d, 2);
}

static void read_address(struct decoder *d, unsigned int mod, unsigned int rm)
{
	if (rm == 4)
		rm = next(d) & 7; /* the base of the SIB byte */
	if (mod == 1)
		skip(d, 1);
	else if (mod == 2 || (mod == 0 && rm == 5))
		skip(d, 4);
}

static void read_modrm(struct decoder *d)
{
	const uint8_t modrm = d->modrm = next(d);

	if (modrm >> 6 == 3)
		return;
	if (d->address_prefix && !d->is_64bit)
		read_address_16(d, modrm >> 6, modrm & 7);
	else
		read_address(d, modrm >> 6, modrm & 7);
}

/* --- constants ----------------------------------------------------------------------- */

/* Of two or four bytes, also where the operand has eight. */
static size_t word_bytes(const struct decoder *d)
{
	return d->operand_prefix && !(d->rex & 8) ? 2 : 4;
}

static size_t branch_bytes(const struct decoder *d)
{
	return d->is_64bit ? 4 : word_bytes(d);
}

static size_t far_pointer_bytes(const struct decoder *d)
{
	return d->is_64bit ? 0 : word_bytes(d) + 2;
}

static size_t moved_address_bytes(const struct decoder *d)
{
	if (d->is_64bit)
		return d->address_prefix ? 4 : 8;
	return d->address_prefix ? 2 : 4;
}

static size_t arithmetic_constant(const struct decoder *d)
{
	switch (d->opcode & 7) {
	case 4: return 1;
	case 5: return word_bytes(d);
	default: return 0;
	}
}

static size_t one_byte_constant(const struct decoder *d)
{
	const uint8_t opcode = d->opcode;

	if (opcode < 0x40)
		return arithmetic_constant(d);
	if ((opcode >= 0x70 && opcode < 0x80) || (opcode >= 0xb0 && opcode < 0xb8) ||
	    (opcode >= 0xe0 && opcode < 0xe8))
		return 1;
	if (opcode >= 0xa0 && opcode < 0xa4)
		return moved_address_bytes(d);
	if (opcode >= 0xb8 && opcode < 0xc0)
		return d->rex & 8 ? 8 : word_bytes(d);
	switch (opcode) {
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x82:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xd4:
	case 0xd5:
	case 0xeb: return 1;
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7: return word_bytes(d);
	case 0xe8:
	case 0xe9: return branch_bytes(d);
	case 0x9a:
	case 0xea: return far_pointer_bytes(d);
	case 0xc2:
	case 0xca: return 2;
	case 0xc8: return 3;
	case 0xf6: return (d->modrm >> 3 & 7) < 2 ? 1 : 0;
	case 0xf7: return (d->modrm >> 3 & 7) < 2 ? word_bytes(d) : 0;
	default: return 0;
	}
}

static size_t two_byte_constant(const struct decoder *d)
{
	switch (d->opcode) {
	case 0x0f: /* 3DNow!: the constant says which operation */
	case 0x70:
	case 0x71:
	case 0x72:
	case 0x73:
	case 0xa4:
	case 0xac:
	case 0xba:
	case 0xc2:
	case 0xc4:
	case 0xc5:
	case 0xc6: return 1;
	default: return !d->is_vector && d->opcode >> 4 == 8 ? branch_bytes(d) : 0;
	}
}

static size_t constant_bytes(const struct decoder *d)
{
	switch (d->map) {
	case MAP_ONE_BYTE: return one_byte_constant(d);
	case MAP_0F: return two_byte_constant(d);
	case MAP_0F3A: return 1;
	default: return 0;
	}
}

static struct decoder decode(const uint8_t *bytes, size_t size, bool is_64bit)
{
	struct decoder d = { .bytes = bytes,
			     .size = size < X86_INSTRUCTION_MAX_BYTES ? size : X86_INSTRUCTION_MAX_BYTES,
			     .is_64bit = is_64bit };

	read_prefixes(&d);
	read_opcode(&d);
	if (!d.failed && has_modrm(&d))
		read_modrm(&d);
	if (!d.failed)
		skip(&d, constant_bytes(&d));
	return d;
}

size_t x86_instruction_length(const uint8_t *bytes, size_t size, bool is_64bit)
{
	const struct decoder d = decode(bytes, size, is_64bit);

	return d.failed ? 0 : d.at;
}

static bool is_one_byte_branch(const struct decoder *d)
{
	const unsigned int operation = d->modrm >> 3 & 7;

	switch (d->opcode) {
	case 0x9a: /* call far */
	case 0xc2: /* ret, near and far */
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcc: /* int3, int, into, iret */
	case 0xcd:
	case 0xce:
	case 0xcf:
	case 0xe0: /* loopne, loope, loop, jrcxz */
	case 0xe1:
	case 0xe2:
	case 0xe3:
	case 0xe8: /* call, jmp */
	case 0xe9:
	case 0xea:
	case 0xeb:
	case 0xf1: return true;                             /* int1 */
	case 0xff: return operation >= 2 && operation <= 5; /* call, jmp, by an operand */
	default: return d->opcode >> 4 == 7;                /* jcc */
	}
}

static bool is_two_byte_branch(const struct decoder *d)
{
	switch (d->opcode) {
	case 0x05: /* syscall, sysret, sysenter, sysexit */
	case 0x07:
	case 0x34:
	case 0x35: return true;
	case 0x01: return d->modrm == 0xc2 || d->modrm == 0xc3; /* vmlaunch, vmresume */
	default: return d->opcode >> 4 == 8;                    /* jcc */
	}
}

bool x86_instruction_is_branch(const uint8_t *bytes, size_t size, bool is_64bit)
{
	const struct decoder d = decode(bytes, size, is_64bit);

	if (d.failed || d.is_vector)
		return false;
	return d.map == MAP_ONE_BYTE ? is_one_byte_branch(&d) : d.map == MAP_0F && is_two_byte_branch(&d);
}
