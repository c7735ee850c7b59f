#include "unwind/code_table.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/xalloc.h"
#include "elf/elf_excerpt.h"
#include "elf/elf_symtab.h"
#include "unwind/cfi_source.h"
#include "unwind/code_rows.h"
#include "unwind/code_starts.h"

struct code_function {
	uint64_t start, end; /* vaddrs; end == start: not known */
	bool is_part;        /* of another one, from which it is jumped to */
	uint64_t made_end;   /* of one that rows were made of: where it was taken to end */
};

/* Functions in order of their starts, and what has been made of them. */
struct function_list {
	struct code_function *items;
	size_t count, capacity;
	struct fde_rows *rows;
};

struct code_table {
	struct elf_file *file;
	const struct unwind_arch *arch;
	struct code_descriptions described;
	struct function_list named;   /* by symbols that say how long they are */
	struct function_list unnamed; /* those between */
	bool has_searched;            /* for those */
	struct fde_row *made;         /* of the function that is being read */
	size_t made_count, made_capacity;
	uint64_t made_start;
};

static bool is_described(const struct code_table *table, uint64_t vaddr)
{
	return table->described.covers(table->described.context, vaddr);
}

/* --- symbols ------------------------------------------------------------------------- */

static void add_function(struct function_list *list, struct code_function function)
{
	list->items = array_grow(list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = function;
}

/* GCC moves what is seldom run out of a function, under its name with this behind it. */
static bool is_part(const char *name)
{
	return strstr(name, ".cold") != NULL;
}

/* Most are described, and their names need not be looked at. */
static bool is_wanted(uint64_t vaddr, uint64_t size_bytes, void *context)
{
	const struct code_table *table = context;

	(void)size_bytes;
	return !is_described(table, vaddr);
}

static void add_symbol(const struct elf_symbol *symbol, void *context)
{
	struct code_table *table = context;
	uint64_t end = symbol->vaddr + symbol->size_bytes;

	if ((symbol->type != STT_FUNC && symbol->type != STT_GNU_IFUNC) || end < symbol->vaddr)
		return;
	add_function(symbol->size_bytes ? &table->named : &table->unnamed,
		     (struct code_function){ symbol->vaddr, end, is_part(symbol->name), 0 });
}

/* By start, the longest first. */
static int compare(const void *a, const void *b)
{
	const struct code_function *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->end > right->end ? -1 : left->end < right->end;
}

/* Aliases and what lies inside of another function go. */
static void finish_list(struct function_list *list)
{
	size_t kept = 0;

	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items), compare);
	for (size_t i = 0; i < list->count; i++) {
		const struct code_function *last = kept ? &list->items[kept - 1] : NULL;

		if (!last || (list->items[i].start != last->start && list->items[i].start >= last->end))
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
	list->rows = fde_rows_create((uint32_t)kept);
}

/* What an excerpt has instead of all of its code: there are no others. */
static void read_functions(struct code_table *table)
{
	struct elf_section section;
	struct byte_reader r;

	table->has_searched = true;
	finish_list(&table->unnamed);
	if (elf_file_section(table->file, CODE_TABLE_SECTION, &section, NULL) != 1 || !section.bytes)
		return;
	r = byte_reader_over(section.bytes, section.size, elf_file_swapped(table->file));
	while (byte_reader_left(&r) >= 2 * sizeof(uint64_t)) {
		const uint64_t start = byte_reader_u64(&r), end = byte_reader_u64(&r);

		if (end > start)
			add_function(&table->named, (struct code_function){ .start = start, .end = end });
	}
}

static void read_symbols(struct code_table *table, struct elf_file *const files[], size_t count)
{
	struct error err;

	for (size_t i = 0; i < count; i++) {
		if (!files[i])
			continue;
		(void)elf_symtab_read_wanted(files[i], ELF_SYMTAB_FULL, is_wanted, add_symbol, table, &err);
		(void)elf_symtab_read_wanted(files[i], ELF_SYMTAB_DYNAMIC, is_wanted, add_symbol, table,
					     &err);
	}
}

struct code_table *code_table_create(struct elf_file *const files[], size_t count,
				     const struct unwind_arch *arch,
				     const struct code_descriptions *described)
{
	struct code_table *table = xcalloc(1, sizeof(*table));

	table->file = files[0];
	table->arch = arch;
	table->described = *described;
	if (elf_excerpt_is(table->file))
		read_functions(table);
	else
		read_symbols(table, files, count);
	finish_list(&table->named);
	return table;
}

void code_table_destroy(struct code_table *table)
{
	if (!table)
		return;
	fde_rows_destroy(table->named.rows);
	fde_rows_destroy(table->unnamed.rows);
	free(table->named.items);
	free(table->unnamed.items);
	free(table->made);
	free(table);
}

/* --- finding ------------------------------------------------------------------------- */

