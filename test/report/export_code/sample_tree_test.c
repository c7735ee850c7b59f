#include "report/export_code/sample_tree.h"

#include <stdio.h>

#include "support/cmocka.h"

static void assert_text(struct sample_tree *tree, const char *expected)
{
	struct strbuf out;

	strbuf_init(&out);
	sample_tree_write(tree, &out);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	sample_tree_destroy(tree);
}

static void a_line_counts_its_instruction_that_ran_most(void **state)
{
	const struct source_site site = { "f", 3, 1, 1 };
	struct sample_tree *tree = sample_tree_create();

	(void)state;
	sample_tree_add(tree, &site, 1, 10, 40);
	sample_tree_add(tree, &site, 1, 7, 14);
	assert_text(tree, "f:54:0\n 3.1: 10\n");
}

static void what_is_inlined_stands_in_its_caller_and_weighs_there_too(void **state)
{
	const struct source_site sites[] = { { "f", 3, 0, 1 }, { "g", 1, 2, 1 }, { "h", 0, 0, 1 } };
	struct sample_tree *tree = sample_tree_create();

	(void)state;
	sample_tree_add(tree, sites, 3, 10, 40);
	sample_tree_add(tree, sites, 2, 5, 2);
	sample_tree_add(tree, sites, 1, 4, 1);
	assert_text(tree, "f:43:0\n 3: 4\n 3: g:42\n  1.2: 5\n  1.2: h:40\n   0: 10\n");
}

static void a_line_runs_as_often_as_it_calls(void **state)
{
	const struct source_site site = { "f", 3, 0, 1 };
	struct sample_tree *tree = sample_tree_create();

	(void)state;
	sample_tree_add(tree, &site, 1, 2, 2);
	sample_tree_add_call(tree, &site, 1, "g", 5);
	sample_tree_add_call(tree, &site, 1, "h", 6);
	sample_tree_add_head(tree, "g", 5);
	assert_text(tree, "f:2:0\n 3: 11 g:5 h:6\ng:0:5\n");
}

static void many_functions_come_heaviest_first(void **state)
{
	struct sample_tree *tree = sample_tree_create();
	struct strbuf expected;
	char name[16];

	(void)state;
	strbuf_init(&expected);
	for (unsigned int i = 1; i <= 2000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		sample_tree_add(tree, &(struct source_site){ name, 1, 0, 1 }, 1, 1, i);
	}
	for (unsigned int i = 2000; i > 0; i--)
		strbuf_addf(&expected, "f%u:%u:0\n 1: 1\n", i, i);
	assert_text(tree, expected.bytes);
	strbuf_fini(&expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_counts_its_instruction_that_ran_most),
		cmocka_unit_test(what_is_inlined_stands_in_its_caller_and_weighs_there_too),
		cmocka_unit_test(a_line_runs_as_often_as_it_calls),
		cmocka_unit_test(many_functions_come_heaviest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
