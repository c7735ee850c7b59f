#ifndef XPROF_RECORD_MAP_SNAPSHOTS_H
#define XPROF_RECORD_MAP_SNAPSHOTS_H

/*
 * Keeps the names of run-time code: the perf maps (/tmp/perf-PID.map) of processes that were sampled and have executable
 * anonymous memory, copied into the recording piece by piece as they grow. A map is found in its process's own mount
 * namespace while that lives, whose /tmp is held open from then on: it is still there when a container has ended.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct map_snapshots;

struct map_snapshots *map_snapshots_create(void);
void map_snapshots_destroy(struct map_snapshots *maps);

/* Whole records, from a ring or synthesized: processes get executable memory, fork and exit. */
void map_snapshots_note(struct map_snapshots *maps, const uint8_t *records, size_t size);

/* A sample of the process was taken. Costs a load and a comparison while no process has such memory. */
void map_snapshots_sampled(struct map_snapshots *maps, uint32_t pid);

/*
 * Appends records (format/map_piece.h) with what the maps have grown by, about `most_bytes` of text. True when there is
 * more to be had at once.
 */
bool map_snapshots_take(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes);

/* The same at the end of the recording, when all maps are said to be complete. To be called until it is false. */
bool map_snapshots_finish(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes);

/* The same at the end of a file: the next one will have the maps of the processes that go on from their beginning. */
bool map_snapshots_end_file(struct map_snapshots *maps, struct strbuf *records, size_t most_bytes);

/* Maps of which less than everything was kept, since they were larger than MAP_SNAPSHOT_MAX_BYTES. */
size_t map_snapshots_cut_count(const struct map_snapshots *maps);

enum {
	MAP_SNAPSHOT_MAX_BYTES = 64 << 20,   /* of text, of one process; a large Java service has 10 MB */
	MAP_SNAPSHOTS_MAX_BYTES = 256 << 20, /* of all */
};

#endif
