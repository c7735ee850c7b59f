/*
 * In its set of keys, an end of a branch is a note, "MODE DSO ADDRESS", so its name is looked up once per distinct set.
 * Before that, each file's table gets all addresses, because it reads its debug information faster for many at once.
 */
#include "report/load/branch_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/radix_sort.h"
#include "base/xalloc.h"
#include "format/branch_entry.h"
#include "format/branch_history.h"
#include "format/lbr_stack.h"
#include "profile/branch_marks.h"
#include "report/load/branch_samples.h"
#include "report/names/dso_symbols.h"

#define NO_DSO UINT32_MAX

struct branch_end {
	char mode;
	uint32_t dso; /* number in the process table, or NO_DSO */
	uint64_t address;
};

struct naming {
	struct sample_keys *keys;
	struct process_table *processes;
	struct symbolizer *symbolizer;
	struct symbol_table **tables; /* by DSO; NULL: not needed, or no table */
	struct strbuf text;
};

/* --- a branch's texts ----------------------------------------------------------------- */

static bool is_of_source(enum sample_key key)
{
	return key == SAMPLE_KEY_SYMBOL_FROM || key == SAMPLE_KEY_DSO_FROM || key == SAMPLE_KEY_ADDR_FROM ||
	       key == SAMPLE_KEY_SRCLINE_FROM;
}

static void note_end(struct strbuf *out, struct process_table *processes, const struct sample *sample,
		     uint64_t time_ns, uint64_t address)
{
	const struct branch_place place = branch_place_find(processes, sample->pid, time_ns, address);

	strbuf_addf(out, "%c%c %" PRIu32 " %" PRIx64, SAMPLE_KEY_NOTE,
		    !place.dso      ? 'H' :
		    place.is_kernel ? 'k' :
				      '.',
		    place.dso ? place.dso->number : NO_DSO, place.address);
}

void branch_keys_add_text(struct strbuf *out, enum sample_key key, struct process_table *processes,
			  const struct sample *sample, uint64_t time_ns)
{
	const struct branch_entry branch = sample_branch(sample, 0);

	switch (key) {
	case SAMPLE_KEY_MISPREDICT:
		strbuf_adds(out, branch.predicted ? "N" : branch.mispredicted ? "Y" : "N/A");
		break;
	case SAMPLE_KEY_IN_TX: strbuf_addc(out, branch.in_transaction ? 'T' : '.'); break;
	case SAMPLE_KEY_ABORT: strbuf_addc(out, branch.transaction_abort ? 'A' : '.'); break;
	case SAMPLE_KEY_CYCLES:
		if (branch.cycles)
			strbuf_addf(out, "%" PRIu16, branch.cycles);
		else
			strbuf_addc(out, '-');
		break;
	default:
		note_end(out, processes, sample, time_ns, is_of_source(key) ? branch.from : branch.to);
		break;
	}
}

/* Whether the ends of a branch are in different pages of that size. */
static bool crosses(uint64_t from, uint64_t to, uint64_t page_bytes)
{
	return from / page_bytes != to / page_bytes;
}

static struct branch_mark mark_of(const struct branch_step *step)
{
	enum { SMALL_PAGE_BYTES = 4096, LARGE_PAGE_BYTES = 2 << 20 };
	const struct branch_entry *branch = &step->branch;
	const bool crosses_2m = crosses(branch->from, branch->to, LARGE_PAGE_BYTES);

	return (struct branch_mark){
		.predicted = branch->predicted,
		.aborted = branch->transaction_abort,
		.forward = branch->to > branch->from,
		.crosses_4k = !crosses_2m && crosses(branch->from, branch->to, SMALL_PAGE_BYTES),
		.crosses_2m = crosses_2m,
		.kind = branch->type == BRANCH_TYPE_EXTENDED ?
				(uint8_t)(BRANCH_MARK_NEW_KINDS + branch->new_type) :
				branch->type,
		.cycles = branch->cycles,
		.iterations = step->iterations,
		.iteration_cycles = step->iteration_cycles,
	};
}

