/* The list of machines, searched by ELF number. */
#include "unwind/arch/unwind_arch.h"

static const struct unwind_arch *const arches[] = { &unwind_arch_x86_64, &unwind_arch_i386,
						    &unwind_arch_aarch64 };

const struct unwind_arch *unwind_arch_find(uint16_t elf_machine)
{
	for (size_t i = 0; i < sizeof(arches) / sizeof(*arches); i++)
		if (arches[i]->elf_machine == elf_machine)
			return arches[i];
	return NULL;
}

const struct unwind_arch *unwind_arch_32bit(const struct unwind_arch *arch)
{
	return arch == &unwind_arch_x86_64 || arch == &unwind_arch_i386 ? &unwind_arch_i386 : NULL;
}
