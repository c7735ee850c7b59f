#ifndef XPROF_ELF_OWN_VDSO_H
#define XPROF_ELF_OWN_VDSO_H

/* The kernel's [vdso], which is no file: a copy of the one that this very process has mapped. */

#include "elf/elf_file.h"

/* NULL with err set when this process has none (a kernel without, or started under some emulators). */
struct elf_file *own_vdso_open(struct error *err);

#endif
