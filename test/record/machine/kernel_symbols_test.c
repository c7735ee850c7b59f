#include "record/machine/kernel_symbols.h"

#include "base/strbuf.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

static void without_iomem_the_end_is_the_symbol_behind_the_text(void **state)
{
	const struct temp_tree *tree = *state;
	struct kernel_text text;

	temp_tree_file(tree, "kallsyms",
		       "ffff800080000000 T _text\nffff800080010000 T _stext\nffff800081000000 D _etext\n");
	assert_int_equal(kernel_text_find(&text, tree->root, NULL), 1);
	assert_true(text.start == 0xffff800080000000 && text.end == 0xffff800081000000);
	assert_string_equal(text.reference, "_text");
}

static void an_iomem_that_hides_its_addresses_is_no_size(void **state)
{
	const struct temp_tree *tree = *state;
	struct kernel_text text;

	temp_tree_file(tree, "kallsyms", "ffffffff81000000 T _text\nffffffff82000000 T _etext\n");
	temp_tree_file(tree, "iomem", "00000000-00000000 : System RAM\n  00000000-00000000 : Kernel code\n");
	assert_int_equal(kernel_text_find(&text, tree->root, NULL), 1);
	assert_true(text.end == 0xffffffff82000000);
}

static void a_kernel_that_names_only_stext_starts_there(void **state)
{
	const struct temp_tree *tree = *state;
	struct kernel_text text;

	temp_tree_file(tree, "kallsyms", "ffffffff81000000 T _stext\nffffffff81000100 t _text_not\n");
	assert_int_equal(kernel_text_find(&text, tree->root, NULL), 1);
	assert_string_equal(text.reference, "_stext");
	assert_true(text.end > text.start);
}

/* The symbols are after the first pieces of 64 KiB, and across the edge of one. */
static void symbols_are_found_in_every_piece_of_a_large_file(void **state)
{
	const struct temp_tree *tree = *state;
	struct kernel_text text;
	struct strbuf lines;

	strbuf_init(&lines);
	while (lines.size < 300000)
		strbuf_addf(&lines, "%016x t some_function_of_the_kernel_%zu\n", 0x1000, lines.size);
	strbuf_adds(&lines, "ffffffff81000000 T _text\n");
	while (lines.size < 600000)
		strbuf_addf(&lines, "ffffffff81001000 t another_function_%zu\t[module]\n", lines.size);
	strbuf_adds(&lines, "ffffffff82000000 T _etext\n");
	temp_tree_bytes(tree, "kallsyms", lines.bytes, lines.size);
	strbuf_fini(&lines);
	assert_int_equal(kernel_text_find(&text, tree->root, NULL), 1);
	assert_true(text.start == 0xffffffff81000000 && text.end == 0xffffffff82000000);
}

static void hidden_addresses_are_no_kernel(void **state)
{
	const struct temp_tree *tree = *state;
	struct kernel_text text;

	temp_tree_file(tree, "kallsyms", "0000000000000000 T _text\n0000000000000000 T _stext\n");
	assert_int_equal(kernel_text_find(&text, tree->root, NULL), 0);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	struct kernel_text text;
	struct error err = { 0 };

	(void)state;
	assert_int_equal(kernel_text_find(&text, "/proc/nonexistent", &err), -1);
	assert_string_equal(err.message, "cannot open /proc/nonexistent/kallsyms: No such file or directory");
}

int main(void)
{
#define KERNEL_TEST(name) cmocka_unit_test_setup_teardown(name, temp_tree_set_up, temp_tree_tear_down)
	const struct CMUnitTest tests[] = {
		KERNEL_TEST(without_iomem_the_end_is_the_symbol_behind_the_text),
		KERNEL_TEST(an_iomem_that_hides_its_addresses_is_no_size),
		KERNEL_TEST(a_kernel_that_names_only_stext_starts_there),
		KERNEL_TEST(symbols_are_found_in_every_piece_of_a_large_file),
		KERNEL_TEST(hidden_addresses_are_no_kernel),
		KERNEL_TEST(a_file_that_is_not_there_is_an_error),
	};

	return cmocka_run_group_tests_name("record/machine/kernel_symbols", tests, NULL, NULL);
}
