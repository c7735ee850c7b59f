#ifndef XPROF_SYMBOL_KERNEL_PLACE_H
#define XPROF_SYMBOL_KERNEL_PLACE_H

/*
 * Converts recorded kernel addresses to vaddrs of the kernel's ELF files. The kernel itself is shifted by the
 * same distance as its reference symbol (KASLR); each section of a module has an address of its own.
 */

#include "elf/elf_file.h"

struct kernel_place;

/*
 * For vmlinux: `symbol` ("_text") was at `address` when it was recorded; NULL: the kernel was not moved. `debug` is
 * a file that may have the symbols instead, or NULL.
 */
struct kernel_place *kernel_place_of_kernel(struct elf_file *vmlinux, struct elf_file *debug,
					    const char *symbol, uint64_t address);

/*
 * For a module whose code began at `start`. sections: "/sys/module/NAME/sections" if this is the recorded boot;
 * NULL: assume that sections are laid out as the kernel does it.
 */
struct kernel_place *kernel_place_of_module(const struct elf_file *module, uint64_t start,
					    const char *sections);
void kernel_place_destroy(struct kernel_place *place);

/* Returns 0, or -1 if the address is not in the file's code. */
int kernel_place_vaddr(const struct kernel_place *place, uint64_t address, uint64_t *vaddr);

#endif
