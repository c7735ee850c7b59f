/* Keeps the symbols of each file sorted by address: those of the file itself or, if it is stripped, of its debug file. */

#include "report/load/data_symbols.h"

#include <elf.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "elf/elf_symtab.h"
#include "symbol/recorded_file.h"

struct file_symbols {
	bool opened;
	struct elf_file *file, *debug_file; /* NULL: none */
	struct elf_symbol *sorted;
	size_t count, capacity;
};

struct data_symbols {
	const struct debug_file_search *search;
	struct file_symbols *files; /* by DSO number */
	size_t file_count, file_capacity;
};

struct data_symbols *data_symbols_create(const struct debug_file_search *search)
{
	struct data_symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->search = search;
	return symbols;
}

void data_symbols_destroy(struct data_symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->file_count; i++) {
		free(symbols->files[i].sorted);
		elf_file_close(symbols->files[i].file);
		elf_file_close(symbols->files[i].debug_file);
	}
	free(symbols->files);
	free(symbols);
}

static void take_symbol(const struct elf_symbol *symbol, void *context)
{
	struct file_symbols *of = context;

	*ARRAY_ADD(of->sorted, of->count, of->capacity) = *symbol;
}

static int compare_vaddrs(const void *one, const void *other)
{
	const struct elf_symbol *a = one, *b = other;

	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

/* 1 if there is such a table. */
static int read_table(struct file_symbols *of, struct elf_file *file, enum elf_symtab_kind kind)
{
	(void)elf_symtab_read(file, kind, NULL, take_symbol, of, NULL);
	return elf_symtab_read(file, kind, &(struct elf_symbol_choice){ .of_data = true }, take_symbol, of,
			       NULL);
}

/* A symbol without a size extends to the next one. */
static void size_symbols(struct file_symbols *of)
{
	for (size_t i = 0; i + 1 < of->count; i++)
		if (!of->sorted[i].size_bytes)
			of->sorted[i].size_bytes = of->sorted[i + 1].vaddr - of->sorted[i].vaddr;
}

static void read_symbols(struct file_symbols *of, const struct debug_file_search *search)
{
	if (read_table(of, of->file, ELF_SYMTAB_FULL) != 1)
		of->debug_file = debug_file_open(of->file, search, NULL);
	if (of->debug_file)
		(void)read_table(of, of->debug_file, ELF_SYMTAB_FULL);
	if (!of->count)
		(void)read_table(of, of->file, ELF_SYMTAB_DYNAMIC);
	if (!of->count)
		return;
	qsort(of->sorted, of->count, sizeof(*of->sorted), compare_vaddrs);
	size_symbols(of);
}

static struct file_symbols *symbols_of(struct data_symbols *symbols, const struct dso *dso)
{
	uint32_t pids[DSO_MAPPERS + 1];
	const struct recorded_file recorded = { .path = dso->path, .build_id = dso->build_id, .pids = pids };
	struct file_symbols *of;

	symbols->files = array_grow(symbols->files, &symbols->file_capacity, (size_t)dso->number + 1,
				    sizeof(*symbols->files));
	while (symbols->file_count <= dso->number)
		symbols->files[symbols->file_count++] = (struct file_symbols){ .opened = false };
	of = &symbols->files[dso->number];
	if (of->opened)
		return of;
	of->opened = true;
	dso_mappers(dso, pids);
	of->file = dso->kind == DSO_FILE ? recorded_file_open(&recorded, symbols->search, NULL) : NULL;
	if (of->file)
		read_symbols(of, symbols->search);
	return of;
}

int data_symbols_find(struct data_symbols *symbols, const struct dso *dso, uint64_t file_offset,
		      struct data_symbol *symbol)
{
	const struct file_symbols *of = symbols_of(symbols, dso);
	size_t first = 0, end = of->count;
	uint64_t vaddr;

	if (!of->file || elf_file_offset_to_vaddr(of->file, file_offset, &vaddr) < 0)
		return 0;
	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (of->sorted[middle].vaddr <= vaddr)
			first = middle + 1;
		else
			end = middle;
	}
	/* Of several symbols at one address, prefers one with a size. */
	while (first > 1 && of->sorted[first - 1].size_bytes == 0 &&
	       of->sorted[first - 2].vaddr == of->sorted[first - 1].vaddr)
		first--;
	if (first == 0 || vaddr - of->sorted[first - 1].vaddr >= of->sorted[first - 1].size_bytes)
		return 0;
	symbol->name = of->sorted[first - 1].name;
	symbol->offset = vaddr - of->sorted[first - 1].vaddr;
	symbol->is_function = of->sorted[first - 1].type != STT_OBJECT;
	return 1;
}
