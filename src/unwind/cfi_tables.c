/*
 * A look-up tries the open tables, then opens the next file and tries again. Most look-ups end in find_in_table() without
 * touching the FDE: its size is kept with its compiled rows. may_compile() limits the work that a damaged section can cause.
 */
#include "unwind/cfi_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "elf/mini_debuginfo.h"
#include "unwind/cfi/cfi_program.h"
#include "unwind/cfi/fde_index.h"
#include "unwind/cfi/fde_rows.h"

/* One section of CFI and its compiled rows. */
struct cfi_table {
	struct fde_index *index;
	struct fde_rows *rows;
	uint64_t work_bytes; /* bytes of the CFI programs run so far */
};

/* .eh_frame and .debug_frame of the file itself, .debug_frame of the other two. */
enum { MAX_TABLES = 4 };

struct cfi_tables {
	const struct unwind_arch *arch;
	struct rule_pool *pool;
	struct elf_file *files[CFI_FILE_COUNT];
	enum cfi_file next_file; /* to be opened; CFI_FILE_COUNT: all are open */
	const struct debug_file_search *search;
	struct debug_file_search search_copy;
	uint8_t *copy; /* copy of the CFI, if there is no file */
	struct cfi_table items[MAX_TABLES];
	size_t count;
	struct fde_row *rows; /* of the FDE being compiled */
	size_t row_count, row_capacity;
	uint64_t row_base;
};

struct cfi_tables *cfi_tables_create(struct elf_file *file, const struct debug_file_search *search,
				     const struct unwind_arch *arch, struct rule_pool *pool)
{
	struct cfi_tables *tables = xcalloc(1, sizeof(*tables));

	tables->arch = arch;
	tables->pool = pool;
	tables->files[CFI_FILE_ITSELF] = file;
	if (search) {
		tables->search_copy = *search;
		tables->search = &tables->search_copy;
	}
	return tables;
}

void cfi_tables_destroy(struct cfi_tables *tables)
{
	if (!tables)
		return;
	for (size_t i = 0; i < tables->count; i++) {
		fde_index_destroy(tables->items[i].index);
		fde_rows_destroy(tables->items[i].rows);
	}
	free(tables->rows);
	free(tables->copy);
	for (size_t i = CFI_FILE_COUNT; i > 0; i--)
		elf_file_close(tables->files[i - 1]);
	free(tables);
}

struct elf_file *const *cfi_tables_files(const struct cfi_tables *tables)
{
	return tables->files;
}

/* --- opening ------------------------------------------------------------------ */

static void add_table(struct cfi_tables *tables, const struct cfi_section *section, const struct cfi_hdr *hdr)
{
	struct fde_index *index = fde_index_create(section, hdr->bytes, hdr->size);

	if (fde_index_count(index) == 0) {
		fde_index_destroy(index);
		return;
	}
	tables->items[tables->count++] =
		(struct cfi_table){ .index = index, .rows = fde_rows_create(fde_index_count(index)) };
}

static void add_eh_frame(struct cfi_tables *tables, struct elf_file *file)
{
	struct cfi_section section;
	struct cfi_hdr hdr;

	if (cfi_source_eh_frame(file, &section, &hdr) == 1)
		add_table(tables, &section, &hdr);
}

static void add_debug_frame(struct cfi_tables *tables, struct elf_file *file)
{
	static const struct cfi_hdr none;
	struct cfi_section section;

	if (cfi_source_debug_frame(file, &section) == 1)
		add_table(tables, &section, &none);
}

struct cfi_tables *cfi_tables_create_jit(const struct cfi_section *section, const struct cfi_hdr *hdr,
					 const struct unwind_arch *arch, struct rule_pool *pool)
{
	struct cfi_tables *tables = cfi_tables_create(NULL, NULL, arch, pool);
	struct cfi_section own = *section;
	struct cfi_hdr own_hdr = *hdr;

	tables->next_file = CFI_FILE_COUNT;
	if (!section->size)
		return tables;
	tables->copy = xmalloc(section->size + hdr->size);
	memcpy(tables->copy, section->bytes, section->size);
	if (hdr->size)
		memcpy(tables->copy + section->size, hdr->bytes, hdr->size);
	own.bytes = tables->copy;
	own_hdr.bytes = tables->copy + section->size;
	add_table(tables, &own, &own_hdr);
	return tables;
}

