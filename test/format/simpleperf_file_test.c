#include "format/simpleperf_file.h"

#include <string.h>

#include "support/cmocka.h"

static void assert_text(struct simpleperf_text text, const char *expected)
{
	assert_int_equal(text.size, strlen(expected));
	assert_memory_equal(text.bytes, expected, text.size);
}

static void assert_symbol(struct simpleperf_file *file, const char *name, uint64_t vaddr, uint32_t size)
{
	struct simpleperf_symbol symbol;

	assert_int_equal(simpleperf_symbol_next(file, &symbol), 1);
	assert_text(symbol.name, name);
	assert_true(symbol.vaddr == vaddr);
	assert_int_equal(symbol.size_bytes, size);
}

/* size 55: "/a", ELF, min_vaddr 0x1000, 2 symbols, place 0x800; then a file without symbols and place. */
static const char structures[] = "\x37\0\0\0"
				 "/a\0"
				 "\x02\0\0\0"
				 "\0\x10\0\0\0\0\0\0"
				 "\x02\0\0\0"
				 "\x40\x10\0\0\0\0\0\0\x10\0\0\0f\0"
				 "\x50\x10\0\0\0\0\0\0\0\0\0\0g\0"
				 "\0\x08\0\0\0\0\0\0"
				 "\x13\0\0\0"
				 "/b\0"
				 "\x02\0\0\0"
				 "\0\0\0\0\0\0\0\0"
				 "\0\0\0\0";
enum { FIRST_BYTES = 4 + 55 };

static void structures_have_symbols_and_their_place(void **state)
{
	struct simpleperf_symbol symbol;
	struct simpleperf_file file;
	struct byte_reader r = byte_reader_over(structures, sizeof(structures) - 1, false);

	(void)state;
	assert_int_equal(simpleperf_file_next(&r, false, &file), 1);
	assert_text(file.path, "/a");
	assert_int_equal(file.type, SIMPLEPERF_FILE_ELF);
	assert_true(file.min_vaddr == 0x1000 && file.has_place && file.place == 0x800);
	assert_int_equal(file.symbols_left, 2);
	assert_symbol(&file, "f", 0x1040, 16);
	assert_symbol(&file, "g", 0x1050, 0);
	assert_int_equal(simpleperf_symbol_next(&file, &symbol), 0);

	assert_int_equal(simpleperf_file_next(&r, false, &file), 1);
	assert_text(file.path, "/b");
	assert_false(file.has_place);
	assert_int_equal(simpleperf_file_next(&r, false, &file), 0);
}

static void what_is_cut_off_is_no_file(void **state)
{
	struct simpleperf_file file;

	(void)state;
	for (size_t size = 1; size < FIRST_BYTES; size++) {
		struct byte_reader r = byte_reader_over(structures, size, false);

		assert_int_equal(simpleperf_file_next(&r, false, &file), -1);
	}
}

/* { path "/x", type ELF, min_vaddr 0x1000, symbols { 5, 3, "f" } and { }, { file offset 7 } } */
static void messages_say_the_same(void **state)
{
	static const char message[] =
		"\x18\0\0\0\x0a\x02/x\x10\x02\x18\x80\x20\x22\x07\x08\x05\x10\x03\x1a\x01"
		"f\x22\x00\x32\x02\x08\x07";
	struct byte_reader r;
	struct simpleperf_file file;

	(void)state;
	r = byte_reader_over(message, sizeof(message) - 1, false);
	assert_int_equal(simpleperf_file_next(&r, true, &file), 1);
	assert_text(file.path, "/x");
	assert_true(file.type == SIMPLEPERF_FILE_ELF && file.min_vaddr == 0x1000);
	assert_true(file.has_place && file.place == 7);
	assert_int_equal(file.symbols_left, 2);
	assert_symbol(&file, "f", 5, 3);
	assert_symbol(&file, "", 0, 0);
	assert_int_equal(simpleperf_file_next(&r, true, &file), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structures_have_symbols_and_their_place),
		cmocka_unit_test(what_is_cut_off_is_no_file),
		cmocka_unit_test(messages_say_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
