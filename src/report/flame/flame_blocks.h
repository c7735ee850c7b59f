#ifndef XPROF_REPORT_FLAME_FLAME_BLOCKS_H
#define XPROF_REPORT_FLAME_FLAME_BLOCKS_H

/*
 * The basic blocks of the functions on a page, for recordings of branches: the figures of `xprof report --blocks`, for each
 * program and library that ran.
 *
 * As JSON, read by flame_blocks.js:
 *
 *	"blocks": [[number of the function's frame, offset in the function, bytes, percent of the cost of all blocks of its file,
 *		executions, instructions, cycles, instructions per cycle, "file.c:line"], ...]
 *
 * file by file, the most expensive block first; cycles and instructions per cycle are null if unknown.
 */

#include "base/error.h"
#include "report/flame/flame_graph.h"
#include "report/view/recording_input.h"

struct flame_block {
	uint32_t text; /* string of the graph: function and file */
	uint32_t line; /* string of `lines` */
	uint32_t instructions;
	uint64_t offset, size_bytes, executions;
	double percent, cycles, ipc; /* cycles and ipc are negative if unknown */
};

struct flame_blocks {
	struct flame_block *items;
	size_t count, capacity;
	struct str_pool *lines; /* clean text */
};

/*
 * Reads the recording once more, by the request with which it was opened; of its choice, DSOs, symbols and stacks are ignored.
 * Texts are added to the graph's. Returns 1; 0 if there are no branches, or the recording came through a pipe, which cannot be
 * read twice; -1 with err. Release nothing after 0 and -1.
 */
int flame_blocks_read(struct flame_blocks *blocks, struct flame_graph *graph,
		      const struct recording_input *input, const struct recording_request *request,
		      struct error *err);
void flame_blocks_fini(struct flame_blocks *blocks);

/* Appends a comma and a member of a JSON object. `frames`: by key, the number of its frame; UINT32_MAX: not on the page. */
void flame_blocks_add_json(struct strbuf *out, const struct flame_blocks *blocks, const uint32_t *frames);

#endif
