/*
 * Zydis decodes, this file interprets: push, pop, leave, add, sub, lea and mov are known exactly; of all others only the
 * registers and stack words that they write are known, and become unknown. struct machine holds the differences between 32 and 64
 * bits. Without Zydis no instruction is known.
 */
#include "unwind/arch/code_instruction.h"

#ifdef HAVE_LIBZYDIS
#include <Zydis/Zydis.h>

#include "unwind/arch/unwind_arch.h"

/* Differences between the two instruction sets. */
struct machine {
	ZydisMachineMode mode;
	ZydisStackWidth stack_width;
	uint16_t word_bits;
	ZydisRegister first, last; /* general registers, in Intel's order */
	const uint8_t *numbers;    /* DWARF numbers, in that order */
	uint8_t sp, fp;
};

/* psABI for x86-64, figure 3.36 */
static const uint8_t x86_64_numbers[] = {
	X86_64_RAX, X86_64_RCX, X86_64_RDX, X86_64_RBX, X86_64_RSP, X86_64_RBP, X86_64_RSI, X86_64_RDI,
	X86_64_R8,  X86_64_R9,  X86_64_R10, X86_64_R11, X86_64_R12, X86_64_R13, X86_64_R14, X86_64_R15,
};
static const struct machine x86_64 = { .mode = ZYDIS_MACHINE_MODE_LONG_64,
				       .stack_width = ZYDIS_STACK_WIDTH_64,
				       .word_bits = 64,
				       .first = ZYDIS_REGISTER_RAX,
				       .last = ZYDIS_REGISTER_R15,
				       .numbers = x86_64_numbers,
				       .sp = X86_64_RSP,
				       .fp = X86_64_RBP };

/* psABI for the Intel386, table 2.14 */
static const uint8_t i386_numbers[] = { I386_EAX, I386_ECX, I386_EDX, I386_EBX,
					I386_ESP, I386_EBP, I386_ESI, I386_EDI };
static const struct machine i386 = { .mode = ZYDIS_MACHINE_MODE_LEGACY_32,
				     .stack_width = ZYDIS_STACK_WIDTH_32,
				     .word_bits = 32,
				     .first = ZYDIS_REGISTER_EAX,
				     .last = ZYDIS_REGISTER_EDI,
				     .numbers = i386_numbers,
				     .sp = I386_ESP,
				     .fp = I386_EBP };

/* One instruction: Zydis's result, and ours. */
struct reading {
	const struct machine *machine;
	ZydisDecodedInstruction zydis;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	struct code_instruction *to;
};

/* The DWARF number of a register, or of the register that it is a part of; CODE_NO_REGISTER unless that is a general register. */
static uint8_t dwarf_number(const struct machine *machine, ZydisRegister reg)
{
	const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(machine->mode, reg);

	if (whole < machine->first || whole > machine->last)
		return CODE_NO_REGISTER;
	return machine->numbers[whole - machine->first];
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
	const struct machine *machine = reading->machine;

	add(reading, CODE_SET, machine->sp, machine->sp, -(machine->word_bits / 8));
	add_store(reading, reg, machine->sp, 0, machine->word_bits);
}

static void pop_bytes(struct reading *reading)
{
	add(reading, CODE_SET, reading->machine->sp, reading->machine->sp, reading->machine->word_bits / 8);
}

static bool fits(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

/* Is the operand a whole general register? */
static bool is_register(const struct reading *reading, const ZydisDecodedOperand *operand, uint8_t *number)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || operand->size != reading->machine->word_bits)
		return false;
	*number = dwarf_number(reading->machine, operand->reg.value);
	return *number != CODE_NO_REGISTER;
}

/* Is the operand memory at a register plus a constant? */
static bool is_at_register(const struct reading *reading, const ZydisDecodedOperand *operand, uint8_t *base)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || operand->mem.index != ZYDIS_REGISTER_NONE ||
	    operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS ||
	    !fits(operand->mem.disp.value))
		return false;
	/* Half of a register is no stack address. */
	if (operand->mem.base < reading->machine->first || operand->mem.base > reading->machine->last)
		return false;
	*base = dwarf_number(reading->machine, operand->mem.base);
	return true;
}

/* --- instructions that move the stack pointer, save or restore ----------------------- */

static bool read_push(struct reading *reading)
{
	const ZydisDecodedOperand *operand = &reading->operands[0];
	uint8_t reg = CODE_NO_REGISTER;

	if (reading->zydis.operand_width != reading->machine->word_bits)
		return false;
	if (!is_register(reading, operand, &reg) || reg == reading->machine->sp)
		reg = CODE_NO_REGISTER;
	push(reading, reg);
	return true;
}

static bool read_pop(struct reading *reading)
{
	uint8_t reg;

	if (reading->zydis.operand_width != reading->machine->word_bits)
		return false;
	if (is_register(reading, &reading->operands[0], &reg)) {
		add(reading, CODE_LOAD, reg, reading->machine->sp, 0);
		if (reg == reading->machine->sp) /* the popped value replaces the stack pointer */
			return true;
	}
	pop_bytes(reading);
	return true;
}

