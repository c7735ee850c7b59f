/*
 * A second opinion: binutils' nm names the same functions at 10,000 random
 * addresses of each of this machine's large binaries.
 */
#include "symbol/symbolizer.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "elf/elf_file.h"
#include "support/cmocka.h"

enum { QUESTIONS = 10000 };

struct nm_symbol {
	uint64_t vaddr;
	uint64_t size;
	char *name; /* without its version */
};

struct nm_list {
	struct nm_symbol *symbols; /* functions with sizes, sorted by address */
	size_t count;
	size_t capacity;
};

static int compare_symbols(const void *a, const void *b)
{
	const struct nm_symbol *left = a, *right = b;

	return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

/* "000000000002624a 0000000000000041 T name@@VERSION". Takes functions only, by their letters. */
static void add_line(struct nm_list *list, char *line)
{
	char *at, type, *name;
	uint64_t vaddr = strtoull(line, &at, 16);
	uint64_t size = strtoull(at, &at, 16);

	if (*at != ' ' || size == 0)
		return;
	type = at[1];
	name = at + 3;
	name[strcspn(name, "\n")] = '\0';
	if (!strchr("TtWwi", type))
		return;
	list->symbols = array_grow(list->symbols, &list->capacity, list->count + 1, sizeof(*list->symbols));
	list->symbols[list->count++] = (struct nm_symbol){ vaddr, size, xstrdup(name) };
}

static void run_nm(struct nm_list *list, const char *options, const char *path)
{
	char *command = xasprintf("nm --defined-only -S %s '%s' 2>/dev/null", options, path);
	FILE *nm = popen(command, "r");
	char line[16384];

	free(command);
	assert_non_null(nm);
	while (fgets(line, sizeof(line), nm))
		add_line(list, line);
	pclose(nm);
}

/* Reads .symtab if there is one, otherwise .dynsym, as the symbolizer does. */
static struct nm_list list_symbols(const char *path)
{
	struct nm_list list = { .symbols = NULL };

	run_nm(&list, "", path);
	if (list.count == 0)
		run_nm(&list, "-D --without-symbol-versions", path);
	if (list.count)
		qsort(list.symbols, list.count, sizeof(*list.symbols), compare_symbols);
	return list;
}

static void free_list(struct nm_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->symbols[i].name);
	free(list->symbols);
}

/* Whether nm has that name at this address. */
static bool nm_has(const struct nm_list *list, uint64_t vaddr, const char *name)
{
	struct nm_symbol key = { .vaddr = vaddr };
	const struct nm_symbol *found =
		bsearch(&key, list->symbols, list->count, sizeof(key), compare_symbols);

	if (!found)
		return false;
	while (found > list->symbols && found[-1].vaddr == vaddr)
		found--;
	for (; found < list->symbols + list->count && found->vaddr == vaddr; found++)
		if (strcmp(found->name, name) == 0)
			return true;
	return false;
}

static void compare_with_nm(const char *path)
{
	static const char *const no_dirs[] = { NULL };
	struct symbolizer_options options = { .debug_dirs = no_dirs };
	struct symbol_object object = { .kind = DSO_FILE, .path = path };
	struct symbolizer *symbolizer;
	struct symbol_table *table;
	struct elf_file *file;
	struct nm_list list = { .symbols = NULL };
	unsigned seed = 1;

	if (access(path, R_OK) == 0)
		list = list_symbols(path);
	if (list.count == 0) {
		print_message("skipped: no %s, or no nm\n", path);
		skip();
		return;
	}
	file = elf_file_open(path, NULL);
	symbolizer = symbolizer_create(&options);
	table = symbolizer_table(symbolizer, &object);
	for (int i = 0; i < QUESTIONS; i++) {
		const struct nm_symbol *asked = &list.symbols[(size_t)rand_r(&seed) % list.count];
		uint64_t vaddr = asked->vaddr + (uint64_t)rand_r(&seed) % asked->size;
		uint64_t offset, start_vaddr;
		struct symbol symbol;

		if (elf_file_vaddr_to_offset(file, vaddr, &offset) < 0)
			continue; /* a variable in .bss that nm calls weak */
		assert_int_equal(symbol_table_find(table, offset, &symbol), 1);
		start_vaddr = vaddr - (offset - symbol.start);
		/* The symbol looked up, or one that starts later and is therefore nested deeper. */
		assert_true(start_vaddr >= asked->vaddr && offset < symbol.end);
		if (!nm_has(&list, start_vaddr, symbol.name))
			fail_msg("%s: 0x%llx is %s, nm has no such name there", path,
				 (unsigned long long)vaddr, symbol.name);
	}
	symbolizer_destroy(symbolizer);
	elf_file_close(file);
	free_list(&list);
}

