/*
 * The table of --total-cycles. As in perf (util/annotate.c, util/block-info.c), each source of branches is one row, whatever led
 * there; the row shows the longest range to it within its function.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/xalloc.h"
#include "report/code/code_text.h"
#include "report/names/dso_symbols.h"
#include "text/safe_text.h"

struct ending {
	struct code_place from;
	uint64_t begin; /* of the range that ran to it; the function's beginning if that is not known */
	struct symbol function; /* that holds it; the symbol table owns its name */
	uint64_t cycles, counted;
};

struct cycle_writer {
	struct strbuf *out;
	const struct code_recording *recording;
	struct symbol_table *table;
};

static bool find_function(const struct cycle_writer *writer, uint64_t address, struct symbol *symbol)
{
	return writer->table && symbol_table_find(writer->table, address, symbol) == 1;
}

/* The lowest address from which code ran to `from` in the same function; the function's beginning if none is known. */
static uint64_t find_begin(const struct cycle_writer *writer, const struct code_place *from,
			   const struct symbol *function)
{
	const struct code_table *ranges = &writer->recording->counts.ranges;
	size_t first = PARTITION_POINT(i, 0, ranges->count,
				       ranges->items[i].from.dso < from->dso ||
					       (ranges->items[i].from.dso == from->dso &&
						ranges->items[i].from.address < function->start));

	for (; first < ranges->count && ranges->items[first].from.dso == from->dso &&
	       ranges->items[first].from.address <= from->address;
	     first++)
		if (ranges->items[first].to.address == from->address && ranges->items[first].counted)
			return ranges->items[first].from.address;
	return function->start;
}

static bool add_ending(struct cycle_writer *writer, struct ending *ending, const struct code_count *branches,
		       size_t count)
{
	*ending = (struct ending){ .from = branches->from };
	for (size_t i = 0; i < count; i++) {
		ending->cycles += branches[i].cycles;
		ending->counted += branches[i].counted;
	}
	if (!ending->counted || !find_function(writer, ending->from.address, &ending->function))
		return false;
	ending->begin = find_begin(writer, &ending->from, &ending->function);
	return true;
}

static struct ending *find_endings(struct cycle_writer *writer, const struct code_object *object,
				   size_t *count)
{
	const struct code_table *branches = &writer->recording->counts.branches;
	struct ending *endings = xmalloc((branches->count + 1) * sizeof(*endings));

	*count = 0;
	for (size_t i = 0, next; i < branches->count; i = next) {
		const struct code_place *from = &branches->items[i].from;

		for (next = i + 1; next < branches->count; next++)
			if (branches->items[next].from.dso != from->dso ||
			    branches->items[next].from.address != from->address)
				break;
		if (code_object_has(object, from))
			*count += add_ending(writer, &endings[*count], &branches->items[i], next - i);
	}
	return endings;
}

static int compare_endings(const void *a, const void *b)
{
	const struct ending *left = a, *right = b;

	if (left->cycles != right->cycles)
		return left->cycles > right->cycles ? -1 : 1;
	return left->from.address < right->from.address ? -1 : left->from.address > right->from.address;
}

/* perf writes 1.5K and 2.0M. */
static void add_cycles(struct strbuf *out, uint64_t cycles)
{
	if (cycles >= 1000000)
		strbuf_addf(out, " %14.1fM", (double)cycles / 1000000);
	else if (cycles >= 1000)
		strbuf_addf(out, " %14.1fK", (double)cycles / 1000);
	else
		strbuf_addf(out, " %15" PRIu64, cycles);
}

/* Adds source lines; if they are not known, the function and offsets in it. */
static void add_range(const struct cycle_writer *writer, const struct ending *ending)
{
	const size_t before = writer->out->size;
	const struct symbol *function = &ending->function;

	strbuf_addc(writer->out, '[');
	if (code_text_add_line(writer->out, writer->table, ending->begin)) {
		strbuf_adds(writer->out, " -> ");
		if (code_text_add_line(writer->out, writer->table, ending->from.address)) {
			strbuf_addc(writer->out, ']');
			return;
		}
	}
	strbuf_cut(writer->out, before);
	strbuf_addc(writer->out, '[');
	safe_text_add(writer->out, function->name);
	strbuf_addf(writer->out, "+0x%" PRIx64 " -> +0x%" PRIx64 "]", ending->begin - function->start,
		    ending->from.address - function->start);
}

static bool has_counters(const struct code_text_options *options)
{
	return options->counted && options->counted->events.count;
}

static void add_heading(struct strbuf *out, const struct code_recording *recording,
			const struct code_text_options *options)
{
	if (has_counters(options)) {
		counted_events_add_heading(&options->counted->events, recording->recording.file, out);
		strbuf_adds(out, "#\n");
	}
	strbuf_addf(out,
		    "# Sampled Cycles%%  Sampled Cycles  Avg Cycles%%  Avg Cycles  %s[Program Block Range]  "
		    "Shared Object\n#\n",
		    has_counters(options) ? "Branch Counter  " : "");
}

void code_text_cycles(struct strbuf *out, struct code_recording *recording, const struct code_object *object,
		      const struct code_text_options *options)
{
	struct cycle_writer writer = { .out = out,
				       .recording = recording,
				       .table = dso_symbols_table(recording->symbolizer, object->dso) };
	size_t count;
	struct ending *endings = find_endings(&writer, object, &count);
	uint64_t averages = 0;

	for (size_t i = 0; i < count; i++)
		averages += endings[i].cycles / endings[i].counted;
	if (count)
		qsort(endings, count, sizeof(*endings), compare_endings);
	if (!options->quiet)
		add_heading(out, recording, options);
	for (size_t i = 0; i < count && !(options->top && i >= options->top); i++) {
		const uint64_t average = endings[i].cycles / endings[i].counted;

		strbuf_addf(out, "%16.2f%%",
			    100.0 * (double)endings[i].cycles / (double)recording->counts.cycles);
		add_cycles(out, endings[i].cycles);
		strbuf_addf(out, " %11.2f%%", averages ? 100.0 * (double)average / (double)averages : 0);
		strbuf_addf(out, " %11" PRIu64 "  ", average);
		if (has_counters(options)) {
			counted_sums_add_text(options->counted, &endings[i].from, endings[i].counted, out);
			strbuf_adds(out, "  ");
		}
		add_range(&writer, &endings[i]);
		strbuf_adds(out, "  ");
		safe_text_add(out, object->dso->name);
		strbuf_addc(out, '\n');
	}
	free(endings);
}