void branch_keys_add_marks(struct strbuf *out, const struct sample *sample, const struct perf_attr *attr,
			   size_t most)
{
	struct branch_history history;

	if (lbr_stack_is_in(sample, attr))
		return;
	branch_history_of(&history, sample, most);
	for (size_t i = 0; i < history.count; i++) {
		const struct branch_mark mark = mark_of(&history.steps[i]);

		branch_mark_add_text(out, &mark);
	}
}

/* --- names ------------------------------------------------------------------------------ */

static bool read_note(const struct naming *naming, uint32_t set, enum sample_key key, struct branch_end *end)
{
	const char *note = sample_keys_text(naming->keys, set, key);

	return note[0] == SAMPLE_KEY_NOTE &&
	       sscanf(note + 1, "%c %" SCNu32 " %" SCNx64, &end->mode, &end->dso, &end->address) == 3;
}

/* An address in no mapping may still be in the kernel: see process_table_kernel(). */
static bool find_symbol(const struct naming *naming, struct branch_end *end, struct symbol *symbol)
{
	struct mapping kernel;
	const struct dso *dso;

	if (end->dso == NO_DSO) {
		struct symbol_table *table;

		if ((int64_t)end->address >= 0 || process_table_kernel(naming->processes, &kernel) != 1)
			return false;
		table = dso_symbols_table(naming->symbolizer, kernel.dso);
		if (!table || symbol_table_find(table, end->address, symbol) != 1)
			return false;
		end->dso = kernel.dso->number;
		end->mode = 'k';
		return true;
	}
	dso = process_table_dso(naming->processes, end->dso);
	if (dso->kind == DSO_KSYMBOL) {
		*symbol = (struct symbol){ .name = dso->path, .start = end->address };
		return true;
	}
	return naming->tables[end->dso] &&
	       symbol_table_find(naming->tables[end->dso], end->address, symbol) == 1;
}

static void add_address(struct strbuf *out, const struct branch_end *end)
{
	strbuf_adds(out, end->address ? "0x" : ""); /* as printf() does for perf */
	strbuf_add_hex_zeros(out, end->address, 16);
}

/* Adds file and line, or if unknown, the place in the function or file. */
static void add_line(const struct naming *naming, struct strbuf *out, const struct branch_end *end,
		     const struct symbol *symbol)
{
	const struct source_frame *frames;
	struct symbol_table *table = end->dso == NO_DSO ? NULL : naming->tables[end->dso];
	const size_t count = table ? symbol_table_find_source(table, end->address, &frames) : 0;

	if (count && frames[0].file)
		strbuf_addf(out, "%s:%" PRIu32, basename(frames[0].file), frames[0].line);
	else if (symbol)
		strbuf_addf(out, "%s+%" PRIu64, symbol->name, end->address - symbol->start);
	else
		strbuf_addf(out, "%s[%" PRIx64 "]",
			    end->dso == NO_DSO ? "" : process_table_dso(naming->processes, end->dso)->name,
			    end->address);
}

static void name_end(struct naming *naming, uint32_t set, enum sample_key key)
{
	struct strbuf *text = &naming->text;
	struct branch_end end;
	struct symbol symbol;
	bool has_symbol;

	if (!read_note(naming, set, key, &end))
		return;
	strbuf_reset(text);
	has_symbol = find_symbol(naming, &end, &symbol);
	switch (key) {
	case SAMPLE_KEY_DSO_FROM:
	case SAMPLE_KEY_DSO_TO:
		strbuf_adds(text, end.dso == NO_DSO ? "[unknown]" :
						      process_table_dso(naming->processes, end.dso)->name);
		break;
	case SAMPLE_KEY_SRCLINE_FROM:
	case SAMPLE_KEY_SRCLINE_TO: add_line(naming, text, &end, has_symbol ? &symbol : NULL); break;
	default:
		strbuf_addf(text, "[%c] ", end.mode);
		if (!has_symbol)
			add_address(text, &end);
		else
			strbuf_adds(text, symbol.name);
		if (has_symbol && end.address != symbol.start &&
		    (key == SAMPLE_KEY_ADDR_FROM || key == SAMPLE_KEY_ADDR_TO))
			strbuf_addf(text, "+0x%" PRIx64, end.address - symbol.start);
		break;
	}
	sample_keys_set(naming->keys, set, key, text->bytes);
}