/* Opens the next file that may have CFI. Returns false when none is left. */
static bool open_next_file(struct cfi_tables *tables)
{
	struct elf_file *file = tables->files[CFI_FILE_ITSELF];
	struct error err;

	switch (tables->next_file) {
	case CFI_FILE_ITSELF:
		add_eh_frame(tables, file);
		add_debug_frame(tables, file);
		break;
	case CFI_FILE_MINI:
		if (mini_debuginfo_open(file, &tables->files[CFI_FILE_MINI], &err) == 1)
			add_debug_frame(tables, tables->files[CFI_FILE_MINI]);
		break;
	case CFI_FILE_DEBUG:
		if (tables->search)
			tables->files[CFI_FILE_DEBUG] = debug_file_open(file, tables->search, &err);
		if (tables->files[CFI_FILE_DEBUG])
			add_debug_frame(tables, tables->files[CFI_FILE_DEBUG]);
		break;
	default: return false;
	}
	tables->next_file++;
	return true;
}

/* --- compiling ---------------------------------------------------------------- */

static void collect_row(void *context, uint64_t start, uint32_t rule)
{
	struct cfi_tables *tables = context;

	*ARRAY_ADD(tables->rows, tables->row_count, tables->row_capacity) =
		(struct fde_row){ start - tables->row_base, rule };
}

/*
 * Each FDE is compiled once, so the instructions of a section are run about once. But a hostile table can name one long FDE many
 * times, and a hostile CIE may itself be long.
 */
static bool may_compile(struct cfi_table *table, const struct cfi_cie *cie, const struct cfi_fde *fde)
{
	enum { WORK_FACTOR = 4, WORK_MINIMUM = 1 << 16 };
	uint64_t limit = (uint64_t)fde_index_section(table->index)->size * WORK_FACTOR + WORK_MINIMUM;

	table->work_bytes += cie->initial.size + fde->program.size;
	return table->work_bytes <= limit;
}

/* The FDE's size, for find_in_table(), which counts from the start that the table gives; 0 if the FDE begins elsewhere. */
static uint64_t size_by_table(const struct cfi_table *table, uint32_t number, const struct cfi_fde *fde)
{
	struct fde_index_slot slot;

	return fde_index_slot(table->index, number, &slot) == 0 && slot.start == fde->start ?
		       fde->end - fde->start :
		       0;
}

static void compile(struct cfi_tables *tables, struct cfi_table *table, uint32_t number,
		    const struct cfi_fde *fde)
{
	const struct cfi_cie *cie = fde_index_cie(table->index, fde);

	tables->row_count = 0;
	tables->row_base = fde->start;
	if (cie && may_compile(table, cie, fde))
		cfi_program_run(fde_index_section(table->index), cie, fde, tables->arch, tables->pool,
				collect_row, tables);
	else
		collect_row(tables, fde->start, RULE_POOL_NO_CFI);
	fde_rows_put(table->rows, number, size_by_table(table, number, fde), tables->rows, tables->row_count);
}

/* --- looking up --------------------------------------------------------------- */

static const struct unwind_rule *find_in_table(struct cfi_tables *tables, struct cfi_table *table,
					       uint64_t vaddr, bool *goes_on)
{
	struct cfi_fde fde;
	uint64_t start, size;
	uint32_t number;

	if (fde_index_last(table->index, vaddr, &number, &start) != 1)
		return NULL;
	size = fde_rows_size(table->rows, number);
	if (vaddr - start >= size) {
		/* The FDE was not looked up before, does not cover the vaddr, or is one whose size is not kept. */
		if (fde_index_find_back(table->index, number, vaddr, &number, &fde) != 1)
			return NULL;
		if (!fde_rows_has(table->rows, number))
			compile(tables, table, number, &fde);
		start = fde.start;
		size = fde.end - fde.start;
	}
	*goes_on = vaddr + 1 - start < size;
	return rule_pool_rule(tables->pool, fde_rows_find(table->rows, number, vaddr - start));
}

