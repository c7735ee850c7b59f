#include "report/load/recorded_names.h"

#include <string.h>

#include "format/perf_abi.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

/* { 53 bytes: "/nonexistent/a", ELF, min_vaddr 0x1000, 1 symbol { 0x1040, 16, "f" }, at file offset 0x800 } */
static const char files[] = "\x35\0\0\0"
			    "/nonexistent/a\0"
			    "\x02\0\0\0"
			    "\0\x10\0\0\0\0\0\0"
			    "\x01\0\0\0"
			    "\x40\x10\0\0\0\0\0\0\x10\0\0\0"
			    "f\0"
			    "\0\x08\0\0\0\0\0\0";

/* The name of the function at an address in a file, in a recording with or without `files`. */
static const char *name_at(bool has_files, const char *path, uint64_t address, char name[static 16])
{
	const struct symbolizer_options options = { .demangle = true };
	const struct symbol_object object = { .kind = DSO_FILE, .path = path };
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct symbolizer *symbolizer;
	struct perf_file *file;
	struct symbol symbol;

	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = { .size = 64, .sample_type = PERF_SAMPLE_IP } });
	if (has_files)
		perf_data_builder_feature(b, HEADER_SIMPLEPERF_FILE, files, sizeof(files) - 1);
	perf_data_builder_finish_file(b);
	file = perf_file_open_memory(b->out.bytes, b->out.size, "built", NULL);
	assert_non_null(file);
	symbolizer = recorded_names_symbolizer(file, &options);
	strcpy(name, "nothing");
	if (symbol_table_find(symbolizer_table(symbolizer, &object), address, &symbol) == 1)
		strncpy(name, symbol.name, 15);
	symbolizer_destroy(symbolizer);
	perf_file_close(file);
	perf_data_builder_destroy(b);
	return name;
}

static void files_that_are_not_here_have_the_names_of_the_recording(void **state)
{
	char name[16] = "";

	(void)state;
	assert_string_equal(name_at(true, "/nonexistent/a", 0x848, name), "f");
	assert_string_equal(name_at(true, "/nonexistent/a", 0x850, name), "nothing");
	assert_string_equal(name_at(true, "/nonexistent/b", 0x848, name), "nothing");
	assert_string_equal(name_at(false, "/nonexistent/a", 0x848, name), "nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_are_not_here_have_the_names_of_the_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
