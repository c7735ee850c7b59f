#ifndef XPROF_ELF_MINI_DEBUGINFO_H
#define XPROF_ELF_MINI_DEBUGINFO_H

/* .gnu_debugdata: an xz-compressed ELF file with the function symbols (Fedora's MiniDebugInfo). */

#include "elf/elf_file.h"

/* 1 opened (close it before `file`), 0 there is none, -1 damaged or absurdly large. */
int mini_debuginfo_open(struct elf_file *file, struct elf_file **mini, struct error *err);

#endif
