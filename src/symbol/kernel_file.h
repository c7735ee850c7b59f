#ifndef XPROF_SYMBOL_KERNEL_FILE_H
#define XPROF_SYMBOL_KERNEL_FILE_H

/*
 * The ELF files of the kernel that was recorded, where distributions and perf
 * put them: vmlinux, and the modules, which may be compressed. A file with
 * another build-id than the recorded one is never taken. Without a recorded
 * build-id only the file that the user names is, or a module at its recorded
 * path, unless the recording is of another machine.
 */

#include "elf/debug_file.h"

/* The file of the kernel proper. release: of the recorded kernel as uname -r gives it, or NULL. */
struct elf_file *kernel_file_open_vmlinux(const struct build_id *id, const char *release,
					  const struct debug_file_search *search, struct error *err);

/* The file that the user names: taken unless its build-id differs. */
struct elf_file *kernel_file_open_named(const char *path, const struct build_id *id, struct error *err);

/* path: as recorded, "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz" or "[ext4]". */
struct elf_file *kernel_file_open_module(const char *path, const struct build_id *id,
					 const struct debug_file_search *search, struct error *err);

#endif