/* --- addresses for the tables ----------------------------------------------------------- */

struct wanted_addresses {
	struct radix_item *items; /* key: the address; number: the DSO */
	size_t count, capacity;
};

static void want_ends(const struct naming *naming, enum sample_key key, struct wanted_addresses *wanted)
{
	struct branch_end end;

	if (!sample_keys_request(naming->keys)->wanted[key])
		return;
	for (uint32_t set = 1; set <= sample_keys_count(naming->keys); set++) {
		if (!read_note(naming, set, key, &end) || end.dso == NO_DSO)
			continue;
		*ARRAY_ADD(wanted->items, wanted->count, wanted->capacity) =
			(struct radix_item){ end.address, end.dso };
	}
}

static int compare_dsos(const void *a, const void *b)
{
	const struct radix_item *left = a, *right = b;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return left->key < right->key ? -1 : left->key > right->key;
}

/* Tells the table of one DSO the addresses, which are sorted. */
static void tell_table(struct naming *naming, const struct radix_item *items, size_t count, bool lines)
{
	const struct dso *dso = process_table_dso(naming->processes, items->number);
	struct symbol_table *table = dso_symbols_table(naming->symbolizer, dso);
	uint64_t *addresses = xmalloc(count * sizeof(*addresses));

	for (size_t i = 0; i < count; i++)
		addresses[i] = items[i].key;
	naming->tables[items->number] = table;
	if (table)
		symbol_table_want(table, addresses, count);
	if (table && lines)
		symbol_table_prepare_source(table, addresses, count);
	free(addresses);
}

static void tell_tables(struct naming *naming)
{
	const bool *wants = sample_keys_request(naming->keys)->wanted;
	const bool lines = wants[SAMPLE_KEY_SRCLINE_FROM] || wants[SAMPLE_KEY_SRCLINE_TO];
	struct wanted_addresses wanted = { .items = NULL };

	for (int key = SAMPLE_KEY_SYMBOL_FROM; key <= SAMPLE_KEY_SRCLINE_TO; key++)
		want_ends(naming, (enum sample_key)key, &wanted);
	if (wanted.count)
		qsort(wanted.items, wanted.count, sizeof(*wanted.items), compare_dsos);
	for (size_t first = 0, next; first < wanted.count; first = next) {
		for (next = first; next < wanted.count; next++)
			if (wanted.items[next].number != wanted.items[first].number)
				break;
		tell_table(naming, wanted.items + first, next - first, lines);
	}
	free(wanted.items);
}

void branch_keys_name(struct sample_keys *keys, struct process_table *processes,
		      struct symbolizer *symbolizer)
{
	struct naming naming = { .keys = keys, .processes = processes, .symbolizer = symbolizer };

	naming.tables = xcalloc(process_table_dso_count(processes) + 1, sizeof(*naming.tables));
	strbuf_init(&naming.text);
	tell_tables(&naming);
	for (int key = SAMPLE_KEY_SYMBOL_FROM; key <= SAMPLE_KEY_SRCLINE_TO; key++)
		for (uint32_t set = 1; set <= sample_keys_count(keys); set++)
			if (sample_keys_request(keys)->wanted[key])
				name_end(&naming, set, (enum sample_key)key);
	strbuf_fini(&naming.text);
	free(naming.tables);
}
