/* Each table is rows of what code_blocks.h finds, sorted; places are functions and offsets in them, with source lines. */
#include "report/code/code_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/code/code_ranking.h"
#include "report/names/dso_symbols.h"
#include "text/safe_text.h"

struct writer {
	struct strbuf *out;
	struct code_recording *recording;
	const struct code_object *object;
	const struct code_text_options *options;
	struct symbol_table *table; /* of the object; NULL: it has none */
};

static struct writer writer_of(struct strbuf *out, struct code_recording *recording,
			       const struct code_object *object, const struct code_text_options *options)
{
	return (struct writer){ .out = out,
				.recording = recording,
				.object = object,
				.options = options,
				.table = dso_symbols_table(recording->symbolizer, object->dso) };
}

static void add_heading(const struct writer *writer, const char *what, const char *columns)
{
	const struct code_counts *counts = &writer->recording->counts;

	if (writer->options->quiet)
		return;
	strbuf_adds(writer->out, "# ");
	strbuf_adds(writer->out, what);
	strbuf_adds(writer->out, " of ");
	safe_text_add(writer->out, writer->object->dso->path);
	strbuf_addf(writer->out, ", as %" PRIu64 " of %" PRIu64 " samples with branches show\n#\n# %s\n#\n",
		    counts->branch_samples, counts->samples, columns);
}

static bool is_full(const struct writer *writer, size_t rows)
{
	return writer->options->top && rows >= writer->options->top;
}

/* "hot+0x10", or the address alone. */
static void add_place_in(struct strbuf *out, struct symbol_table *table, uint64_t address)
{
	struct symbol symbol;

	if (table && symbol_table_find(table, address, &symbol) == 1) {
		safe_text_add(out, symbol.name);
		strbuf_addf(out, "+0x%" PRIx64, address - symbol.start);
	} else {
		strbuf_addf(out, "0x%" PRIx64, address);
	}
}

static void add_place(const struct writer *writer, const struct code_place *place)
{
	const struct dso *dso;

	if (place->dso == CODE_NOWHERE) {
		strbuf_addf(writer->out, "0x%" PRIx64, place->address);
		return;
	}
	dso = process_table_dso(writer->recording->machine.processes, place->dso);
	add_place_in(writer->out, dso_symbols_table(writer->recording->symbolizer, dso), place->address);
	if (dso == writer->object->dso)
		return;
	strbuf_adds(writer->out, " (");
	safe_text_add(writer->out, dso->name);
	strbuf_addc(writer->out, ')');
}

bool code_text_add_line(struct strbuf *out, struct symbol_table *table, uint64_t address)
{
	const struct source_frame *frames;

	if (!symbol_table_find_source(table, address, &frames) || !frames[0].file)
		return false;
	safe_text_add(out, basename(frames[0].file));
	strbuf_addf(out, ":%" PRIu32, frames[0].line);
	return true;
}

static void add_line(const struct writer *writer, uint64_t address)
{
	const size_t before = writer->out->size;

	if (!writer->table)
		return;
	strbuf_adds(writer->out, "  ");
	if (!code_text_add_line(writer->out, writer->table, address))
		strbuf_cut(writer->out, before);
}

/* Adds a figure, "-" if it is unknown. */
static void add_number(struct strbuf *out, int width, double number, bool is_known)
{
	if (is_known)
		strbuf_addf(out, " %*.2f", width, number);
	else
		strbuf_addf(out, " %*s", width, "-");
}

/* --- blocks --------------------------------------------------------------------------------- */

static void add_block(const struct writer *writer, const struct code_ranked *row)
{
	const struct code_block *block = row->block;
	const double cycles = code_block_cycles(block), ipc = code_block_known_ipc(block);

	strbuf_addf(writer->out, "%7.2f%% %11" PRIu64 " %12" PRIu32, row->percent, block->executions,
		    block->instructions);
	add_number(writer->out, 8, cycles, cycles >= 0);
	add_number(writer->out, 5, ipc, ipc >= 0);
	strbuf_adds(writer->out, "  ");
	add_place_in(writer->out, writer->table, block->begin);
	strbuf_addf(writer->out, " (%" PRIu64 " bytes)", block->end - block->begin);
	add_line(writer, block->begin);
	strbuf_addc(writer->out, '\n');
}

void code_text_blocks(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		      const struct code_text_options *options)
{
	const struct writer writer = writer_of(out, recording, object, options);
	struct code_blocks blocks;
	struct code_ranked *rows;

	code_blocks_find(&blocks, recording, object);
	rows = code_ranking_make(&blocks);
	add_heading(&writer, "Basic blocks",
		    blocks.has_cycles       ? "Cycles  Executions Instructions   Cycles   IPC  Block" :
		    blocks.has_instructions ? "Instr.  Executions Instructions   Cycles   IPC  Block" :
					      " Bytes  Executions Instructions   Cycles   IPC  Block");
	for (size_t i = 0; i < blocks.count && !is_full(&writer, i); i++)
		add_block(&writer, &rows[i]);
	free(rows);
	code_blocks_fini(&blocks);
}

