#ifndef XPROF_REPORT_FLAME_FLAME_BLOCKS_H
#define XPROF_REPORT_FLAME_FLAME_BLOCKS_H

/*
 * The basic blocks of the functions of a page, for recordings of branches: the figures of `xprof report --blocks`, of each
 * program and library that ran.
 *
 * As JSON (flame_blocks.js is the other side):
 *
 *	"blocks": [[number of the function's frame, offset in the function, bytes, percent of what the blocks of its file cost,
 *		executions, instructions, cycles, instructions per cycle, "file.c:line"], ...]
 *
 * file by file, the most expensive block first; cycles, and instructions per cycle, are null where they are not known.
 */

#include "base/error.h"
#include "report/flame/flame_graph.h"
#include "report/view/recording_input.h"

struct flame_block {
	uint32_t text; /* of the graph: function and file */
	uint32_t line; /* of the lines */
	uint32_t instructions;
	uint64_t offset, size_bytes, executions;
	double percent, cycles, ipc; /* cycles and ipc are negative where they are not known */
};

struct flame_blocks {
	struct flame_block *items;
	size_t count, capacity;
	struct str_pool *lines; /* clean */
};

/*
 * Reads the recording once more, by the request that it was opened with; its choice applies, but for DSOs, symbols and stacks.
 * Texts are added to the graph's. 1, or 0 if there are no branches to add up, or if the recording came through a pipe, which can
 * be read once; then, as with -1, there is nothing to release.
 */
int flame_blocks_read(struct flame_blocks *blocks, struct flame_graph *graph,
		      const struct recording_input *input, const struct recording_request *request,
		      struct error *err);
void flame_blocks_fini(struct flame_blocks *blocks);

/* A member of an object, behind a comma. `frames`: by key, the number of its frame; UINT32_MAX: it is not on the page. */
void flame_blocks_add_json(struct strbuf *out, const struct flame_blocks *blocks, const uint32_t *frames);

#endif
