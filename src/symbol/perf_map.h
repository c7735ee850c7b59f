#ifndef XPROF_SYMBOL_PERF_MAP_H
#define XPROF_SYMBOL_PERF_MAP_H

/*
 * Reads /tmp/perf-PID.map, which run-time compilers write: lines "START SIZE name", the first two in
 * hexadecimal. Addresses may be reused, so of several symbols at an address the one written last counts
 * (tools/perf/Documentation/jit-interface.txt).
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "symbol/symbol_map.h"

struct perf_map;

/*
 * Opens the map of a process. If the process still runs, perhaps in a container, its map is looked up in its
 * mount namespace under its PID there. The file must belong to root, to this user, or to the user of the
 * process. It must not be newer than the end of the recording, `recorded_until_s` (seconds since the Epoch;
 * 0: unknown), unless the recorded process still runs and may have appended to it. Returns NULL with err set
 * if there is no trusted map. symfs may be ""; the age of files below another symfs is not checked.
 */
struct perf_map *perf_map_open(uint32_t pid, const char *symfs, int64_t recorded_until_s, struct error *err);

/* Opens a given file. Its only condition is the owner: root, this user or `trusted`. */
struct perf_map *perf_map_open_path(const char *path, uid_t trusted, struct error *err);

/* Reads a text, which is not needed afterwards. Lines are cut at 64 KiB, as in files. */
struct perf_map *perf_map_from_text(const char *text, size_t size, const char *name);
void perf_map_close(struct perf_map *map);

const char *perf_map_path(const struct perf_map *map);
struct symbol_map *perf_map_symbols(struct perf_map *map); /* sealed */

#endif
