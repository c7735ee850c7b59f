#include "elf/mini_debuginfo.h"

#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_symtab.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"

/* Opens a file with these bytes in .gnu_debugdata; without that section if NULL. */
static struct elf_file *open_with(const void *bytes, size_t size)
{
	struct elf_builder builder;

	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	if (bytes)
		elf_builder_section(&builder, ".gnu_debugdata", SHT_PROGBITS, 0, 0, bytes, size);
	return elf_builder_open(&builder, "built");
}

static uint8_t *compress_xz(const void *bytes, size_t size, size_t *compressed)
{
	size_t bound = lzma_stream_buffer_bound(size);
	uint8_t *to = malloc(bound);

	*compressed = 0;
	assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, bytes, size, to, compressed,
						 bound),
			 LZMA_OK);
	return to;
}

static void note_function(const struct elf_symbol *symbol, void *context)
{
	*(const char **)context = symbol->name;
}

static void symbols_are_read_out_of_the_inner_file(void **state)
{
	static const struct elf_builder_symbol symbols[] = {
		{ "static_function", 0x1000, 4, ELF64_ST_INFO(STB_LOCAL, STT_FUNC), 0, 1 },
	};
	struct elf_file *file, *mini;
	struct elf_builder builder;
	const char *name = NULL;
	uint8_t *inner, *packed;
	size_t size, packed_size;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	elf_builder_section(&builder, ".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, NULL, 100);
	elf_builder_symbols(&builder, SHT_SYMTAB, symbols, 1);
	inner = elf_builder_finish(&builder, &size);
	packed = compress_xz(inner, size, &packed_size);
	file = open_with(packed, packed_size);
	assert_int_equal(mini_debuginfo_open(file, &mini, NULL), 1);
	assert_string_equal(elf_file_path(mini), "built(.gnu_debugdata)");
	assert_int_equal(elf_symtab_read(mini, ELF_SYMTAB_FULL, NULL, note_function, &name, NULL), 1);
	assert_string_equal(name, "static_function");
	elf_file_close(mini);
	elf_file_close(file);
	free(inner);
	free(packed);
	elf_builder_fini(&builder);
}

static void file_without_the_section_has_none(void **state)
{
	struct elf_file *file = open_with(NULL, 0), *mini;

	(void)state;
	assert_int_equal(mini_debuginfo_open(file, &mini, NULL), 0);
	assert_null(mini);
	elf_file_close(file);
}

static void assert_refused(const void *bytes, size_t size, const char *message)
{
	struct elf_file *file = open_with(bytes, size), *mini;
	struct error err;

	assert_int_equal(mini_debuginfo_open(file, &mini, &err), -1);
	assert_null(mini);
	assert_string_equal(err.message, message);
	elf_file_close(file);
}

static void damaged_streams_are_refused_with_the_reason(void **state)
{
	uint8_t *packed;
	size_t size;

	(void)state;
	assert_refused("no xz at all", 12, "built(.gnu_debugdata): xz: damaged data");
	packed = compress_xz("some text, some text, some text", 31, &size);
	assert_refused(packed, size / 2, "built(.gnu_debugdata): the xz data is cut short");
	assert_refused(packed, size, "built(.gnu_debugdata) is not an ELF file");
	packed[size / 2] ^= 0x55;
	assert_refused(packed, size, "built(.gnu_debugdata): xz: damaged data");
	free(packed);
}

/* 64 MiB of zeros, packed into some 10 KB. */
static void bomb_is_refused(void **state)
{
	size_t size, bomb_size = (size_t)64 << 20;
	uint8_t *zeros = calloc(1, bomb_size);
	uint8_t *packed = compress_xz(zeros, bomb_size, &size);
	struct elf_file *file = open_with(packed, size), *mini;
	struct error err;

	(void)state;
	assert_true(size < 16384);
	assert_int_equal(mini_debuginfo_open(file, &mini, &err), -1);
	assert_non_null(strstr(err.message, "built(.gnu_debugdata) unpacks to more than 64 times its size"));
	elf_file_close(file);
	free(zeros);
	free(packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_read_out_of_the_inner_file),
		cmocka_unit_test(file_without_the_section_has_none),
		cmocka_unit_test(damaged_streams_are_refused_with_the_reason),
		cmocka_unit_test(bomb_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
