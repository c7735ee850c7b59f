#ifndef XPROF_RECORD_MAP_SNAPSHOTS_H
#define XPROF_RECORD_MAP_SNAPSHOTS_H

/*
 * Keeps the names of run-time code: the perf maps (/tmp/perf-PID.map) of processes that were sampled and have
 * executable anonymous memory, copied into the recording piece by piece as they grow. A map is opened in the
 * mount namespace of its process, whose /tmp is kept open, so the map can still be read when a container has
 * ended.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct map_snapshots;

struct map_snapshots *map_snapshots_create(void);
void map_snapshots_destroy(struct map_snapshots *maps);

/* Looks at whole records, from a ring or synthesized, for executable mappings, forks and exits. */
void map_snapshots_note(struct map_snapshots *maps, const uint8_t *records, size_t size);

/*
 * Notes that the process was sampled. Costs a load and a comparison while no process has executable anonymous
 * memory.
 */
void map_snapshots_sampled(struct map_snapshots *maps, uint32_t pid);

/*
 * Appends records (format/map_piece.h) with the new text of the maps, about `most_bytes` of it. Returns true
 * if there is more: call it again.
 */
bool map_snapshots_take(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes);

/* The same at the end of the recording, marking all maps as complete. Call it until it returns false. */
bool map_snapshots_finish(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes);

/*
 * The same at the end of a file. The next file gets the maps of processes that still run from their
 * beginning.
 */
bool map_snapshots_end_file(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes);

/* The number of maps that were cut because they were larger than the limits below. */
size_t map_snapshots_cut_count(const struct map_snapshots *maps);

enum {
	MAP_SNAPSHOT_MAX_BYTES = 64 << 20,   /* text of one process; a large Java service has 10 MB */
	MAP_SNAPSHOTS_MAX_BYTES = 256 << 20, /* text of all processes */
};

#endif
