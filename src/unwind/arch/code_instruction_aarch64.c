/*
 * Four bits of the instruction word select the group, and most groups have a reader that adds effects. A register that an
 * instruction may write in a form not read here becomes unknown; words of reserved groups are refused.
 */
#include "unwind/arch/code_instruction.h"

/*
 * This file decodes A64 itself: its instructions have four bytes, and few matter. See the Arm Architecture Reference Manual for
 * A-profile, chapter C4, "A64 Instruction Set Encoding". Register number 31 is the stack pointer or a zero register, depending on
 * the instruction.
 */

enum { ZERO = 31, INSTRUCTION_BYTES = 4, PAGE_BYTES = 4096 };

static uint32_t field(uint32_t word, uint32_t low, uint32_t bits)
{
	return word >> low & ((1u << bits) - 1);
}

static int32_t signed_field(uint32_t word, uint32_t low, uint32_t bits)
{
	return (int32_t)(field(word, low, bits) << (32 - bits)) >> (32 - bits);
}

static bool is(uint32_t word, uint32_t mask, uint32_t value)
{
	return (word & mask) == value;
}

static uint8_t rd(uint32_t word)
{
	return (uint8_t)field(word, 0, 5);
}

static uint8_t rn(uint32_t word)
{
	return (uint8_t)field(word, 5, 5);
}

static void add(struct code_instruction *to, enum code_effect_kind kind, uint8_t reg, uint8_t base,
		int32_t value)
{
	if (to->effect_count < CODE_MAX_EFFECTS)
		to->effects[to->effect_count++] = (struct code_effect){
			.kind = (uint8_t)kind, .reg = reg, .base = base, .value = value, .size_bytes = 8
		};
}

/* For instructions where 31 is the zero register. */
static void lose(struct code_instruction *to, uint8_t reg)
{
	if (reg != ZERO)
		add(to, CODE_LOSE, reg, reg, 0);
}

/* --- control flow: C4.1.93, "Branches, Exception Generating and System instructions" --------- */

static void set_target(struct code_instruction *to, enum code_flow flow, int32_t words)
{
	to->flow = (uint8_t)flow;
	to->has_target = true;
	to->target = (int64_t)words * INSTRUCTION_BYTES;
}

static void read_register_branch(struct code_instruction *to, uint32_t word)
{
	switch (field(word, 21, 3)) { /* bit 24: with authentication */
	case 0: to->flow = CODE_JUMP_UNKNOWN; break;
	case 1: to->flow = CODE_CALL; break;
	default: to->flow = CODE_END;
	}
}

static void read_system(struct code_instruction *to, uint32_t word)
{
	if (is(word, 0xffe00000, 0xd5200000)) /* mrs, sysl */
		lose(to, rd(word));
	to->is_padding = word == 0xd503201f; /* nop; other hints sign return addresses or mark call targets */
}

static void read_branch(struct code_instruction *to, uint32_t word)
{
	if (is(word, 0xfc000000, 0x14000000))
		set_target(to, CODE_JUMP, signed_field(word, 0, 26));
	else if (is(word, 0xfc000000, 0x94000000))
		set_target(to, CODE_CALL, signed_field(word, 0, 26));
	else if (is(word, 0xff000000, 0x54000000) || is(word, 0x7e000000, 0x34000000)) /* b.cond; cbz, cbnz */
		set_target(to, CODE_BRANCH, signed_field(word, 5, 19));
	else if (is(word, 0x7e000000, 0x36000000)) /* tbz, tbnz */
		set_target(to, CODE_BRANCH, signed_field(word, 5, 14));
	else if (is(word, 0xfe000000, 0xd6000000))
		read_register_branch(to, word);
	else if (is(word, 0xff000000, 0xd5000000))
		read_system(to, word);
	else if (is(word, 0xffe0001f, 0xd4000001)) /* svc */
		lose(to, 0);
	else if (is(word, 0xffe0001f, 0xd4200000) || is(word, 0xffe0001f, 0xd4400000)) /* brk, hlt */
		to->flow = CODE_END;
}

