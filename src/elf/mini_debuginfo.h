#ifndef XPROF_ELF_MINI_DEBUGINFO_H
#define XPROF_ELF_MINI_DEBUGINFO_H

/* .gnu_debugdata: an xz-compressed ELF file with the function symbols (Fedora's MiniDebugInfo). */

#include "elf/elf_file.h"

/*
 * Returns 1 and *mini, which must be closed before `file`; 0 if there is none; -1 with err set if it is
 * damaged or too large.
 */
int mini_debuginfo_open(struct elf_file *file, struct elf_file **mini, struct error *err);

#endif
