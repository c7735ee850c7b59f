#ifndef XPROF_SYMBOL_LIVE_FILE_H
#define XPROF_SYMBOL_LIVE_FILE_H

/*
 * Opens files that only a recorded process can still see: files in another mount namespace (a container), and
 * files that were deleted or replaced since. Uses /proc/PID/root, map_files and exe (proc(5)).
 */

#include "elf/elf_file.h"

/*
 * Opens the file that process `pid` has at `path` or mapped from there, if its build-id is `id`. Returns NULL
 * without a build-id, which alone proves that it is the file, and that the pid is not another process by now.
 */
struct elf_file *live_file_open(uint32_t pid, const char *path, const struct build_id *id);

#endif