/* --- C4.1.92 and C4.1.95: data processing -------------------------------------------- */

static void read_constant_sum(struct code_instruction *to, uint32_t word)
{
	const bool is_64bit = word >> 31, is_sub = field(word, 30, 1), sets_flags = field(word, 29, 1);
	const int32_t constant = (int32_t)(field(word, 10, 12) << (field(word, 22, 1) ? 12 : 0));

	if (sets_flags)
		lose(to, rd(word));
	else if (is_64bit)
		add(to, CODE_SET, rd(word), rn(word), is_sub ? -constant : constant);
	else
		add(to, CODE_LOSE, rd(word), 0, 0);
}

static void read_constant(struct code_instruction *to, uint32_t word)
{
	if (is(word, 0x1f800000, 0x11000000)) {
		read_constant_sum(to, word);
	} else if (is(word, 0x9f000000, 0x10000000)) { /* adr */
		to->names_code = true;
		to->target = (int64_t)signed_field(word, 5, 19) * 4 + field(word, 29, 2);
		lose(to, rd(word));
	} else if (is(word, 0x9f000000, 0x90000000)) { /* adrp */
		to->names_page = true;
		to->target = ((int64_t)signed_field(word, 5, 19) * 4 + field(word, 29, 2)) * PAGE_BYTES;
		add(to, CODE_LOSE, rd(word), 0, 0);
	} else if (is(word, 0x1f800000, 0x11800000) ||                              /* addg, subg */
		   (is(word, 0x1f800000, 0x12000000) && field(word, 29, 2) != 3)) { /* and, orr, eor */
		add(to, CODE_LOSE, rd(word), 0, 0);
	} else {
		lose(to, rd(word));
	}
}

static void read_registers(struct code_instruction *to, uint32_t word)
{
	const uint8_t rm = (uint8_t)field(word, 16, 5);

	if (is(word, 0xffe0ffe0, 0xaa0003e0) && rm != ZERO && rd(word) != ZERO) /* mov */
		add(to, CODE_SET, rd(word), rm, 0);
	else if (is(word, 0x3fe00000, 0x0b200000)) /* add, sub with an extended register */
		add(to, CODE_LOSE, rd(word), 0, 0);
	else
		lose(to, rd(word));
}

/* --- C4.1.94: loads and stores ------------------------------------------------------- */

enum addressing { OFFSET, POST_INDEX, PRE_INDEX };

struct access {
	enum addressing addressing;
	uint8_t base;
	int32_t offset;
	uint32_t size_bytes; /* of each register */
	bool is_load, is_vector;
	uint8_t regs[2];
	size_t reg_count;
};

static void transfer(struct code_instruction *to, const struct access *access, uint8_t reg, int32_t offset)
{
	const bool is_whole = !access->is_vector && access->size_bytes == 8 && reg != ZERO;

	if (!access->is_load) {
		add(to, CODE_STORE, is_whole ? reg : CODE_NO_REGISTER, access->base, offset);
		to->effects[to->effect_count - 1].size_bytes = (uint8_t)access->size_bytes;
	} else if (is_whole) {
		add(to, CODE_LOAD, reg, access->base, offset);
	} else if (!access->is_vector) {
		lose(to, reg);
	}
}

static void read_access(struct code_instruction *to, const struct access *access)
{
	const int32_t offset = access->addressing == OFFSET ? access->offset : 0;

	if (access->addressing == PRE_INDEX)
		add(to, CODE_SET, access->base, access->base, access->offset);
	for (size_t i = 0; i < access->reg_count; i++)
		transfer(to, access, access->regs[i], offset + (int32_t)(i * access->size_bytes));
	if (access->addressing == POST_INDEX)
		add(to, CODE_SET, access->base, access->base, access->offset);
}

static uint32_t pair_bytes(uint32_t word)
{
	const uint32_t opc = field(word, 30, 2);

	if (field(word, 26, 1))
		return 4u << opc;
	if (opc == 1 && !field(word, 22, 1))
		return 16; /* stgp: its tags do not matter; its offset is in units of 16 */
	return opc == 2 ? 8 : 4;
}

