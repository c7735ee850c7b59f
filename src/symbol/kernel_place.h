#ifndef XPROF_SYMBOL_KERNEL_PLACE_H
#define XPROF_SYMBOL_KERNEL_PLACE_H

/*
 * Where the code of a kernel's ELF file was in memory while it was recorded: the
 * kernel proper as far away as its reference symbol was moved (KASLR), a module
 * section by section.
 */

#include "elf/elf_file.h"

struct kernel_place;

/*
 * Of vmlinux, by the vaddr of the symbol ("_text") whose address was recorded. symbol NULL: it was not moved. debug
 * is the file that may have the symbols instead, or NULL.
 */
struct kernel_place *kernel_place_of_kernel(struct elf_file *vmlinux, struct elf_file *debug,
					    const char *symbol, uint64_t address);

/*
 * Of a module whose code began at `start`. sections: "/sys/module/NAME/sections" of the boot that was recorded, or
 * NULL: then it is where the kernel puts the sections of such a file.
 */
struct kernel_place *kernel_place_of_module(const struct elf_file *module, uint64_t start,
					    const char *sections);
void kernel_place_destroy(struct kernel_place *place);

/* 0, or -1 when the address is not in the file's code. */
int kernel_place_vaddr(const struct kernel_place *place, uint64_t address, uint64_t *vaddr);

#endif
