#ifndef XPROF_ELF_COMPRESSED_FILE_H
#define XPROF_ELF_COMPRESSED_FILE_H

/* ELF files that are compressed as a whole, as distributions ship kernel modules: .ko.xz, .ko.zst, .ko.gz. */

#include "elf/elf_file.h"

/* The contents decide, not the name; files that are not compressed are opened as they are. */
struct elf_file *compressed_file_open(const char *path, struct error *err);

#endif