/* Chooses random offsets in a file, in symbols and between them. */
static void choose_offsets(const char *path, uint64_t *offsets, size_t count)
{
	struct elf_file *file = elf_file_open(path, NULL);
	size_t size;
	unsigned seed = 7;

	assert_non_null(file);
	(void)elf_file_bytes(file, &size);
	for (size_t i = 0; i < count; i++)
		offsets[i] = (uint64_t)((double)rand_r(&seed) / RAND_MAX * (double)size);
	elf_file_close(file);
}

/* Addresses that were announced get the same names as others. */
static void compare_wanted(const char *path)
{
	enum { PLACES = 500 };
	struct symbolizer_options options = { .demangle = true };
	struct symbol_object object = { .kind = DSO_FILE, .path = path };
	struct symbolizer *plain = symbolizer_create(&options), *hinted = symbolizer_create(&options);
	struct symbol_table *table = symbolizer_table(plain, &object);
	struct symbol_table *hinted_table = symbolizer_table(hinted, &object);
	uint64_t offsets[2 * PLACES];
	size_t known = 0;

	choose_offsets(path, offsets, 2 * PLACES);
	symbol_table_want(hinted_table, offsets, PLACES / 2);
	symbol_table_want(hinted_table, offsets + PLACES / 2, PLACES / 2);
	for (size_t i = 0; i < 2 * PLACES; i++) { /* the second half was not announced */
		struct symbol expected, found;
		int is_known = symbol_table_find(table, offsets[i], &expected);

		assert_int_equal(symbol_table_find(hinted_table, offsets[i], &found), is_known);
		if (!is_known)
			continue;
		known++;
		assert_string_equal(found.name, expected.name);
		assert_int_equal(found.start, expected.start);
		assert_int_equal(found.end, expected.end);
		assert_int_equal(found.is_plt, expected.is_plt);
		assert_int_equal(found.is_local, expected.is_local);
	}
	assert_true(known > 0);
	symbolizer_destroy(plain);
	symbolizer_destroy(hinted);
}

static void wanted_addresses_have_the_names_that_all_have(void **state)
{
	static const char *const paths[] = { "/proc/self/exe", "/lib/x86_64-linux-gnu/libc.so.6",
					     "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/perf" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (access(paths[i], R_OK) == 0)
			compare_wanted(paths[i]);
}

static void this_program_reads_as_in_nm(void **state)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	(void)state;
	assert_true(length > 0);
	path[length] = '\0';
	compare_with_nm(path);
}

static void libc_reads_as_in_nm(void **state)
{
	(void)state;
	compare_with_nm("/lib/x86_64-linux-gnu/libc.so.6");
}

static void libstdcxx_reads_as_in_nm(void **state)
{
	(void)state;
	compare_with_nm("/usr/lib/x86_64-linux-gnu/libstdc++.so.6");
}

static void perf_reads_as_in_nm(void **state)
{
	(void)state;
	compare_with_nm("/usr/bin/perf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_program_reads_as_in_nm),
		cmocka_unit_test(libc_reads_as_in_nm),
		cmocka_unit_test(libstdcxx_reads_as_in_nm),
		cmocka_unit_test(perf_reads_as_in_nm),
		cmocka_unit_test(wanted_addresses_have_the_names_that_all_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
