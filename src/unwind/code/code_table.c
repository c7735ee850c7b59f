/*
 * Functions are read from symbols region by region, as a large file has too many symbols to check all for one look-up. If no
 * symbol covers an address, code_starts searches for functions between the symbols, once per region, which takes some 20 ms per
 * MiB of code; a Go program's own table makes that needless. make() compiles a function at its first look-up and keeps the rows
 * in fde_rows.
 */
#include "unwind/code/code_table.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/partition_point.h"
#include "base/xalloc.h"
#include "elf/elf_excerpt.h"
#include "elf/elf_symtab.h"
#include "unwind/cfi/cfi_source.h"
#include "unwind/code/code_rows.h"
#include "unwind/code/code_starts.h"

struct code_function {
	uint64_t start, end; /* vaddrs; end == start: length unknown */
	bool is_part;        /* part of another function, which jumps to it */
	uint64_t made_end;   /* the end used when its rows were made; 0: not made yet */
};

/* Functions sorted by start, and the rows made of them. */
struct function_list {
	struct code_function *items;
	size_t count, capacity;
	struct fde_rows *rows;
};

/* All functions that may contain addresses of some range. */
struct code_region {
	struct vaddr_window window; /* those addresses */
	struct vaddr_window near;   /* where functions without a length may begin that reach into `window` */
	struct function_list named; /* from symbols with a size */
	struct function_list unnamed; /* those in between */
	bool has_searched;            /* for unnamed ones */
};

/*
 * A file that is too large to be searched has only its symbols, and mostly one or two of its addresses are looked up. Checking
 * each of half a million symbols against the unwind information would be wasteful, so the first regions hold only symbols near
 * the address. After some look-ups elsewhere a region holds all symbols.
 */
enum { SMALL_REGIONS = 4, SMALL_REGION_REACH = 1 << 20, MAX_REGIONS = SMALL_REGIONS + 1 };

/* The most bytes that a function without a length is taken to have. */
enum { UNNAMED_BYTES = 1 << 14 };

struct code_table {
	struct elf_file *file;
	struct elf_file *const *symbol_files;
	size_t symbol_file_count;
	const struct unwind_arch *arch;
	struct code_descriptions described;
	const struct go_functions *go; /* may be NULL */
	uint64_t *starts;              /* from code_table_add_start() */
	size_t start_count, start_capacity;
	struct code_region regions[MAX_REGIONS];
	size_t region_count;
	struct fde_row *made; /* rows of the function being compiled */
	size_t made_count, made_capacity;
	uint64_t made_start;
};

/* The context of symbol visits. */
struct symbol_reading {
	struct code_table *table;
	struct code_region *region;
};

static bool is_described(const struct code_table *table, uint64_t vaddr)
{
	return table->described.covers(table->described.context, vaddr);
}

/* --- symbols ------------------------------------------------------------------------- */

static void add_function(struct function_list *list, struct code_function function)
{
	*ARRAY_ADD(list->items, list->count, list->capacity) = function;
}

/* GCC moves rarely run code out of a function and appends ".cold" to its name. */
static bool is_part(const char *name)
{
	return strstr(name, ".cold") != NULL;
}

/* Most symbols are described or elsewhere, so their names need not be read. */
static bool is_wanted(uint64_t vaddr, uint64_t size_bytes, void *context)
{
	const struct symbol_reading *reading = context;

	return vaddr_window_sees(&reading->region->near, vaddr, size_bytes) &&
	       !is_described(reading->table, vaddr);
}

static void add_symbol(const struct elf_symbol *symbol, void *context)
{
	struct code_region *region = ((struct symbol_reading *)context)->region;
	uint64_t end = symbol->vaddr + symbol->size_bytes;

	if ((symbol->type != STT_FUNC && symbol->type != STT_GNU_IFUNC) || end < symbol->vaddr)
		return;
	add_function(symbol->size_bytes ? &region->named : &region->unnamed,
		     (struct code_function){ symbol->vaddr, end, is_part(symbol->name), 0 });
}

/* Sorts by start, then the longest first. */
static int compare(const void *a, const void *b)
{
	const struct code_function *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return left->end > right->end ? -1 : left->end < right->end;
}

/* Removes aliases and functions inside another one. */
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

/* Reads the functions that an excerpt lists. An excerpt lacks most code, but its list is complete. */
static void read_functions(const struct code_table *table, struct code_region *region)
{
	struct elf_section section;
	struct byte_reader r;

	if (elf_file_section(table->file, CODE_TABLE_SECTION, &section, NULL) != 1 || !section.bytes)
		return;
	r = byte_reader_over(section.bytes, section.size, elf_file_swapped(table->file));
	while (byte_reader_left(&r) >= 2 * sizeof(uint64_t)) {
		const uint64_t start = byte_reader_u64(&r), end = byte_reader_u64(&r);

		if (end > start)
			add_function(&region->named, (struct code_function){ .start = start, .end = end });
	}
}

