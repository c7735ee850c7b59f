#ifndef XPROF_SYMBOL_KERNEL_FILE_H
#define XPROF_SYMBOL_KERNEL_FILE_H

/*
 * Finds the ELF files of the recorded kernel where distributions and perf put them: vmlinux, and modules,
 * which may be compressed. A file with another build-id than the recorded one is never used. Without a
 * recorded build-id, only a file that the user names is used, or a module at its recorded path if the
 * recording was made on this machine.
 */

#include "elf/debug_file.h"

/* Opens vmlinux. release: of the recorded kernel, as from uname -r, or NULL. */
struct elf_file *kernel_file_open_vmlinux(const struct build_id *id, const char *release,
					  const struct debug_file_search *search, struct error *err);

/* Opens the file that the user names, unless its build-id differs. */
struct elf_file *kernel_file_open_named(const char *path, const struct build_id *id, struct error *err);

/*
 * Opens the file of a module. path: as recorded, "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz" or "[ext4]".
 */
struct elf_file *kernel_file_open_module(const char *path, const struct build_id *id,
					 const struct debug_file_search *search, struct error *err);

#endif
