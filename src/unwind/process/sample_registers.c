/* Walks the mask of recorded registers bit by bit, because values are stored in that order. */
#include "unwind/process/sample_registers.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/utsname.h>

#include "format/register_dwarf.h"

struct machine {
	uint16_t elf_machine;
	const char *const *archs; /* names that uname uses */
};

static const struct machine machines[] = {
	{ EM_X86_64, (const char *const[]){ "x86_64", "amd64", NULL } },
	{ EM_386, (const char *const[]){ "i386", "i486", "i586", "i686", NULL } },
	{ EM_AARCH64, (const char *const[]){ "aarch64", "arm64", NULL } },
};

const struct unwind_arch *sample_registers_arch(const char *arch)
{
	struct utsname host;

	if (!arch && uname(&host) == 0)
		arch = host.machine;
	for (size_t i = 0; arch && i < sizeof(machines) / sizeof(*machines); i++)
		for (const char *const *name = machines[i].archs; *name; name++)
			if (strcmp(*name, arch) == 0)
				return unwind_arch_find(machines[i].elf_machine);
	return NULL;
}

bool sample_registers_get(const struct sample *sample, const struct unwind_arch *arch,
			  struct unwind_input *input)
{
	uint64_t mask = sample->user_regs_mask;
	const uint8_t *word = sample->user_regs;
	bool has_pc = false;

	if (arch && sample->user_regs_abi == PERF_SAMPLE_REGS_ABI_32)
		arch = unwind_arch_32bit(arch);
	if (!arch)
		return false;
	input->arch = arch;
	input->pac_mask = arch->signature_mask;
	input->registers.known = 0;
	for (; mask; mask &= mask - 1, word += sizeof(uint64_t)) {
		int number = register_dwarf(arch->elf_machine, (unsigned int)__builtin_ctzll(mask));
		uint64_t value = sample_word(sample, word, 0);

		if (number == REGISTER_DWARF_PC) {
			input->pc = value;
			has_pc = true;
		} else if (number != REGISTER_DWARF_NONE) {
			input->registers.value[number] = value;
			input->registers.known |= (uint64_t)1 << number;
		}
	}
	return has_pc && input->registers.known & (uint64_t)1 << arch->sp;
}

unsigned int sample_registers_sp(const struct unwind_arch *arch)
{
	unsigned int reg = 0;

	while (reg < 63 && register_dwarf(arch->elf_machine, reg) != arch->sp)
		reg++;
	return reg;
}