/* Go's linker also lists a program's C functions, without frame sizes. */
static void read_go(const struct code_table *table, struct code_region *region)
{
	const size_t count = table->go ? go_functions_count(table->go) : 0;
	struct go_function function;

	for (size_t i = 0; i < count; i++)
		if (go_functions_at(table->go, i, &function) && !function.frame_sizes &&
		    vaddr_window_sees(&region->near, function.start, function.end - function.start) &&
		    !is_described(table, function.start))
			add_function(&region->named, (struct code_function){ function.start, function.end,
									     is_part(function.name), 0 });
}

static void add_start(const struct code_table *table, struct code_region *region, uint64_t vaddr)
{
	if (vaddr_window_sees(&region->near, vaddr, 0) && !is_described(table, vaddr))
		add_function(&region->unnamed, (struct code_function){ .start = vaddr, .end = vaddr });
}

static void read_symbols(struct code_table *table, struct code_region *region)
{
	const struct elf_symbol_choice choice = { .window = &region->near, .want = is_wanted };
	struct symbol_reading reading = { table, region };
	struct error err;

	for (size_t i = 0; i < table->symbol_file_count; i++) {
		struct elf_file *file = table->symbol_files[i];

		if (!file)
			continue;
		(void)elf_symtab_read(file, ELF_SYMTAB_FULL, &choice, add_symbol, &reading, &err);
		(void)elf_symtab_read(file, ELF_SYMTAB_DYNAMIC, &choice, add_symbol, &reading, &err);
	}
	read_go(table, region);
	for (size_t i = 0; i < table->start_count; i++)
		add_start(table, region, table->starts[i]);
}

struct code_table *code_table_create(struct elf_file *const files[], size_t count,
				     const struct unwind_arch *arch,
				     const struct code_descriptions *described)
{
	struct code_table *table = xcalloc(1, sizeof(*table));

	table->file = files[0];
	table->symbol_files = files;
	table->symbol_file_count = count;
	table->arch = arch;
	table->described = *described;
	return table;
}

void code_table_add_start(struct code_table *table, uint64_t vaddr)
{
	*ARRAY_ADD(table->starts, table->start_count, table->start_capacity) = vaddr;
}

void code_table_use_go(struct code_table *table, const struct go_functions *go)
{
	table->go = go;
}

void code_table_destroy(struct code_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->region_count; i++) {
		struct code_region *region = &table->regions[i];

		fde_rows_destroy(region->named.rows);
		fde_rows_destroy(region->unnamed.rows);
		free(region->named.items);
		free(region->unnamed.items);
	}
	free(table->starts);
	free(table->made);
	free(table);
}

/* --- finding ------------------------------------------------------------------------- */

/* The index of the first function that begins behind the vaddr; list->count if none does. */
static size_t first_behind(const struct function_list *list, uint64_t vaddr)
{
	return PARTITION_POINT(i, 0, list->count, list->items[i].start <= vaddr);
}

static bool is_named(const struct code_region *region, uint64_t vaddr)
{
	const size_t behind = region->named.items ? first_behind(&region->named, vaddr) : 0;

	return behind > 0 && vaddr < region->named.items[behind - 1].end;
}