/* --- loops ----------------------------------------------------------------------------------- */

void code_text_loops(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		     const struct code_text_options *options)
{
	const struct writer writer = writer_of(out, recording, object, options);
	struct code_blocks blocks;
	struct code_loop *loops;
	size_t count;

	code_blocks_find(&blocks, recording, object);
	loops = code_loops_find(recording, object, &blocks, &count);
	add_heading(&writer, "Loops", "    Trips     Entries  Trips each  Cycles each  Loop");
	for (size_t i = 0; i < count && !is_full(&writer, i); i++) {
		const struct code_loop *loop = &loops[i];

		strbuf_addf(out, "%11" PRIu64 " %11" PRIu64, loop->trips, loop->entries);
		add_number(out, 11, loop->entries ? (double)loop->trips / (double)loop->entries : 0,
			   loop->entries != 0);
		add_number(out, 12, loop->cycles, blocks.has_cycles);
		strbuf_adds(out, "  ");
		add_place_in(out, writer.table, loop->head);
		strbuf_adds(out, " to ");
		add_place_in(out, writer.table, loop->back);
		add_line(&writer, loop->head);
		strbuf_addc(out, '\n');
	}
	free(loops);
	code_blocks_fini(&blocks);
}

/* --- indirect branches ------------------------------------------------------------------------- */

/* Branches from one place. */
struct source {
	const struct code_count *first;
	size_t count;
	uint64_t taken, mispredicted;
};

static int compare_sources(const void *a, const void *b)
{
	const struct source *left = a, *right = b;

	if (left->taken != right->taken)
		return left->taken > right->taken ? -1 : 1;
	return left->first < right->first ? -1 : left->first > right->first;
}

static int compare_targets(const void *a, const void *b)
{
	const struct code_count *left = *(const struct code_count *const *)a,
				*right = *(const struct code_count *const *)b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return left < right ? -1 : left > right;
}

static void add_source(const struct writer *writer, const struct source *source)
{
	const struct code_count **targets = xmalloc(source->count * sizeof(*targets));

	strbuf_addf(writer->out, "%11" PRIu64 " %12.2f%%  ", source->taken,
		    100.0 * (double)source->mispredicted / (double)source->taken);
	add_place(writer, &source->first->from);
	add_line(writer, source->first->from.address);
	strbuf_addc(writer->out, '\n');
	for (size_t i = 0; i < source->count; i++)
		targets[i] = &source->first[i];
	qsort(targets, source->count, sizeof(*targets), compare_targets);
	for (size_t i = 0; i < source->count; i++) {
		strbuf_addf(writer->out, "%11" PRIu64 " %12.2f%%    %6.2f%% to ", targets[i]->count,
			    100.0 * (double)targets[i]->mispredicted / (double)targets[i]->count,
			    100.0 * (double)targets[i]->count / (double)source->taken);
		add_place(writer, &targets[i]->to);
		strbuf_addc(writer->out, '\n');
	}
	free(targets);
}

/* Branches are sorted by their source. */
static struct source *find_sources(const struct writer *writer, size_t *count)
{
	const struct code_table *branches = &writer->recording->counts.branches;
	struct source *sources = NULL;
	size_t capacity = 0;

	*count = 0;
	for (size_t i = 0, next; i < branches->count; i = next) {
		const struct code_count *first = &branches->items[i];
		struct source source = { .first = first };

		for (next = i; next < branches->count; next++) {
			const struct code_count *branch = &branches->items[next];

			if (branch->from.dso != first->from.dso ||
			    branch->from.address != first->from.address)
				break;
			source.taken += branch->count;
			source.mispredicted += branch->mispredicted;
			source.count++;
		}
		if (!code_object_has(writer->object, &first->from) ||
		    !code_object_is_indirect(writer->object, first))
			continue;
		*ARRAY_ADD(sources, *count, capacity) = source;
	}
	return sources;
}

void code_text_indirect(struct strbuf *out, struct code_recording *recording,
			const struct code_object *object, const struct code_text_options *options)
{
	const struct writer writer = writer_of(out, recording, object, options);
	size_t count;
	struct source *sources = find_sources(&writer, &count);

	if (count)
		qsort(sources, count, sizeof(*sources), compare_sources);
	add_heading(&writer, "Indirect jumps and calls", "    Taken  Mispredicted  Branch, and where it led");
	for (size_t i = 0; i < count && !is_full(&writer, i); i++)
		add_source(&writer, &sources[i]);
	free(sources);
}
