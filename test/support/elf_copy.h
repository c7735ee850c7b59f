#ifndef XPROF_TEST_SUPPORT_ELF_COPY_H
#define XPROF_TEST_SUPPORT_ELF_COPY_H

/* Opens an ELF file over a copy of bytes that someone else owns. */

#include "elf/elf_file.h"

/* NULL with the reason if the bytes are no ELF file. */
struct elf_file *elf_copy_open(const void *bytes, size_t size, const char *name, struct error *err);

#endif
