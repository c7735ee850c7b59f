#include "unwind/code_instruction.h"

#ifdef HAVE_LIBZYDIS
#include <Zydis/Zydis.h>

#include "unwind/unwind_arch.h"

/* One instruction, as Zydis gives it, and what is made of it. */
struct reading {
	ZydisDecodedInstruction zydis;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	struct code_instruction *to;
};

/* Intel's order of numbers to DWARF's (psABI, figure 3.36); CODE_NO_REGISTER for what is no general register. */
static uint8_t dwarf_number(ZydisRegister reg)
{
	static const uint8_t numbers[] = {
		X86_64_RAX, X86_64_RCX, X86_64_RDX, X86_64_RBX, X86_64_RSP, X86_64_RBP,
		X86_64_RSI, X86_64_RDI, X86_64_R8,  X86_64_R9,  X86_64_R10, X86_64_R11,
		X86_64_R12, X86_64_R13, X86_64_R14, X86_64_R15,
	};
	const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return CODE_NO_REGISTER;
	return numbers[whole - ZYDIS_REGISTER_RAX];
}

static void add(struct reading *reading, enum code_effect_kind kind, uint8_t reg, uint8_t base, int32_t value)
{
	struct code_instruction *to = reading->to;

	if (to->effect_count < CODE_MAX_EFFECTS)
		to->effects[to->effect_count++] = (struct code_effect){
			.kind = (uint8_t)kind, .reg = reg, .base = base, .value = value
		};
}

static void add_store(struct reading *reading, uint8_t reg, uint8_t base, int32_t value, uint16_t size_bits)
{
	const uint32_t size_bytes = size_bits / 8;

	add(reading, CODE_STORE, reg, base, value);
	reading->to->effects[reading->to->effect_count - 1].size_bytes =
		(uint8_t)(size_bytes < UINT8_MAX ? size_bytes : UINT8_MAX);
}

static void push(struct reading *reading, uint8_t reg)
{
	add(reading, CODE_SET, X86_64_RSP, X86_64_RSP, -8);
	add_store(reading, reg, X86_64_RSP, 0, 64);
}

static void pop_bytes(struct reading *reading)
{
	add(reading, CODE_SET, X86_64_RSP, X86_64_RSP, 8);
}

static bool fits(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

/* All 64 bits of a general register. */
static bool is_register(const ZydisDecodedOperand *operand, uint8_t *number)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || operand->size != 64)
		return false;
	*number = dwarf_number(operand->reg.value);
	return *number != CODE_NO_REGISTER;
}

/* Memory at a register and a constant. */
static bool is_at_register(const ZydisDecodedOperand *operand, uint8_t *base)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || operand->mem.index != ZYDIS_REGISTER_NONE ||
	    operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS ||
	    !fits(operand->mem.disp.value))
		return false;
	/* Half of a register is no address of the stack's. */
	if (operand->mem.base < ZYDIS_REGISTER_RAX || operand->mem.base > ZYDIS_REGISTER_R15)
		return false;
	*base = dwarf_number(operand->mem.base);
	return true;
}

/* --- what moves the stack pointer, and what saves and restores ----------------------- */

static bool read_push(struct reading *reading)
{
	const ZydisDecodedOperand *operand = &reading->operands[0];
	uint8_t reg = CODE_NO_REGISTER;

	if (reading->zydis.operand_width != 64)
		return false;
	if (!is_register(operand, &reg) || reg == X86_64_RSP)
		reg = CODE_NO_REGISTER;
	push(reading, reg);
	return true;
}

static bool read_pop(struct reading *reading)
{
	uint8_t reg;

	if (reading->zydis.operand_width != 64)
		return false;
	if (is_register(&reading->operands[0], &reg)) {
		if (reg == X86_64_RSP)
			return false;
		add(reading, CODE_LOAD, reg, X86_64_RSP, 0);
	}
	pop_bytes(reading);
	return true;
}

static bool read_leave(struct reading *reading)
{
	if (reading->zydis.operand_width != 64)
		return false;
	add(reading, CODE_SET, X86_64_RSP, X86_64_RBP, 0);
	add(reading, CODE_LOAD, X86_64_RBP, X86_64_RSP, 0);
	pop_bytes(reading);
	return true;
}

/* add or sub of a constant. */
static bool read_sum(struct reading *reading, int sign)
{
	const ZydisDecodedOperand *constant = &reading->operands[1];
	uint8_t reg;

	if (!is_register(&reading->operands[0], &reg) || constant->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    !fits(constant->imm.value.s * sign))
		return false;
	add(reading, CODE_SET, reg, reg, (int32_t)(constant->imm.value.s * sign));
	return true;
}

static bool read_lea(struct reading *reading)
{
	const ZydisDecodedOperand *from = &reading->operands[1];
	uint8_t reg, base;

	if (from->mem.base == ZYDIS_REGISTER_RIP && fits(from->mem.disp.value)) {
		reading->to->names_code = true;
		reading->to->target = from->mem.disp.value + reading->zydis.length;
		return false;
	}
	if (!is_register(&reading->operands[0], &reg) || !is_at_register(from, &base))
		return false;
	add(reading, CODE_SET, reg, base, (int32_t)from->mem.disp.value);
	return true;
}

static void read_constant(struct reading *reading, const ZydisDecodedOperand *constant)
{
	reading->to->has_constant = true;
	reading->to->constant = constant->imm.value.u;
}

