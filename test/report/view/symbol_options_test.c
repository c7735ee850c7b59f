#include "report/view/symbol_options.h"

#include <stdlib.h>

#include "support/cmocka.h"

struct words {
	int before;
	struct symbol_options symbols;
};

static const struct option table[] = {
	SYMBOL_OPTIONS(struct words, symbols),
	SYMBOL_OPTION_INLINE(struct words, symbols),
	OPTION_END,
};

static void what_was_typed_reaches_the_symbolizer(void **state)
{
	const struct words defaults = { .symbols = SYMBOL_OPTION_DEFAULTS };
	const struct cli_command command = {
		.name = "x", .options = table, .options_size = sizeof(defaults), .defaults = &defaults
	};
	char *typed[] = { (char[]){ "-kvm" },
			  (char[]){ "--symfs=root" },
			  (char[]){ "--kallsyms=list" },
			  (char[]){ "--debug-dir=a,b" },
			  (char[]){ "--no-demangle" },
			  (char[]){ "--no-cache" },
			  (char[]){ "--no-inline" },
			  NULL };
	struct words words = defaults;
	struct symbolizer_options options = symbol_options_symbolizer(&words.symbols, NULL);
	int operand_count;

	(void)state;
	assert_true(options.demangle && options.cache && words.symbols.inlines);
	assert_null(options.debug_dirs);
	assert_int_equal(option_parse(&command, &words, 7, typed, &operand_count, NULL), OPTION_PARSED);
	options = symbol_options_symbolizer(&words.symbols, NULL);
	assert_string_equal(options.vmlinux_path, "vm");
	assert_string_equal(options.symfs, "root");
	assert_string_equal(options.kallsyms_path, "list");
	assert_string_equal(options.debug_dirs[1], "b");
	assert_null(options.debug_dirs[2]);
	assert_false(options.demangle || options.cache || words.symbols.inlines);
	symbol_options_fini(&words.symbols);
}

static void off_hides_the_cache_of_downloads(void **state)
{
	struct symbol_options symbols = SYMBOL_OPTION_DEFAULTS;
	struct debug_downloads *downloads;

	(void)state;
	assert_int_equal(setenv("DEBUGINFOD_CACHE_PATH", "/downloads", 1), 0);
	assert_int_equal(symbols.debuginfod, DEBUGINFOD_ASK);
	downloads = symbol_options_downloads(&symbols, 0, false);
	assert_string_equal(symbol_options_symbolizer(&symbols, downloads).debuginfod_cache, "/downloads");
	debug_downloads_destroy(downloads);
	symbols.debuginfod = DEBUGINFOD_OFF;
	downloads = symbol_options_downloads(&symbols, 0, false);
	assert_null(symbol_options_symbolizer(&symbols, downloads).debuginfod_cache);
	debug_downloads_destroy(downloads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_typed_reaches_the_symbolizer),
		cmocka_unit_test(off_hides_the_cache_of_downloads),
	};

	return cmocka_run_group_tests_name("report/view/symbol_options", tests, NULL, NULL);
}