static void read_pair(struct code_instruction *to, uint32_t word)
{
	static const enum addressing ways[] = { OFFSET, POST_INDEX, OFFSET, PRE_INDEX };
	struct access access = {
		.addressing = ways[field(word, 23, 2)],
		.base = rn(word),
		.size_bytes = pair_bytes(word),
		.is_load = field(word, 22, 1),
		.is_vector = field(word, 26, 1),
		.regs = { rd(word), (uint8_t)field(word, 10, 5) },
		.reg_count = 2,
	};

	access.offset = signed_field(word, 15, 7) * (int32_t)access.size_bytes;
	read_access(to, &access);
}

/* One register at a constant offset, scaled or not. */
static void read_single(struct code_instruction *to, uint32_t word)
{
	static const enum addressing ways[] = { OFFSET, POST_INDEX, OFFSET, PRE_INDEX };
	const uint32_t size = field(word, 30, 2), opc = field(word, 22, 2);
	const bool is_vector = field(word, 26, 1);
	struct access access = {
		.addressing = OFFSET,
		.base = rn(word),
		.size_bytes = is_vector && opc & 2 ? 16 : 1u << size,
		.is_load = is_vector ? opc & 1 : opc != 0,
		.is_vector = is_vector,
		.regs = { rd(word) },
		.reg_count = 1,
	};

	if (!is_vector && size == 3 && opc == 2) /* prfm */
		access.reg_count = 0;
	if (!is_vector && opc & 2) /* sign-extending load */
		access.size_bytes = 4;
	if (field(word, 24, 1)) {
		access.offset = (int32_t)(field(word, 10, 12) * access.size_bytes);
	} else {
		access.addressing = ways[field(word, 10, 2)];
		access.offset = signed_field(word, 12, 9);
	}
	read_access(to, &access);
}

static void read_memory(struct code_instruction *to, uint32_t word)
{
	if (is(word, 0x3a000000, 0x28000000)) {
		read_pair(to, word);
	} else if (is(word, 0x3b000000, 0x39000000) || is(word, 0x3b200000, 0x38000000)) {
		read_single(to, word);
	} else if (field(word, 26, 1)) {
		if (is(word, 0xbe800000, 0x0c800000)) /* ld1, st1 and the like that update their base */
			add(to, CODE_LOSE, rn(word), 0, 0);
	} else {
		/* Exclusive, atomic, literal, and register-offset accesses; and accesses of tags, which may update their base. */
		lose(to, rd(word));
		lose(to, (uint8_t)field(word, 10, 5));
		lose(to, (uint8_t)field(word, 16, 5));
		if (is(word, 0xff200000, 0xd9200000) || is(word, 0xff200400, 0xf8200400))
			add(to, CODE_LOSE, rn(word), 0, 0);
	}
}

static uint32_t word_at(const uint8_t *bytes)
{
	/* Instructions are little-endian on big-endian machines as well. */
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

bool code_instruction_aarch64(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	uint32_t word;

	*instruction = (struct code_instruction){ .flow = CODE_NEXT, .size_bytes = INSTRUCTION_BYTES };
	if (size < INSTRUCTION_BYTES)
		return false;
	word = word_at(bytes);
	switch (field(word, 25, 4)) {
	case 0: /* udf; the rest is reserved */ instruction->flow = CODE_END; return word >> 16 == 0;
	case 1:
	case 3: return false;
	case 2: /* SVE: addvl and addpl move the stack pointer */
		if (is(word, 0xffa0f800, 0x04205000))
			add(instruction, CODE_LOSE, rd(word), 0, 0);
		else
			lose(instruction, rd(word));
		return true;
	case 8:
	case 9: read_constant(instruction, word); return true;
	case 10:
	case 11: read_branch(instruction, word); return true;
	case 5:
	case 13: read_registers(instruction, word); return true;
	case 7:
	case 15:
		lose(instruction, rd(word));
		return true; /* vector instructions, which may write a general register */
	default: read_memory(instruction, word); return true;
	}
}
