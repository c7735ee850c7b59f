/* code_functions_each() visits the DSOs with code that ran, and see_object() the blocks of one. */
#include "report/code/code_functions.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "report/code/code_text.h"
#include "report/names/dso_symbols.h"

struct seeing {
	struct code_recording *recording;
	void (*see)(void *context, const struct code_function_block *block);
	void *context;
};

static void see_block(const struct seeing *seeing, const struct code_object *object,
		      struct symbol_table *table, const struct code_ranked *rank)
{
	struct code_function_block seen = { .dso = object->dso, .rank = rank };
	struct symbol symbol;
	struct strbuf line = STRBUF_INIT;

	if (symbol_table_find(table, rank->block->begin, &symbol) != 1)
		return;
	seen.function = symbol.name;
	seen.offset = rank->block->begin - symbol.start;
	code_text_add_line(&line, table, rank->block->begin);
	seen.line = line.bytes;
	seeing->see(seeing->context, &seen);
	strbuf_fini(&line);
}

static void see_object(const struct seeing *seeing, const struct code_object *object)
{
	struct symbol_table *table = dso_symbols_table(seeing->recording->symbolizer, object->dso);
	struct code_ranked *ranked;
	struct code_blocks blocks;

	if (!table)
		return;
	code_blocks_find(&blocks, seeing->recording, object);
	ranked = code_ranking_make(&blocks);
	for (size_t i = 0; i < blocks.count; i++)
		see_block(seeing, object, table, &ranked[i]);
	free(ranked);
	code_blocks_fini(&blocks);
}

void code_functions_each(struct code_recording *recording,
			 void (*see)(void *context, const struct code_function_block *block), void *context)
{
	const struct seeing seeing = { recording, see, context };
	const size_t count = process_table_dso_count(recording->machine.processes);
	const struct code_table *ranges = &recording->counts.ranges;
	bool *ran = xcalloc(count + 1, sizeof(*ran));
	struct code_object object;
	struct error unreadable;

	for (size_t i = 0; i < ranges->count; i++)
		if (ranges->items[i].from.dso < count)
			ran[ranges->items[i].from.dso] = true;
	for (uint32_t i = 0; i < count; i++) {
		if (!ran[i])
			continue;
		if (code_object_open_dso(&object, recording,
					 process_table_dso(recording->machine.processes, i),
					 &unreadable) == 0)
			see_object(&seeing, &object);
		code_object_close(&object);
	}
	free(ran);
}

bool code_functions_are_recorded(const struct perf_file *file)
{
	for (size_t i = 0; i < perf_file_event_count(file); i++) {
		const struct perf_attr *attr = &perf_file_event(file, i)->attr;

		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !(attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			return true;
	}
	return false;
}
