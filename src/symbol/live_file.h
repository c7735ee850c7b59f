#ifndef XPROF_SYMBOL_LIVE_FILE_H
#define XPROF_SYMBOL_LIVE_FILE_H

/*
 * Files that only a process still sees which had them mapped when it was
 * recorded: those of another mount namespace (a container), and those that were
 * deleted or replaced since. /proc(5): root, map_files, exe.
 */

#include "elf/elf_file.h"

/*
 * The file that process `pid` has at `path`, as was recorded, if its build-id is this one. Without a build-id there
 * is no telling whether it is, or whether the number has become another process's: NULL.
 */
struct elf_file *live_file_open(uint32_t pid, const char *path, const struct build_id *id);

#endif