/* The number of the first that begins behind the vaddr; list->count when none does. */
static size_t first_behind(const struct function_list *list, uint64_t vaddr)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (list->items[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_named(const struct code_table *table, uint64_t vaddr)
{
	const size_t behind = first_behind(&table->named, vaddr);

	return behind > 0 && vaddr < table->named.items[behind - 1].end;
}

void code_table_add_start(struct code_table *table, uint64_t vaddr)
{
	if (!table->has_searched && !is_described(table, vaddr))
		add_function(&table->unnamed, (struct code_function){ .start = vaddr, .end = vaddr });
}

static void search_unnamed(struct code_table *table)
{
	uint64_t *bounds = xcalloc(2 * table->named.count + table->unnamed.count + 1, sizeof(*bounds)),
		 *starts;
	size_t bound_count = 0, count;

	for (size_t i = 0; i < table->named.count; i++) {
		bounds[bound_count++] = table->named.items[i].start;
		bounds[bound_count++] = table->named.items[i].end;
	}
	for (size_t i = 0; i < table->unnamed.count; i++)
		bounds[bound_count++] = table->unnamed.items[i].start;
	count = code_starts_find(table->file, table->arch, &table->described, bounds, bound_count, &starts);
	for (size_t i = 0; i < count; i++)
		if (!is_named(table, starts[i]))
			code_table_add_start(table, starts[i]);
	free(starts);
	free(bounds);
	finish_list(&table->unnamed);
	table->has_searched = true;
}

static uint64_t next_start(const struct function_list *list, uint64_t vaddr)
{
	const size_t behind = first_behind(list, vaddr);

	return behind < list->count ? list->items[behind].start : UINT64_MAX;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A function without a length ends with the next one at the latest, with what is described, or with its segment. */
static uint64_t end_of_unnamed(const struct code_table *table, uint64_t start, uint64_t segment_end)
{
	enum { UNNAMED_BYTES = 1 << 14, PROBE_BYTES = 16 };
	uint64_t end = smaller(start + UNNAMED_BYTES, segment_end);

	end = smaller(end, next_start(&table->named, start));
	end = smaller(end, next_start(&table->unnamed, start));
	for (uint64_t probe = (start / PROBE_BYTES + 1) * PROBE_BYTES; probe < end; probe += PROBE_BYTES)
		if (is_described(table, probe))
			end = probe;
	return end;
}

static void collect(void *context, uint64_t start, uint32_t rule)
{
	struct code_table *table = context;

	table->made =
		array_grow(table->made, &table->made_capacity, table->made_count + 1, sizeof(*table->made));
	table->made[table->made_count++] = (struct fde_row){ start - table->made_start, rule };
}

static void make(struct code_table *table, struct rule_pool *pool, struct function_list *list, size_t number)
{
	struct code_function *function = &list->items[number];
	size_t before, after;
	const uint8_t *code = cfi_source_loaded(table->file, function->start, &before, &after);
	uint64_t end = function->end;

	table->made_count = 0;
	table->made_start = function->start;
	if (code && list == &table->unnamed)
		end = end_of_unnamed(table, function->start, function->start + after);
	function->made_end = end;
	if (code && !function->is_part && end - function->start <= after)
		code_rows_make(&(struct code_function_bytes){ code, (size_t)(end - function->start),
							      function->start, list == &table->named },
			       table->arch, pool, collect, table);
	else
		collect(table, function->start, RULE_POOL_NO_CFI);
	if (list == &table->unnamed) /* something else may follow */
		collect(table, end, RULE_POOL_NO_CFI);
	fde_rows_put(list->rows, (uint32_t)number, table->made, table->made_count);
}

static uint32_t find_in(struct code_table *table, struct rule_pool *pool, struct function_list *list,
			uint64_t vaddr)
{
	const size_t behind = first_behind(list, vaddr);

	if (behind == 0)
		return RULE_POOL_NO_CFI;
	if (!fde_rows_has(list->rows, (uint32_t)(behind - 1)))
		make(table, pool, list, behind - 1);
	return fde_rows_find(list->rows, (uint32_t)(behind - 1), vaddr - list->items[behind - 1].start);
}

static void visit_used(const struct function_list *list, code_function_visit *visit, void *context)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct code_function *function = &list->items[i];

		/* Nothing was made of what is not whole, or part of another one. */
		if (function->made_end > function->start && !function->is_part)
			visit(context, function->start, function->made_end);
	}
}

void code_table_visit_used(const struct code_table *table, code_function_visit *visit, void *context)
{
	visit_used(&table->named, visit, context);
	visit_used(&table->unnamed, visit, context);
}

uint32_t code_table_find(struct code_table *table, struct rule_pool *pool, uint64_t vaddr)
{
	if (is_named(table, vaddr))
		return find_in(table, pool, &table->named, vaddr);
	if (!table->has_searched)
		search_unnamed(table);
	return find_in(table, pool, &table->unnamed, vaddr);
}
