#include "profile/sample_keys.h"

#include "support/cmocka.h"

static struct sample_keys *keys_of(enum sample_key one, enum sample_key other)
{
	struct sample_key_request request = { .time_quantum_ns = 1 };

	request.wanted[one] = request.wanted[other] = true;
	return sample_keys_create(&request);
}

static void equal_texts_are_one_set(void **state)
{
	struct sample_keys *keys = keys_of(SAMPLE_KEY_TIME, SAMPLE_KEY_MEM);
	const char *texts[SAMPLE_KEY_COUNT] = { [SAMPLE_KEY_TIME] = "1.5", [SAMPLE_KEY_MEM] = "L1 hit" };

	(void)state;
	assert_int_equal(sample_keys_add(keys, texts), 1);
	texts[SAMPLE_KEY_TIME] = "2.0";
	assert_int_equal(sample_keys_add(keys, texts), 2);
	texts[SAMPLE_KEY_TIME] = "1.5";
	assert_int_equal(sample_keys_add(keys, texts), 1);
	assert_int_equal(sample_keys_count(keys), 2);
	assert_string_equal(sample_keys_text(keys, 2, SAMPLE_KEY_TIME), "2.0");
	assert_string_equal(sample_keys_text(keys, 2, SAMPLE_KEY_MEM), "L1 hit");
	sample_keys_destroy(keys);
}

static void what_was_not_asked_for_makes_no_difference(void **state)
{
	struct sample_keys *keys = keys_of(SAMPLE_KEY_TIME, SAMPLE_KEY_TIME);
	const char *texts[SAMPLE_KEY_COUNT] = { [SAMPLE_KEY_TIME] = "1.5", [SAMPLE_KEY_SNOOP] = "Hit" };

	(void)state;
	assert_int_equal(sample_keys_add(keys, texts), 1);
	texts[SAMPLE_KEY_SNOOP] = "Miss";
	assert_int_equal(sample_keys_add(keys, texts), 1);
	assert_string_equal(sample_keys_text(keys, 1, SAMPLE_KEY_SNOOP), "");
	assert_string_equal(sample_keys_text(keys, 0, SAMPLE_KEY_TIME), "");
	sample_keys_destroy(keys);
}

static void sets_that_become_equal_are_one_group(void **state)
{
	struct sample_keys *keys = keys_of(SAMPLE_KEY_TRACE, SAMPLE_KEY_TIME);
	const char *texts[SAMPLE_KEY_COUNT] = { [SAMPLE_KEY_TRACE] = "01" };

	(void)state;
	(void)sample_keys_add(keys, texts);
	texts[SAMPLE_KEY_TRACE] = "02";
	(void)sample_keys_add(keys, texts);
	texts[SAMPLE_KEY_TRACE] = "03";
	(void)sample_keys_add(keys, texts);
	sample_keys_set(keys, 1, SAMPLE_KEY_TRACE, "pid=7");
	sample_keys_set(keys, 2, SAMPLE_KEY_TRACE, "pid=8");
	sample_keys_set(keys, 3, SAMPLE_KEY_TRACE, "pid=7");
	sample_keys_finish(keys);
	assert_int_equal(sample_keys_group(keys, 0), 0);
	assert_int_equal(sample_keys_group(keys, 1), 1);
	assert_int_equal(sample_keys_group(keys, 2), 2);
	assert_int_equal(sample_keys_group(keys, 3), 1);
	sample_keys_clear(keys);
	assert_int_equal(sample_keys_count(keys), 0);
	sample_keys_destroy(keys);
}

static void marks_of_branches_do_not_make_groups(void **state)
{
	struct sample_keys *keys = keys_of(SAMPLE_KEY_BRANCH_MARKS, SAMPLE_KEY_TIME);
	const char *texts[SAMPLE_KEY_COUNT] = {
		[SAMPLE_KEY_TIME] = "1.5", [SAMPLE_KEY_BRANCH_MARKS] = "1,0,0,0,0 "
	};

	(void)state;
	assert_int_equal(sample_keys_add(keys, texts), 1);
	texts[SAMPLE_KEY_BRANCH_MARKS] = "0,0,0,0,0 ";
	assert_int_equal(sample_keys_add(keys, texts), 2);
	texts[SAMPLE_KEY_TIME] = "1.6";
	assert_int_equal(sample_keys_add(keys, texts), 3);
	sample_keys_finish(keys);
	assert_int_equal(sample_keys_group(keys, 2), 1);
	assert_int_equal(sample_keys_group(keys, 3), 3);
	assert_string_equal(sample_keys_text(keys, 2, SAMPLE_KEY_BRANCH_MARKS), "0,0,0,0,0 ");
	sample_keys_destroy(keys);
}

static void fields_are_called_what_their_events_call_them(void **state)
{
	struct sample_keys *keys = keys_of(SAMPLE_KEY_FIELD, SAMPLE_KEY_FIELD);

	(void)state;
	sample_keys_name_field(keys, 2, SAMPLE_KEY_FIELD, "prev_comm");
	assert_string_equal(sample_keys_field_name(keys, 2, SAMPLE_KEY_FIELD), "prev_comm");
	assert_null(sample_keys_field_name(keys, 1, SAMPLE_KEY_FIELD));
	assert_null(sample_keys_field_name(keys, 3, SAMPLE_KEY_FIELD));
	sample_keys_destroy(keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_are_one_set),
		cmocka_unit_test(what_was_not_asked_for_makes_no_difference),
		cmocka_unit_test(sets_that_become_equal_are_one_group),
		cmocka_unit_test(marks_of_branches_do_not_make_groups),
		cmocka_unit_test(fields_are_called_what_their_events_call_them),
	};

	return cmocka_run_group_tests_name("profile/sample_keys", tests, NULL, NULL);
}