static void search_unnamed(struct code_table *table, struct code_region *region)
{
	uint64_t *bounds = xcalloc(2 * region->named.count + region->unnamed.count + 1, sizeof(*bounds)),
		 *starts;
	size_t bound_count = 0, count;

	for (size_t i = 0; i < region->named.count; i++) {
		bounds[bound_count++] = region->named.items[i].start;
		bounds[bound_count++] = region->named.items[i].end;
	}
	for (size_t i = 0; i < region->unnamed.count; i++)
		bounds[bound_count++] = region->unnamed.items[i].start;
	count = code_starts_find(table->file, table->arch, &table->described, bounds, bound_count, &starts);
	for (size_t i = 0; i < count; i++)
		if (!is_named(region, starts[i]))
			add_start(table, region, starts[i]);
	free(starts);
	free(bounds);
	finish_list(&region->unnamed);
	region->has_searched = true;
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

/* A function without a length ends at the next function, at described code, or with its segment, whichever comes first. */
static uint64_t end_of_unnamed(const struct code_table *table, const struct code_region *region,
			       uint64_t start, uint64_t segment_end)
{
	enum { PROBE_BYTES = 16 };
	uint64_t end = smaller(start + UNNAMED_BYTES, segment_end);

	end = smaller(end, next_start(&region->named, start));
	end = smaller(end, next_start(&region->unnamed, start));
	for (uint64_t probe = (start / PROBE_BYTES + 1) * PROBE_BYTES; probe < end; probe += PROBE_BYTES)
		if (is_described(table, probe))
			end = probe;
	return end;
}

static void collect(void *context, uint64_t start, uint32_t rule)
{
	struct code_table *table = context;

	*ARRAY_ADD(table->made, table->made_count, table->made_capacity) =
		(struct fde_row){ start - table->made_start, rule };
}

static void make(struct code_table *table, const struct code_region *region, struct rule_pool *pool,
		 struct function_list *list, size_t number)
{
	const bool is_unnamed = list == &region->unnamed;
	struct code_function *function = &list->items[number];
	size_t before, after;
	const uint8_t *code = cfi_source_loaded(table->file, function->start, &before, &after);
	uint64_t end = function->end;

	table->made_count = 0;
	table->made_start = function->start;
	if (code && is_unnamed)
		end = end_of_unnamed(table, region, function->start, function->start + after);
	function->made_end = end;
	if (code && !function->is_part && end - function->start <= after)
		code_rows_make(&(struct code_function_bytes){ code, (size_t)(end - function->start),
							      function->start, !is_unnamed },
			       table->arch, pool, collect, table);
	else
		collect(table, function->start, RULE_POOL_NO_CFI);
	if (is_unnamed) /* other code may follow */
		collect(table, end, RULE_POOL_NO_CFI);
	fde_rows_put(list->rows, (uint32_t)number, 0, table->made, table->made_count);
}

static uint32_t find_in(struct code_table *table, const struct code_region *region, struct rule_pool *pool,
			struct function_list *list, uint64_t vaddr)
{
	const size_t behind = first_behind(list, vaddr);

	if (behind == 0)
		return RULE_POOL_NO_CFI;
	if (!fde_rows_has(list->rows, (uint32_t)(behind - 1)))
		make(table, region, pool, list, behind - 1);
	return fde_rows_find(list->rows, (uint32_t)(behind - 1), vaddr - list->items[behind - 1].start);
}

static void visit_used(const struct function_list *list, code_function_visit *visit, void *context)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct code_function *function = &list->items[i];

		/* Skips functions without rows, and parts of others. */
		if (function->made_end > function->start && !function->is_part)
			visit(context, function->start, function->made_end);
	}
}

void code_table_visit_used(const struct code_table *table, code_function_visit *visit, void *context)
{
	for (size_t i = 0; i < table->region_count; i++) {
		visit_used(&table->regions[i].named, visit, context);
		visit_used(&table->regions[i].unnamed, visit, context);
	}
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

static struct vaddr_window window_around(uint64_t vaddr, uint64_t reach)
{
	return (struct vaddr_window){ vaddr > reach ? vaddr - reach : 0, sum(vaddr, reach) };
}

static struct code_region *add_region(struct code_table *table, uint64_t vaddr)
{
	struct code_region *region = &table->regions[table->region_count++];
	const bool is_excerpt = elf_excerpt_is(table->file);
	const bool has_all =
		is_excerpt || code_starts_searches(table->file) || table->region_count > SMALL_REGIONS;
	const uint64_t reach = has_all ? UINT64_MAX : SMALL_REGION_REACH;

	*region = (struct code_region){
		.window = window_around(vaddr, reach),
		.near = window_around(vaddr, sum(reach, UNNAMED_BYTES)),
		.has_searched = is_excerpt || !code_starts_searches(table->file),
	};
	if (is_excerpt)
		read_functions(table, region);
	else
		read_symbols(table, region);
	finish_list(&region->named);
	if (region->has_searched)
		finish_list(&region->unnamed);
	return region;
}

static struct code_region *region_of(struct code_table *table, uint64_t vaddr)
{
	for (size_t i = 0; i < table->region_count; i++)
		if (vaddr_window_sees(&table->regions[i].window, vaddr, 0))
			return &table->regions[i];
	return add_region(table, vaddr);
}

static bool is_in_go(const struct code_table *table, uint64_t vaddr)
{
	struct go_function function;

	return table->go && go_functions_find(table->go, vaddr, &function);
}

uint32_t code_table_find(struct code_table *table, struct rule_pool *pool, uint64_t vaddr)
{
	struct code_region *region = region_of(table, vaddr);

	if (is_named(region, vaddr))
		return find_in(table, region, pool, &region->named, vaddr);
	if (is_in_go(table, vaddr)) /* only padding is left */
		return RULE_POOL_NO_CFI;
	if (!region->has_searched)
		search_unnamed(table, region);
	return find_in(table, region, pool, &region->unnamed, vaddr);
}
