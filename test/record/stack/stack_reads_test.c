/* A piece of this very process's memory serves as stack. */

#include "record/stack/stack_reads.h"

#include <string.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { WORDS = 64 };

static uint64_t words[WORDS];
static struct stack_reads *reads;

static int set_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < WORDS; i++)
		words[i] = i;
	reads = stack_reads_create();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	stack_reads_destroy(reads);
	return 0;
}

static const uint64_t SIZE = sizeof(words);

static uint64_t address(size_t word)
{
	return (uintptr_t)&words[word];
}

/* Does a round with a sample that needs all words. */
static struct stack_bracket round_with_a_sample(void)
{
	struct stack_bracket bracket;

	stack_reads_begin_round(reads);
	assert_true(stack_reads_bracket(reads, (uint32_t)getpid(), (uint32_t)getpid(), address(0), SIZE,
					&bracket));
	stack_reads_need(reads, (uint32_t)getpid(), (uint32_t)getpid(), address(0), address(0) + SIZE);
	return bracket;
}

static uint64_t word_of(const struct stack_memory *memory, size_t word)
{
	uint64_t value = 0;

	assert_true(stack_memory_word(memory, address(word), &value));
	return value;
}

static void what_is_there_now_is_after_the_sample(void **state)
{
	struct stack_bracket bracket = round_with_a_sample();

	(void)state;
	assert_int_equal(word_of(&bracket.after, 63), 63);
	assert_int_equal(bracket.before.size, 0); /* the need was not known before */
}

static void what_was_there_when_the_round_in_front_began_is_before_the_sample(void **state)
{
	struct stack_bracket bracket;

	(void)state;
	round_with_a_sample();
	words[5] = 100;
	round_with_a_sample(); /* reads 100 at its beginning */
	words[5] = 200;
	bracket = round_with_a_sample(); /* reads 200 at its beginning, perhaps later than its samples */
	words[5] = 300;
	assert_int_equal(word_of(&bracket.before, 5), 100);
	assert_int_equal(word_of(&bracket.after, 5), 200);
}

static void what_was_read_after_one_sample_of_a_round_is_after_all_of_them(void **state)
{
	struct stack_bracket bracket;

	(void)state;
	bracket = round_with_a_sample();
	words[5] = 100;
	assert_true(stack_reads_bracket(reads, (uint32_t)getpid(), (uint32_t)getpid(), address(4), SIZE - 32,
					&bracket));
	assert_int_equal(word_of(&bracket.after, 5), 5); /* not read again */
}

static void words_are_as_old_as_they_have_not_changed(void **state)
{
	struct stack_bracket bracket;

	(void)state;
	for (int i = 0; i < 5; i++)
		bracket = round_with_a_sample();
	assert_int_equal(stack_bracket_age(&bracket, address(7)), 2); /* read 3 times, then once more */
	words[7]++;
	bracket = round_with_a_sample();
	assert_int_equal(stack_bracket_age(&bracket, address(7)), 3);
	bracket = round_with_a_sample(); /* its `before` is the first read that saw the change */
	assert_int_equal(stack_bracket_age(&bracket, address(7)), 0);
	assert_int_equal(stack_bracket_age(&bracket, address(8)), 4);
	assert_int_equal(stack_bracket_age(&bracket, address(WORDS)), 0); /* was not read */
}

static void a_word_that_the_read_before_did_not_reach_has_no_age(void **state)
{
	const uint32_t tid = (uint32_t)getpid();
	struct stack_bracket bracket;

	(void)state;
	for (int i = 0; i < 5; i++) {
		stack_reads_begin_round(reads);
		assert_true(stack_reads_bracket(reads, tid, tid, address(1), SIZE - 8, &bracket));
		stack_reads_need(reads, tid, tid, address(1), address(0) + SIZE);
	}
	stack_reads_need(reads, tid, tid, address(0), address(0) + SIZE); /* one more word below */
	stack_reads_begin_round(reads);
	stack_reads_begin_round(reads);
	assert_true(stack_reads_bracket(reads, tid, tid, address(0), SIZE, &bracket));
	assert_int_equal(stack_bracket_age(&bracket, address(0)), 0);
	assert_true(stack_bracket_age(&bracket, address(1)) > 0);
}

static void reads_go_on_while_samples_need_them(void **state)
{
	(void)state;
	assert_true(stack_reads_are_going_on(reads)); /* the first samples may need them */
	usleep(300000);
	stack_reads_begin_round(reads);
	assert_false(stack_reads_are_going_on(reads));
	round_with_a_sample();
	assert_true(stack_reads_are_going_on(reads));
}

static void a_thread_that_no_longer_needs_it_is_forgotten(void **state)
{
	struct stack_bracket bracket;

	(void)state;
	for (int i = 0; i < 4; i++)
		bracket = round_with_a_sample();
	assert_true(bracket.before.size > 0);
	usleep(300000);
	stack_reads_begin_round(reads);
	bracket = round_with_a_sample();
	assert_int_equal(bracket.before.size, 0);
}

static void a_process_that_has_ended_cannot_be_read(void **state)
{
	struct stack_bracket bracket;

	(void)state;
	stack_reads_begin_round(reads);
	assert_false(stack_reads_bracket(reads, INT32_MAX, INT32_MAX, address(0), SIZE, &bracket));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_there_now_is_after_the_sample),
		TEST(what_was_there_when_the_round_in_front_began_is_before_the_sample),
		TEST(what_was_read_after_one_sample_of_a_round_is_after_all_of_them),
		TEST(words_are_as_old_as_they_have_not_changed),
		TEST(a_word_that_the_read_before_did_not_reach_has_no_age),
		TEST(reads_go_on_while_samples_need_them),
		TEST(a_thread_that_no_longer_needs_it_is_forgotten),
		TEST(a_process_that_has_ended_cannot_be_read),
	};

	return cmocka_run_group_tests_name("record/stack/stack_reads", tests, NULL, NULL);
}
