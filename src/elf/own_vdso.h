#ifndef XPROF_ELF_OWN_VDSO_H
#define XPROF_ELF_OWN_VDSO_H

/*
 * The kernel's [vdso] as an ELF file: a copy of the one that is mapped into this process or, on x86-64, of the one that
 * the kernel maps into 32-bit programs.
 */

#include "elf/elf_file.h"

/* perf's name for the [vdso] of 32-bit programs. */
#define OWN_VDSO_32BIT "[vdso32]"

/* Returns OWN_VDSO_32BIT for a [vdso] that begins below 4 GiB, as in 32-bit programs; `path` otherwise. */
const char *own_vdso_name(const char *path, uint64_t start);

/* Returns NULL with err set if the kernel does not provide it (arch_prctl(2), ARCH_MAP_VDSO_32). */
struct elf_file *own_vdso_open_32bit(struct error *err);

/* Opens either of them by perf's name, "[vdso]" or "[vdso32]". */
struct elf_file *own_vdso_open_named(const char *name, struct error *err);

#endif