const struct unwind_rule *cfi_tables_find(struct cfi_tables *tables, uint64_t vaddr, bool *goes_on)
{
	size_t searched = 0;

	do {
		for (; searched < tables->count; searched++) {
			const struct unwind_rule *rule =
				find_in_table(tables, &tables->items[searched], vaddr, goes_on);

			if (rule && rule->path != PATH_NO_CFI)
				return rule;
		}
	} while (open_next_file(tables));
	return NULL;
}

/* --- described code ---------------------------------------------------------------- */

/* Reads FDE `number` of a table. Returns 1, or 0 if the table's entry is unusable. */
static int read_fde(const struct cfi_table *table, uint32_t number, struct cfi_fde *fde)
{
	struct fde_index_slot slot;

	return fde_index_slot(table->index, number, &slot) == 0 &&
	       fde_index_read(table->index, slot.fde_offset, fde) == 1;
}

static bool is_described(void *context, uint64_t vaddr)
{
	const struct cfi_tables *tables = context;

	for (size_t i = 0; i < tables->count; i++)
		if (fde_index_covers(tables->items[i].index, vaddr))
			return true;
	return false;
}

static size_t list_described(void *context, struct code_range **ranges)
{
	const struct cfi_tables *tables = context;
	size_t count = 0, capacity = 0;

	*ranges = NULL;
	for (size_t i = 0; i < tables->count; i++) {
		const struct cfi_table *table = &tables->items[i];
		struct cfi_fde fde;

		*ranges = array_grow(*ranges, &capacity, count + fde_index_count(table->index),
				     sizeof(**ranges));
		for (uint32_t number = 0; number < fde_index_count(table->index); number++)
			if (read_fde(table, number, &fde))
				(*ranges)[count++] = (struct code_range){ fde.start, fde.end };
	}
	return count;
}

struct code_descriptions cfi_tables_described(struct cfi_tables *tables)
{
	return (struct code_descriptions){ is_described, list_described, tables };
}

void cfi_tables_visit_used(const struct cfi_tables *tables, cfi_used_visit *visit, void *context)
{
	for (size_t i = 0; i < tables->count; i++) {
		const struct cfi_table *table = &tables->items[i];
		struct cfi_fde fde;

		for (uint32_t number = 0; number < fde_index_count(table->index); number++)
			if (fde_rows_has(table->rows, number) && read_fde(table, number, &fde))
				visit(context, fde.start);
	}
}

static void visit_table(struct cfi_tables *tables, struct cfi_table *table, cfi_range_visit *visit,
			void *context)
{
	for (uint32_t number = 0; number < fde_index_count(table->index); number++) {
		struct cfi_fde fde;

		if (!read_fde(table, number, &fde))
			continue;
		compile(tables, table, number, &fde);
		for (size_t i = 0; i < tables->row_count; i++)
			visit(context, fde.start + tables->rows[i].distance,
			      i + 1 < tables->row_count ? fde.start + tables->rows[i + 1].distance : fde.end,
			      rule_pool_rule(tables->pool, tables->rows[i].rule));
	}
}

void cfi_tables_visit_rows(struct cfi_tables *tables, cfi_range_visit *visit, void *context)
{
	while (open_next_file(tables))
		continue;
	for (size_t i = 0; i < tables->count; i++)
		visit_table(tables, &tables->items[i], visit, context);
}

struct cfi_counts cfi_tables_count(const struct cfi_tables *tables)
{
	struct cfi_counts counts = { .fde_count = 0 };

	for (size_t i = 0; i < tables->count; i++) {
		counts.fde_count += fde_rows_fde_count(tables->items[i].rows);
		counts.row_count += fde_rows_row_count(tables->items[i].rows);
		counts.size_bytes += fde_rows_bytes(tables->items[i].rows);
	}
	return counts;
}
