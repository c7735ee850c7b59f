#include "format/callchain.h"

#include "support/cmocka.h"

#define WORDS(...) \
	((const uint64_t[]){ __VA_ARGS__ }), sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)

enum { KERNEL = PERF_RECORD_MISC_KERNEL, USER = PERF_RECORD_MISC_USER };

static struct sample sample_of(const uint64_t *words, size_t count)
{
	return (struct sample){ .callchain = (const uint8_t *)words, .callchain_count = count };
}

static void assert_frame(struct callchain *chain, uint64_t address, int cpumode, bool is_first)
{
	assert_int_equal(callchain_next(chain), 1);
	assert_int_equal(chain->address, address);
	assert_int_equal(chain->cpumode, cpumode);
	assert_int_equal(chain->is_first, is_first);
}

static void markers_say_the_mode_of_the_frames_behind_them(void **state)
{
	const struct sample sample =
		sample_of(WORDS((uint64_t)PERF_CONTEXT_KERNEL, 1, 2, (uint64_t)PERF_CONTEXT_USER, 3, 4,
				(uint64_t)PERF_CONTEXT_GUEST, 5, (uint64_t)PERF_CONTEXT_GUEST_USER, 6,
				(uint64_t)PERF_CONTEXT_HV, 7));
	struct callchain chain = callchain_of(&sample);

	(void)state;
	assert_frame(&chain, 1, KERNEL, true);
	assert_frame(&chain, 2, KERNEL, false);
	assert_frame(&chain, 3, USER, true);
	assert_frame(&chain, 4, USER, false);
	assert_frame(&chain, 5, PERF_RECORD_MISC_GUEST_KERNEL, true);
	assert_frame(&chain, 6, PERF_RECORD_MISC_GUEST_USER, true);
	assert_frame(&chain, 7, PERF_RECORD_MISC_HYPERVISOR, true);
	assert_int_equal(callchain_next(&chain), 0);
}

static void frames_without_a_marker_are_of_user_space(void **state)
{
	const struct sample sample = sample_of(WORDS(1, 2));
	struct callchain chain = callchain_of(&sample);
	uint64_t frames[2];

	(void)state;
	assert_frame(&chain, 1, USER, true);
	assert_frame(&chain, 2, USER, false);
	assert_false(chain.is_user);
	assert_int_equal(callchain_user_frames(&sample, frames, 2), 0);
}

static void a_second_marker_of_user_space_continues_the_stack(void **state)
{
	const struct sample sample = sample_of(WORDS((uint64_t)PERF_CONTEXT_USER, (uint64_t)PERF_CONTEXT_USER,
						     1, (uint64_t)PERF_CONTEXT_USER, 2));
	struct callchain chain = callchain_of(&sample);

	(void)state;
	assert_frame(&chain, 1, USER, true);
	assert_false(chain.is_continued);
	assert_frame(&chain, 2, USER, false);
	assert_true(chain.is_continued);
}

/* A letter per frame: continued, assumed, or neither. */
static const char *marks_of(const struct sample *sample)
{
	static char marks[8];
	struct callchain chain = callchain_of(sample);
	size_t count = 0;

	while (callchain_next(&chain) == 1)
		marks[count++] = chain.is_assumed ? 'a' : chain.is_continued ? 'c' : '.';
	marks[count] = '\0';
	return marks;
}

static void two_more_markers_of_user_space_are_for_the_next_frame_alone(void **state)
{
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	const struct sample one = sample_of(WORDS(user, 1, user, user, 2, 3));
	const struct sample in_a_row = sample_of(WORDS(user, 1, user, user, 2, user, user, 3, 4));
	const struct sample other_part =
		sample_of(WORDS(user, 1, user, user, (uint64_t)PERF_CONTEXT_KERNEL, 2, user, 3, 4));

	(void)state;
	assert_string_equal(marks_of(&one), ".a.");
	assert_string_equal(marks_of(&in_a_row), ".aa.");
	assert_string_equal(marks_of(&other_part), "....");
}

static void a_stack_may_be_continued_with_a_frame_that_is_assumed(void **state)
{
	const uint64_t user = (uint64_t)PERF_CONTEXT_USER;
	const struct sample first = sample_of(WORDS(user, 1, user, user, user, 2, 3));
	const struct sample later = sample_of(WORDS(user, 1, user, 2, user, user, 3, 4));

	(void)state;
	assert_string_equal(marks_of(&first), ".ac");
	assert_string_equal(marks_of(&later), ".cac");
}

static void a_cookie_is_no_frame(void **state)
{
	const struct sample sample =
		sample_of(WORDS((uint64_t)PERF_CONTEXT_KERNEL, 1, CALLCHAIN_USER_DEFERRED, 99,
				(uint64_t)PERF_CONTEXT_USER, 2));
	const struct sample cut = sample_of(WORDS(CALLCHAIN_USER_DEFERRED));
	struct callchain chain = callchain_of(&sample);

	(void)state;
	assert_frame(&chain, 1, KERNEL, true);
	assert_frame(&chain, 2, USER, true);
	assert_false(chain.is_continued);
	assert_int_equal(callchain_next(&chain), 0);
	chain = callchain_of(&cut);
	assert_int_equal(callchain_next(&chain), 0);
}

static void an_unknown_marker_is_reported_and_can_be_passed(void **state)
{
	const struct sample sample = sample_of(
		WORDS((uint64_t)PERF_CONTEXT_USER, 1, (uint64_t)-4000, 2, (uint64_t)PERF_CONTEXT_USER, 3));
	struct callchain chain = callchain_of(&sample);
	uint64_t frames[4];

	(void)state;
	assert_frame(&chain, 1, USER, true);
	assert_int_equal(callchain_next(&chain), -1);
	assert_frame(&chain, 2, -1, true);
	assert_false(chain.is_user);
	assert_int_equal(callchain_user_frames(&sample, frames, 4), 2);
	assert_int_equal(frames[0], 1);
	assert_int_equal(frames[1], 3);
}

static void no_more_frames_are_collected_than_there_is_room_for(void **state)
{
	const struct sample sample = sample_of(WORDS((uint64_t)PERF_CONTEXT_USER, 1, 2, 3));
	uint64_t frames[2];

	(void)state;
	assert_int_equal(callchain_user_frames(&sample, frames, 2), 2);
	assert_int_equal(frames[1], 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markers_say_the_mode_of_the_frames_behind_them),
		cmocka_unit_test(frames_without_a_marker_are_of_user_space),
		cmocka_unit_test(a_second_marker_of_user_space_continues_the_stack),
		cmocka_unit_test(two_more_markers_of_user_space_are_for_the_next_frame_alone),
		cmocka_unit_test(a_stack_may_be_continued_with_a_frame_that_is_assumed),
		cmocka_unit_test(a_cookie_is_no_frame),
		cmocka_unit_test(an_unknown_marker_is_reported_and_can_be_passed),
		cmocka_unit_test(no_more_frames_are_collected_than_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
