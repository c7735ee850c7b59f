/*
 * Interprets the few BPF instructions that loaders consist of. operate(), jumps() and call() handle their three kinds; the
 * kernel's Documentation/bpf/standardization/instruction-set.rst describes all instructions.
 */
#include "record/bpf/loader_program.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK_BYTES = 512 /* MAX_BPF_STACK */ };

struct machine {
	uint64_t registers[MAX_BPF_REG];
	uint8_t *data;
	_Alignas(8) uint8_t stack[STACK_BYTES];
};

static void *pointer(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static uint64_t load(const void *from, size_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, from, bytes); /* little-endian machines only: see loader_program_is_known() */
	return value;
}

static void store(void *to, size_t bytes, uint64_t value)
{
	memcpy(to, &value, bytes);
}

/* --- known instructions --------------------------------------------------------------------------------------- */

static bool is_known_helper(int32_t helper)
{
	switch (helper) {
	case BPF_FUNC_probe_read_kernel:
	case BPF_FUNC_copy_from_user:
	case BPF_FUNC_sys_bpf:
	case BPF_FUNC_sys_close: return true;
	default: return false;
	}
}

static bool is_known(const struct bpf_insn *instruction)
{
	switch (instruction->code) {
	case BPF_LD | BPF_IMM | BPF_DW:
		return instruction->src_reg == BPF_PSEUDO_MAP_IDX_VALUE && instruction->imm == 0;
	case BPF_JMP | BPF_CALL: return instruction->src_reg == 0 && is_known_helper(instruction->imm);
	case BPF_ALU64 | BPF_MOV | BPF_X:
	case BPF_ALU64 | BPF_MOV | BPF_K:
	case BPF_ALU64 | BPF_K: /* BPF_ADD, which is 0 */
	case BPF_ALU64 | BPF_RSH | BPF_K: return instruction->off == 0;
	case BPF_LDX | BPF_MEM | BPF_W:
	case BPF_LDX | BPF_MEM | BPF_DW:
	case BPF_STX | BPF_MEM | BPF_W:
	case BPF_STX | BPF_MEM | BPF_DW:
	case BPF_ST | BPF_MEM | BPF_W:
	case BPF_ST | BPF_MEM | BPF_H:
	case BPF_JMP | BPF_JA:
	case BPF_JMP | BPF_JEQ | BPF_K:
	case BPF_JMP | BPF_JNE | BPF_K:
	case BPF_JMP | BPF_JSET | BPF_K:
	case BPF_JMP | BPF_JSLT | BPF_K:
	case BPF_JMP | BPF_JSLE | BPF_K:
	case BPF_JMP | BPF_JSGE | BPF_K:
	case BPF_JMP | BPF_EXIT: return true;
	default: return false;
	}
}

/* Whether it has two words, the second of which is not an instruction. */
static bool is_long(const struct bpf_insn *instruction)
{
	return instruction->code == (BPF_LD | BPF_IMM | BPF_DW);
}

bool loader_program_is_known(const struct bpf_insn *instructions, size_t count)
{
	const uint16_t one = 1;

	if (load(&one, 1) != 1)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!is_known(&instructions[i]))
			return false;
		i += is_long(&instructions[i]);
	}
	return true;
}

/* --- running them --------------------------------------------------------------------------------------------- */

static int64_t read_memory(void *to, size_t size, const void *from)
{
	if (!from) { /* the kernel cannot read NULL: loaders clear memory this way */
		memset(to, 0, size);
		return -EFAULT;
	}
	memcpy(to, from, size);
	return 0;
}

static int64_t errno_of(long result)
{
	return result < 0 ? -errno : result;
}

static int64_t call(const uint64_t *arguments, int32_t helper)
{
	switch (helper) {
	case BPF_FUNC_sys_bpf:
		return errno_of(syscall(SYS_bpf, (int)arguments[0], pointer(arguments[1]),
					(unsigned int)arguments[2]));
	case BPF_FUNC_sys_close: return errno_of(close((int)arguments[0]));
	default: return read_memory(pointer(arguments[0]), (size_t)arguments[1], pointer(arguments[2]));
	}
}

static bool jumps(const struct bpf_insn *instruction, uint64_t value)
{
	const int64_t constant = instruction->imm;

	switch (BPF_OP(instruction->code)) {
	case BPF_JA: return true;
	case BPF_JEQ: return value == (uint64_t)constant;
	case BPF_JNE: return value != (uint64_t)constant;
	case BPF_JSET: return value & (uint64_t)constant;
	case BPF_JSLT: return (int64_t)value < constant;
	case BPF_JSLE: return (int64_t)value <= constant;
	default: return (int64_t)value >= constant;
	}
}

/* All instructions except jumps, calls and the exit. */
static void operate(struct machine *machine, const struct bpf_insn *instruction)
{
	uint64_t *to = &machine->registers[instruction->dst_reg];
	const uint64_t from = machine->registers[instruction->src_reg];
	const uint64_t constant = (uint64_t)(int64_t)instruction->imm;

	switch (instruction->code) {
	case BPF_LD | BPF_IMM | BPF_DW: *to = (uintptr_t)(machine->data + instruction[1].imm); break;
	case BPF_ALU64 | BPF_MOV | BPF_X: *to = from; break;
	case BPF_ALU64 | BPF_MOV | BPF_K: *to = constant; break;
	case BPF_ALU64 | BPF_K: *to += constant; break; /* BPF_ADD, which is 0 */
	case BPF_ALU64 | BPF_RSH | BPF_K: *to >>= constant & 63; break;
	case BPF_LDX | BPF_MEM | BPF_W: *to = load(pointer(from + (uint64_t)instruction->off), 4); break;
	case BPF_LDX | BPF_MEM | BPF_DW: *to = load(pointer(from + (uint64_t)instruction->off), 8); break;
	case BPF_STX | BPF_MEM | BPF_W: store(pointer(*to + (uint64_t)instruction->off), 4, from); break;
	case BPF_STX | BPF_MEM | BPF_DW: store(pointer(*to + (uint64_t)instruction->off), 8, from); break;
	case BPF_ST | BPF_MEM | BPF_W: store(pointer(*to + (uint64_t)instruction->off), 4, constant); break;
	default: store(pointer(*to + (uint64_t)instruction->off), 2, constant);
	}
}

int loader_program_run(const struct bpf_insn *instructions, void *data, void *context)
{
	struct machine machine = { .data = data };
	uint64_t *registers = machine.registers;

	registers[BPF_REG_1] = (uintptr_t)context;
	registers[BPF_REG_10] = (uintptr_t)(machine.stack + STACK_BYTES);
	for (const struct bpf_insn *at = instructions;; at += 1 + is_long(at)) {
		if (at->code == (BPF_JMP | BPF_EXIT))
			return (int)registers[BPF_REG_0];
		if (at->code == (BPF_JMP | BPF_CALL))
			registers[BPF_REG_0] = (uint64_t)call(&registers[BPF_REG_1], at->imm);
		else if (BPF_CLASS(at->code) != BPF_JMP)
			operate(&machine, at);
		else if (jumps(at, registers[at->dst_reg]))
			at += at->off;
	}
}
