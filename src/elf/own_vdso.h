#ifndef XPROF_ELF_OWN_VDSO_H
#define XPROF_ELF_OWN_VDSO_H

/*
 * The kernel's [vdso], which is no file: a copy of the one that this very process has mapped, or, on x86-64, of the one
 * that the kernel maps into 32-bit programs.
 */

#include "elf/elf_file.h"

/* perf's name for the [vdso] of 32-bit programs. */
#define OWN_VDSO_32BIT "[vdso32]"

/* `path`, but of a [vdso] where a 32-bit program has it, below 4 GiB, OWN_VDSO_32BIT. */
const char *own_vdso_name(const char *path, uint64_t start);

/* NULL with err set where the kernel does not hand it out (arch_prctl(2), ARCH_MAP_VDSO_32). */
struct elf_file *own_vdso_open_32bit(struct error *err);

/* By the name that perf gives it. */
struct elf_file *own_vdso_open_named(const char *name, struct error *err);

#endif
