#include "profile/branch_marks.h"

#include <string.h>

#include "support/cmocka.h"

static void marks_are_read_as_they_were_written(void **state)
{
	const struct branch_mark written[] = {
		{ .predicted = true, .crosses_4k = true, .kind = 31, .cycles = UINT16_MAX },
		{ .aborted = true,
		  .forward = true,
		  .crosses_2m = true,
		  .iterations = UINT32_MAX,
		  .iteration_cycles = UINT64_MAX },
		{ .kind = 0 },
	};
	struct branch_mark read[4];
	struct strbuf text;

	(void)state;
	strbuf_init(&text);
	for (size_t i = 0; i < 3; i++)
		branch_mark_add_text(&text, &written[i]);
	assert_int_equal(branch_marks_read(text.bytes, read, 4), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(read[i].predicted, written[i].predicted);
		assert_int_equal(read[i].aborted, written[i].aborted);
		assert_int_equal(read[i].forward, written[i].forward);
		assert_int_equal(read[i].crosses_4k, written[i].crosses_4k);
		assert_int_equal(read[i].crosses_2m, written[i].crosses_2m);
		assert_int_equal(read[i].kind, written[i].kind);
		assert_int_equal(read[i].cycles, written[i].cycles);
		assert_int_equal(read[i].iterations, written[i].iterations);
		assert_true(read[i].iteration_cycles == written[i].iteration_cycles);
	}
	strbuf_fini(&text);
}

static void no_more_are_read_than_there_is_room_for(void **state)
{
	struct branch_mark marks[2];

	(void)state;
	assert_int_equal(branch_marks_read("1,0,1,0,0 1,0,2,0,0 1,0,3,0,0 ", marks, 2), 2);
	assert_int_equal(marks[1].cycles, 2);
	assert_int_equal(branch_marks_read("", marks, 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_read_as_they_were_written),
		cmocka_unit_test(no_more_are_read_than_there_is_room_for),
	};

	return cmocka_run_group_tests_name("profile/branch_marks", tests, NULL, NULL);
}
