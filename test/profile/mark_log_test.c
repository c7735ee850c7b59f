#include "profile/mark_log.h"

#include "support/cmocka.h"

static void marks_come_back_with_their_texts(void **state)
{
	struct mark_log *log = mark_log_create(NULL);

	(void)state;
	mark_log_add(log, &(struct mark){ .kind = MARK_WAIT,
					  .begin_ns = 5,
					  .end_ns = 9,
					  .state = mark_log_text_number(log, "sleeping"),
					  .wait = mark_log_text_number(log, "futex") });
	mark_log_add(log, &(struct mark){ .kind = MARK_LOST, .count = 3 });
	assert_int_equal(mark_log_finish(log, NULL), 0);
	assert_int_equal(mark_log_count(log), 2);
	assert_int_equal(mark_log_at(log, 0)->end_ns, 9);
	assert_string_equal(mark_log_text(log, mark_log_at(log, 0)->state), "sleeping");
	assert_string_equal(mark_log_text(log, mark_log_at(log, 0)->wait), "futex");
	assert_string_equal(mark_log_text(log, mark_log_at(log, 0)->waker), "");
	assert_int_equal(mark_log_at(log, 1)->count, 3);
	mark_log_clear(log);
	assert_int_equal(mark_log_finish(log, NULL), 0);
	assert_int_equal(mark_log_count(log), 0);
	mark_log_destroy(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(marks_come_back_with_their_texts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
