#include "report/load/symbol_preload.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/load/dso_symbols.h"
#include "support/cmocka.h"

static void copy_of_this_program(char *path)
{
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	char block[65536];
	ssize_t size;

	assert_true(from >= 0 && to >= 0);
	while ((size = read(from, block, sizeof(block))) > 0)
		assert_int_equal(write(to, block, (size_t)size), size);
	close(from);
	close(to);
}

static void a_file_that_was_wanted_is_open_before_it_is_asked(void **state)
{
	struct symbolizer *symbolizer = symbolizer_create(&(struct symbolizer_options){ .demangle = true });
	struct symbol_preload *preload = symbol_preload_create(symbolizer);
	char path[] = "/tmp/symbol_preload_test.XXXXXX";
	struct dso dso = { .number = 3, .kind = DSO_FILE, .path = path, .name = "copy" };
	struct symbol_table *table;
	struct symbol symbol;
	const char *why;

	(void)state;
	copy_of_this_program(path);
	assert_non_null(preload);
	symbol_preload_want(preload, &dso);
	symbol_preload_want(preload, &dso);
	symbol_preload_destroy(preload, true);
	unlink(path);
	table = dso_symbols_table(symbolizer, &dso);
	(void)symbol_table_find(table, 0, &symbol);
	assert_non_null(symbol_table_source(table, &why));
	symbolizer_destroy(symbolizer);
}

/* A perf map of one function, and how many times it was read. */
static char *read_map(void *context, uint32_t pid, size_t *size_bytes, bool *whole)
{
	static const char map[] = "1000 10 compiled\n";

	assert_int_equal(pid, 1);
	++*(int *)context;
	*size_bytes = strlen(map);
	*whole = true;
	return strdup(map);
}

static void what_is_not_in_a_file_is_left_for_later(void **state)
{
	int reads = 0;
	const struct symbolizer_options options = { .perf_maps = { .text = read_map, .context = &reads } };
	struct symbolizer *symbolizer = symbolizer_create(&options);
	struct symbol_preload *preload = symbol_preload_create(symbolizer);
	const struct dso map = { .kind = DSO_ANON, .path = "//anon", .name = "//anon", .pid = 1 };
	const struct dso listed = {
		.number = 1, .kind = DSO_UNKNOWN, .path = "[vsyscall]", .name = "[vsyscall]"
	};
	struct symbol symbol;

	(void)state;
	symbol_preload_want(preload, &map);
	symbol_preload_want(preload, &listed);
	symbol_preload_want(NULL, &map);
	symbol_preload_destroy(preload, true);
	symbol_preload_destroy(NULL, true);
	assert_int_equal(reads, 0);
	assert_int_equal(symbol_table_find(dso_symbols_table(symbolizer, &map), 0x1008, &symbol), 1);
	assert_string_equal(symbol.name, "compiled");
	assert_int_equal(reads, 1);
	symbolizer_destroy(symbolizer);
}

/* Whoever gives up does not wait for what is still in the queue. */
static void a_file_that_is_not_there_and_an_early_end_are_no_harm(void **state)
{
	struct symbolizer *symbolizer = symbolizer_create(&(struct symbolizer_options){ .demangle = true });
	struct symbol_preload *preload = symbol_preload_create(symbolizer);
	struct dso dso = { .kind = DSO_FILE, .path = "/nowhere/at/all", .name = "all" };
	struct symbol_table *table;
	struct symbol symbol;
	const char *why;

	(void)state;
	for (dso.number = 0; dso.number < 100; dso.number++)
		symbol_preload_want(preload, &dso);
	symbol_preload_destroy(preload, false);
	table = dso_symbols_table(symbolizer, &dso);
	assert_int_equal(symbol_table_find(table, 0x1000, &symbol), 0);
	assert_null(symbol_table_source(table, &why));
	assert_non_null(strstr(why, dso.path));
	symbolizer_destroy(symbolizer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_was_wanted_is_open_before_it_is_asked),
		cmocka_unit_test(what_is_not_in_a_file_is_left_for_later),
		cmocka_unit_test(a_file_that_is_not_there_and_an_early_end_are_no_harm),
	};

	return cmocka_run_group_tests_name("report/load/symbol_preload", tests, NULL, NULL);
}
