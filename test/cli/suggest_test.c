#include "cli/suggest.h"

#include <string.h>

#include "support/cmocka.h"

static void every_edit_costs_one(void **state)
{
	(void)state;
	assert_int_equal(suggest_distance("freq", "freq"), 0);
	assert_int_equal(suggest_distance("frq", "freq"), 1);
	assert_int_equal(suggest_distance("freeq", "freq"), 1);
	assert_int_equal(suggest_distance("frek", "freq"), 1);
	assert_int_equal(suggest_distance("frqe", "freq"), 1);
	assert_int_equal(suggest_distance("", "freq"), 4);
	assert_int_equal(suggest_distance("recrod", "report"), 3);
}

static void a_beginning_is_compared_with_the_best_beginning(void **state)
{
	(void)state;
	assert_int_equal(suggest_prefix_distance("bild", "build-options"), 1);
	assert_int_equal(suggest_prefix_distance("build", "build-options"), 0);
	assert_int_equal(suggest_prefix_distance("xyz", ""), 3);
}

static void words_longer_than_the_table_are_cut(void **state)
{
	char one[200], other[200];

	(void)state;
	memset(one, 'a', sizeof(one));
	memset(other, 'a', sizeof(other));
	one[199] = other[150] = '\0';
	assert_int_equal(suggest_distance(one, other), 0);
}

static const char *nearest(const char *typed, struct suggestion *suggestion)
{
	static const char *const words[] = { "record", "report", "version", "build-options" };

	suggestion_init(suggestion, typed);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		suggestion_offer(suggestion, words[i]);
	return suggestion->nearest;
}

static void the_nearest_of_several_is_kept(void **state)
{
	struct suggestion suggestion;

	(void)state;
	assert_string_equal(nearest("recrod", &suggestion), "record");
	assert_string_equal(nearest("repotr", &suggestion), "report");
	assert_string_equal(nearest("rec", &suggestion), "record");
	assert_string_equal(nearest("bild", &suggestion), "build-options");
}

static void nothing_is_suggested_for_another_word(void **state)
{
	struct suggestion suggestion;

	(void)state;
	assert_string_equal(nearest("annotate", &suggestion), "");
	assert_string_equal(nearest("", &suggestion), "");
	assert_string_equal(nearest("x", &suggestion), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_edit_costs_one),
		cmocka_unit_test(a_beginning_is_compared_with_the_best_beginning),
		cmocka_unit_test(words_longer_than_the_table_are_cut),
		cmocka_unit_test(the_nearest_of_several_is_kept),
		cmocka_unit_test(nothing_is_suggested_for_another_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
