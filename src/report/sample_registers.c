#include "report/sample_registers.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/utsname.h>

struct perf_register_map {
	uint16_t elf_machine;
	const char *const *archs; /* what uname calls it */
	uint8_t pc;               /* number in perf_regs.h */
	uint8_t count;            /* of dwarf[] */
	uint8_t dwarf[32];        /* by number in perf_regs.h; NO_DWARF: has none that a caller needs */
};

enum { NO_DWARF = 255 };

/* enum perf_event_x86_regs, arch/x86/include/uapi/asm/perf_regs.h */
static const struct perf_register_map x86_64 = {
	.elf_machine = EM_X86_64,
	.archs = (const char *const[]){ "x86_64", "amd64", NULL },
	.pc = 8,
	.count = 24,
	.dwarf = { X86_64_RAX, X86_64_RBX, X86_64_RCX, X86_64_RDX, X86_64_RSI, X86_64_RDI,
		   X86_64_RBP, X86_64_RSP, NO_DWARF,   NO_DWARF,   NO_DWARF,   NO_DWARF,
		   NO_DWARF,   NO_DWARF,   NO_DWARF,   NO_DWARF,   X86_64_R8,  X86_64_R9,
		   X86_64_R10, X86_64_R11, X86_64_R12, X86_64_R13, X86_64_R14, X86_64_R15 },
};

/* enum perf_event_arm_regs, arch/arm64/include/uapi/asm/perf_regs.h: x0 to x29, lr, sp as DWARF has them, then pc */
static const struct perf_register_map aarch64 = {
	.elf_machine = EM_AARCH64,
	.archs = (const char *const[]){ "aarch64", "arm64", NULL },
	.pc = 32,
	.count = 32,
	.dwarf = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
		   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
};

static const struct perf_register_map *const maps[] = { &x86_64, &aarch64 };

static const struct perf_register_map *map_of(uint16_t elf_machine)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		if (maps[i]->elf_machine == elf_machine)
			return maps[i];
	return NULL;
}

const struct unwind_arch *sample_registers_arch(const char *arch)
{
	struct utsname host;

	if (!arch && uname(&host) == 0)
		arch = host.machine;
	for (size_t i = 0; arch && i < sizeof(maps) / sizeof(*maps); i++)
		for (const char *const *name = maps[i]->archs; *name; name++)
			if (strcmp(*name, arch) == 0)
				return unwind_arch_find(maps[i]->elf_machine);
	return NULL;
}

bool sample_registers_get(const struct sample *sample, const struct unwind_arch *arch,
			  struct unwind_input *input)
{
	const struct perf_register_map *map = arch ? map_of(arch->elf_machine) : NULL;
	uint64_t mask = sample->user_regs_mask;
	const uint8_t *word = sample->user_regs;

	if (!map || sample->user_regs_abi != PERF_SAMPLE_REGS_ABI_64 || !(mask & (uint64_t)1 << map->pc))
		return false;
	input->arch = arch;
	input->registers.known = 0;
	for (; mask; mask &= mask - 1, word += sizeof(uint64_t)) {
		unsigned int number = (unsigned int)__builtin_ctzll(mask);
		uint64_t value = sample_word(sample, word, 0);

		if (number == map->pc)
			input->pc = value;
		else if (number < map->count && map->dwarf[number] != NO_DWARF) {
			input->registers.value[map->dwarf[number]] = value;
			input->registers.known |= (uint64_t)1 << map->dwarf[number];
		}
	}
	return input->registers.known & (uint64_t)1 << arch->sp;
}
