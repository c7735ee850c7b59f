#ifndef XPROF_SYMBOL_PERF_MAP_H
#define XPROF_SYMBOL_PERF_MAP_H

/*
 * /tmp/perf-PID.map, which run-time compilers write: lines "START SIZE name",
 * the first two in hexadecimal. An address may be given out again, so of several
 * symbols there the one written last holds (tools/perf/Documentation/jit-interface.txt).
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "symbol/symbol_map.h"

struct perf_map;

/*
 * Of a process, also of one in a container that still runs: its map is looked for in its own mount namespace
 * under its own process number. The file must belong to root, to the present user, or to the user of the
 * process, and not be younger than the recording, which ended at `recorded_until_s` (seconds since the Epoch;
 * 0: not known), unless the recorded process still runs and may have written on. NULL with err set when there
 * is none that may be believed. symfs may be ""; what lies below any other is believed whatever its age.
 */
struct perf_map *perf_map_open(uint32_t pid, const char *symfs, int64_t recorded_until_s, struct error *err);

/* A certain file, of which nothing is expected but that this user trusts its owner. */
struct perf_map *perf_map_open_path(const char *path, uid_t trusted, struct error *err);

/* Of a text, which is not kept. Lines are cut at 64 KiB, here as in files. */
struct perf_map *perf_map_from_text(const char *text, size_t size, const char *name);
void perf_map_close(struct perf_map *map);

const char *perf_map_path(const struct perf_map *map);
struct symbol_map *perf_map_symbols(struct perf_map *map); /* sealed */

#endif
