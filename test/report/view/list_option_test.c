#include "report/view/list_option.h"

#include "support/cmocka.h"

static void texts_are_split_at_commas(void **state)
{
	struct text_list list = { 0 };

	(void)state;
	text_list_parse(&list, "bash,,make");
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0], "bash");
	assert_string_equal(list.items[1], "make");
	assert_null(list.items[2]);
	text_list_parse(&list, "sh");
	assert_int_equal(list.count, 1);
	text_list_fini(&list);
}

static void an_empty_text_is_a_list_without_items(void **state)
{
	struct text_list list = { 0 };

	(void)state;
	text_list_parse(&list, "");
	assert_int_equal(list.count, 0);
	assert_non_null(list.items);
	assert_null(list.items[0]);
	text_list_fini(&list);
}

static void numbers_and_ranges_are_listed_one_by_one(void **state)
{
	struct number_list list = { 0 };

	(void)state;
	assert_int_equal(number_list_parse(&list, "0-2,8,4294967295", NULL), 0);
	assert_int_equal(list.count, 5);
	assert_int_equal(list.items[0], 0);
	assert_int_equal(list.items[2], 2);
	assert_int_equal(list.items[3], 8);
	assert_int_equal(list.items[4], UINT32_MAX);
	number_list_fini(&list);
}

static void lists_are_asked_whether_they_have_something(void **state)
{
	struct number_list numbers = { 0 };
	struct text_list texts = { 0 };

	(void)state;
	assert_false(text_list_has(&texts, "make"));
	text_list_parse(&texts, "bash,make");
	assert_true(text_list_has(&texts, "make"));
	assert_false(text_list_has(&texts, "mak"));
	assert_int_equal(number_list_parse(&numbers, "0-3,8", NULL), 0);
	assert_true(number_list_has(&numbers, 8));
	assert_false(number_list_has(&numbers, 4));
	text_list_fini(&texts);
	number_list_fini(&numbers);
}

static void what_is_no_number_is_quoted(void **state)
{
	static const char *const wrong[] = { "",      "x",  "1,",         "1-",          "3-1",
					     "1-2-3", "-1", "4294967296", "0-4294967295" };
	struct number_list list = { 0 };
	struct error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(number_list_parse(&list, wrong[i], &err), -1);
	assert_int_equal(number_list_parse(&list, "1,x", &err), -1);
	assert_string_equal(err.message, "'x' is not a list of numbers");
	number_list_fini(&list);
}

static void an_entry_of_a_table_fills_the_list_that_it_names(void **state)
{
	struct lists {
		int before;
		struct text_list names;
		struct number_list numbers;
	} lists = { 0 };
	static const struct option table[] = {
		{ OPTION_TEXT_LIST(struct lists, names), .letter = 'n' },
		{ OPTION_NUMBER_LIST(struct lists, numbers), .letter = 'p' },
		OPTION_END,
	};
	const struct cli_command command = { .name = "x", .options = table, .options_size = sizeof(lists) };
	char *words[] = { (char[]){ "-na,b" }, (char[]){ "-p3-4" }, NULL };
	int operand_count;

	(void)state;
	assert_int_equal(option_parse(&command, &lists, 2, words, &operand_count, NULL), OPTION_PARSED);
	assert_string_equal(lists.names.items[1], "b");
	assert_int_equal(lists.numbers.items[1], 4);
	text_list_fini(&lists.names);
	number_list_fini(&lists.numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_split_at_commas),
		cmocka_unit_test(an_empty_text_is_a_list_without_items),
		cmocka_unit_test(numbers_and_ranges_are_listed_one_by_one),
		cmocka_unit_test(lists_are_asked_whether_they_have_something),
		cmocka_unit_test(what_is_no_number_is_quoted),
		cmocka_unit_test(an_entry_of_a_table_fills_the_list_that_it_names),
	};

	return cmocka_run_group_tests_name("report/view/list_option", tests, NULL, NULL);
}