static bool read_leave(struct reading *reading)
{
	if (reading->zydis.operand_width != reading->machine->word_bits)
		return false;
	add(reading, CODE_SET, reading->machine->sp, reading->machine->fp, 0);
	add(reading, CODE_LOAD, reading->machine->fp, reading->machine->sp, 0);
	pop_bytes(reading);
	return true;
}

/* add or sub of a constant. */
static bool read_sum(struct reading *reading, int sign)
{
	const ZydisDecodedOperand *constant = &reading->operands[1];
	uint8_t reg;

	if (!is_register(reading, &reading->operands[0], &reg) ||
	    constant->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !fits(constant->imm.value.s * sign))
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
	if (!is_register(reading, &reading->operands[0], &reg) || !is_at_register(reading, from, &base))
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

	if (is_at_register(reading, to, &base)) {
		if (!is_register(reading, from, &reg))
			reg = CODE_NO_REGISTER;
		add_store(reading, reg, base, (int32_t)to->mem.disp.value, to->size);
		return true;
	}
	if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		read_constant(reading, from);
	if (!is_register(reading, to, &reg))
		return false;
	if (is_register(reading, from, &base)) {
		add(reading, CODE_SET, reg, base, 0);
		return true;
	}
	if (from->size != reading->machine->word_bits || !is_at_register(reading, from, &base))
		return false;
	add(reading, CODE_LOAD, reg, base, (int32_t)from->mem.disp.value);
	return true;
}

/* Returns false if all that is known is what it writes to. */
static bool read_known(struct reading *reading)
{
	switch (reading->zydis.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH: return read_push(reading);
	case ZYDIS_MNEMONIC_POP: return read_pop(reading);
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ: push(reading, CODE_NO_REGISTER); return true;
	case ZYDIS_MNEMONIC_POPFD:
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
			reg = dwarf_number(reading->machine, operand->reg.value);
		if (reg != CODE_NO_REGISTER)
			add(reading, CODE_LOSE, reg, reg, 0);
		if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
		    is_at_register(reading, operand, &base))
			add_store(reading, CODE_NO_REGISTER, base, (int32_t)operand->mem.disp.value,
				  operand->size);
	}
}

/* --- control flow -------------------------------------------------------------------- */

static void read_target(struct reading *reading)
{
	const ZydisDecodedOperand *operand = &reading->operands[0];

	if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operand->imm.is_relative) {
		reading->to->has_target = true;
		reading->to->target = operand->imm.value.s + reading->zydis.length;
	}
}

/* Old code calls the next instruction to learn its own address; nothing returns from that. */
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

/* Returns false if control goes on to the next instruction, which may have effects. */
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

/* Padding between functions; the two-byte nop is xchg %ax,%ax. */
static bool is_padding(const struct reading *reading)
{
	switch (reading->zydis.mnemonic) {
	case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_INT3: return true;
	case ZYDIS_MNEMONIC_XCHG:
		return reading->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       reading->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       (reading->operands[0].size != 32 || /* 32-bit xchg clears the upper half */
			reading->machine->word_bits == 32) &&
		       reading->operands[0].reg.value == reading->operands[1].reg.value;
	default: return false;
	}
}

/* Clears only the two operands that are read without regard to operand_count: all operands together have a kilobyte. */
static bool decode(struct reading *reading, const uint8_t *bytes, size_t size)
{
	ZydisDecoderContext context;
	ZydisDecoder decoder;

	reading->operands[0].type = reading->operands[1].type = ZYDIS_OPERAND_TYPE_UNUSED;
	return ZYAN_SUCCESS(
		       ZydisDecoderInit(&decoder, reading->machine->mode, reading->machine->stack_width)) &&
	       ZYAN_SUCCESS(
		       ZydisDecoderDecodeInstruction(&decoder, &context, bytes, size, &reading->zydis)) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &reading->zydis, reading->operands,
						       reading->zydis.operand_count));
}

static bool read_instruction(const struct machine *machine, const uint8_t *bytes, size_t size,
			     struct code_instruction *instruction)
{
	struct reading reading;

	reading.machine = machine;
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

bool code_instruction_x86_64(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	return read_instruction(&x86_64, bytes, size, instruction);
}

bool code_instruction_i386(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	return read_instruction(&i386, bytes, size, instruction);
}

#else

static bool read_nothing(struct code_instruction *instruction)
{
	*instruction = (struct code_instruction){ .flow = CODE_NEXT };
	return false;
}

bool code_instruction_x86_64(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	(void)bytes;
	(void)size;
	return read_nothing(instruction);
}

bool code_instruction_i386(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	(void)bytes;
	(void)size;
	return read_nothing(instruction);
}

#endif