static bool read_mov(struct reading *reading)
{
	const ZydisDecodedOperand *to = &reading->operands[0], *from = &reading->operands[1];
	uint8_t reg = CODE_NO_REGISTER, base;

	if (is_at_register(to, &base)) {
		if (!is_register(from, &reg))
			reg = CODE_NO_REGISTER;
		add_store(reading, reg, base, (int32_t)to->mem.disp.value, to->size);
		return true;
	}
	if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		read_constant(reading, from);
	if (!is_register(to, &reg))
		return false;
	if (is_register(from, &base)) {
		add(reading, CODE_SET, reg, base, 0);
		return true;
	}
	if (from->size != 64 || !is_at_register(from, &base))
		return false;
	add(reading, CODE_LOAD, reg, base, (int32_t)from->mem.disp.value);
	return true;
}

/* False: nothing is known but what it writes to. */
static bool read_known(struct reading *reading)
{
	switch (reading->zydis.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH: return read_push(reading);
	case ZYDIS_MNEMONIC_POP: return read_pop(reading);
	case ZYDIS_MNEMONIC_PUSHFQ: push(reading, CODE_NO_REGISTER); return true;
	case ZYDIS_MNEMONIC_POPFQ: pop_bytes(reading); return true;
	case ZYDIS_MNEMONIC_LEAVE: return read_leave(reading);
	case ZYDIS_MNEMONIC_ADD: return read_sum(reading, 1);
	case ZYDIS_MNEMONIC_SUB: return read_sum(reading, -1);
	case ZYDIS_MNEMONIC_LEA: return read_lea(reading);
	case ZYDIS_MNEMONIC_MOV: return read_mov(reading);
	default: return false;
	}
}

static void lose_written(struct reading *reading)
{
	for (uint8_t i = 0; i < reading->zydis.operand_count; i++) {
		const ZydisDecodedOperand *operand = &reading->operands[i];
		uint8_t reg = CODE_NO_REGISTER, base;

		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			reg = dwarf_number(operand->reg.value);
		if (reg != CODE_NO_REGISTER)
			add(reading, CODE_LOSE, reg, reg, 0);
		if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE && is_at_register(operand, &base))
			add_store(reading, CODE_NO_REGISTER, base, (int32_t)operand->mem.disp.value,
				  operand->size);
	}
}

/* --- where it goes on ---------------------------------------------------------------- */

static void read_target(struct reading *reading)
{
	const ZydisDecodedOperand *operand = &reading->operands[0];

	if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative) {
		reading->to->has_target = true;
		reading->to->target = operand->imm.value.s + reading->zydis.length;
	}
}

/* A call of the next instruction is how old code learned where it is: nothing returns. */
static void read_call(struct reading *reading)
{
	struct code_instruction *to = reading->to;

	read_target(reading);
	if (to->has_target && to->target == to->size_bytes) {
		to->has_target = false;
		push(reading, CODE_NO_REGISTER);
		return;
	}
	to->flow = CODE_CALL;
}

/* False: goes on, and has effects. */
static bool read_flow(struct reading *reading)
{
	struct code_instruction *to = reading->to;

	switch (reading->zydis.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		read_target(reading);
		lose_written(reading); /* loop counts in %rcx */
		to->flow = CODE_BRANCH;
		return true;
	case ZYDIS_CATEGORY_UNCOND_BR:
		read_target(reading);
		to->flow = to->has_target ? CODE_JUMP : CODE_JUMP_UNKNOWN;
		return true;
	case ZYDIS_CATEGORY_CALL: read_call(reading); return true;
	case ZYDIS_CATEGORY_RET: to->flow = CODE_END; return true;
	default: break;
	}
	switch (reading->zydis.mnemonic) {
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2: to->flow = CODE_END; return true;
	default: return false;
	}
}

/* What compilers and assemblers put between functions; nop of two bytes is xchg %ax,%ax. */
static bool is_padding(const struct reading *reading)
{
	switch (reading->zydis.mnemonic) {
	case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_INT3: return true;
	case ZYDIS_MNEMONIC_XCHG:
		return reading->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       reading->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       reading->operands[0].size != 32 && /* clears the other half */
		       reading->operands[0].reg.value == reading->operands[1].reg.value;
	default: return false;
	}
}

/*
 * Operands that an instruction does not have are not cleared, but for the two that are looked at uncounted: together they
 * take up a kilobyte.
 */
static bool decode(struct reading *reading, const uint8_t *bytes, size_t size)
{
	ZydisDecoderContext context;
	ZydisDecoder decoder;

	reading->operands[0].type = reading->operands[1].type = ZYDIS_OPERAND_TYPE_UNUSED;
	return ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
	       ZYAN_SUCCESS(
		       ZydisDecoderDecodeInstruction(&decoder, &context, bytes, size, &reading->zydis)) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &reading->zydis, reading->operands,
						       reading->zydis.operand_count));
}

bool code_instruction_x86_64(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	struct reading reading;

	reading.to = instruction;
	*instruction = (struct code_instruction){ .flow = CODE_NEXT };
	if (!decode(&reading, bytes, size))
		return false;
	instruction->size_bytes = reading.zydis.length;
	instruction->is_padding = is_padding(&reading);
	if (!read_flow(&reading) && !instruction->is_padding && !read_known(&reading))
		lose_written(&reading);
	return true;
}

#else

bool code_instruction_x86_64(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	(void)bytes;
	(void)size;
	*instruction = (struct code_instruction){ .flow = CODE_NEXT };
	return false;
}

#endif
