/* flame_blocks_read() takes what report/code finds, and cleans names in the same way as those of frames, so that both match. */
#include "report/flame/flame_blocks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/code/code_functions.h"
#include "text/web_text.h"

struct taking {
	struct flame_blocks *blocks;
	struct flame_graph *graph;
	struct strbuf name, dso, line;
};

static uint32_t text_of(struct taking *taking, const struct code_function_block *block)
{
	strbuf_reset(&taking->name);
	strbuf_reset(&taking->dso);
	web_text_clean(&taking->name, block->function);
	web_text_clean(&taking->dso, block->dso->name);
	return flame_graph_add_key(taking->graph, taking->name.bytes, taking->dso.bytes, FLAME_USER) /
	       FLAME_KIND_COUNT;
}

static void take_block(void *context, const struct code_function_block *block)
{
	struct taking *taking = context;
	struct flame_blocks *blocks = taking->blocks;
	const struct code_block *counts = block->rank->block;

	strbuf_reset(&taking->line);
	web_text_clean(&taking->line, block->line);
	*ARRAY_ADD(blocks->items, blocks->count, blocks->capacity) = (struct flame_block){
		.text = text_of(taking, block),
		.line = str_pool_add(blocks->lines, taking->line.bytes),
		.instructions = counts->instructions,
		.offset = block->offset,
		.size_bytes = counts->end - counts->begin,
		.executions = counts->executions,
		.percent = block->rank->percent,
		.cycles = code_block_cycles(counts),
		.ipc = code_block_known_ipc(counts),
	};
}

int flame_blocks_read(struct flame_blocks *blocks, struct flame_graph *graph,
		      const struct recording_input *input, const struct recording_request *request,
		      struct error *err)
{
	const struct code_request code = { request->path, request->choice, request->load.symbols, NULL,
					   NULL };
	struct taking taking = {
		.blocks = blocks, .graph = graph, .name = STRBUF_INIT, .dso = STRBUF_INIT, .line = STRBUF_INIT
	};
	struct code_recording recording;

	if (!input->recording.file || strcmp(request->path, "-") == 0 ||
	    !code_functions_are_recorded(input->recording.file))
		return 0;
	if (code_recording_read(&recording, &code, err))
		return -1;
	*blocks = (struct flame_blocks){ .lines = str_pool_create() };
	code_functions_each(&recording, take_block, &taking);
	strbuf_fini(&taking.name);
	strbuf_fini(&taking.dso);
	strbuf_fini(&taking.line);
	code_recording_close(&recording);
	if (blocks->count)
		return 1;
	flame_blocks_fini(blocks);
	return 0;
}

void flame_blocks_fini(struct flame_blocks *blocks)
{
	free(blocks->items);
	str_pool_destroy(blocks->lines);
}

/* --- as JSON ------------------------------------------------------------------------------------------------- */

/* A function may be on the page as any kind of frame. Inlined code has no blocks of its own. */
static uint32_t frame_of(const struct flame_block *block, const uint32_t *frames)
{
	for (int kind = 0; kind < FLAME_KIND_COUNT; kind++) {
		const uint32_t frame = frames[flame_graph_key(block->text, (enum flame_kind)kind)];

		if (frame != UINT32_MAX && kind != FLAME_GROUP && kind != FLAME_INLINED)
			return frame;
	}
	return UINT32_MAX;
}

static void add_figure(struct strbuf *out, double figure)
{
	if (figure < 0)
		strbuf_adds(out, ",null");
	else
		strbuf_addf(out, ",%.2f", figure);
}

void flame_blocks_add_json(struct strbuf *out, const struct flame_blocks *blocks, const uint32_t *frames)
{
	bool first = true;

	strbuf_adds(out, ",\n\"blocks\":[");
	for (size_t i = 0; i < blocks->count; i++) {
		const struct flame_block *block = &blocks->items[i];
		const uint32_t frame = frame_of(block, frames);

		if (frame == UINT32_MAX)
			continue;
		strbuf_addf(out, "%s[%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%.2f,%" PRIu64 ",%" PRIu32,
			    first ? "" : ",\n", frame, block->offset, block->size_bytes, block->percent,
			    block->executions, block->instructions);
		add_figure(out, block->cycles);
		add_figure(out, block->ipc);
		strbuf_addc(out, ',');
		web_text_add_json(out, str_pool_text(blocks->lines, block->line));
		strbuf_addc(out, ']');
		first = false;
	}
	strbuf_addc(out, ']');
}
