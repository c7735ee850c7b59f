#include "record/bpf/stack_copies.h"

#include <linux/bpf.h>

#include "support/built_copy_ring.h"
#include "support/cmocka.h"

static const char stack_bytes[] = "0123456789abcdef";
enum { STACK_BYTES = 16, ADDRESS = 0x7ff000 };

static uint64_t add(struct built_copy_ring *built, uint32_t flags, uint32_t tid, uint64_t time)
{
	return built_copy_ring_add_copy(built, flags, tid, time, ADDRESS, stack_bytes, STACK_BYTES);
}

/* Begins rounds that follow each other at once. */
static void begin_round(struct stack_copies *copies)
{
	static uint64_t now_ns;

	stack_copies_begin_round(copies, ++now_ns);
}

static bool finds(struct stack_copies *copies, uint32_t tid, uint64_t time)
{
	struct stack_copy copy;

	return stack_copies_find(copies, &(struct stack_copy_key){ .tid = tid, .time = time }, &copy);
}

static void a_sample_finds_the_copy_of_its_thread_and_time(void **state)
{
	struct built_copy_ring built;
	struct stack_copies *copies;
	struct stack_copy copy;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	add(&built, 0, 7, 100);
	add(&built, 0, 8, 100);
	begin_round(copies);
	assert_false(finds(copies, 7, 101));
	assert_false(finds(copies, 9, 100));
	assert_true(stack_copies_find(copies, &(struct stack_copy_key){ .tid = 8, .time = 100 }, &copy));
	assert_int_equal(copy.stack.address, ADDRESS);
	assert_int_equal(copy.stack.size, STACK_BYTES);
	assert_memory_equal(copy.stack_bytes, stack_bytes, STACK_BYTES);
	assert_int_equal(copy.outer.size, 0);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

static void the_kernel_gets_back_what_samples_have_used(void **state)
{
	struct built_copy_ring built;
	struct stack_copies *copies;
	uint64_t second;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	add(&built, 0, 7, 100);
	second = add(&built, 0, 7, 200);
	add(&built, 0, 7, 300);
	begin_round(copies);
	assert_true(finds(copies, 7, 100));
	assert_true(finds(copies, 7, 300)); /* the sample of 200 arrives in the next round */
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, second);
	begin_round(copies);
	assert_true(finds(copies, 7, 200));
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, built.producer);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

static void a_copy_that_is_being_made_is_found_when_it_is_finished(void **state)
{
	struct built_copy_ring built;
	struct stack_copies *copies;
	uint64_t busy;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	busy = add(&built, BPF_RINGBUF_BUSY_BIT, 7, 100);
	add(&built, 0, 8, 100);
	for (int round = 0; round < 3; round++) { /* however long it takes */
		begin_round(copies);
		assert_false(finds(copies, 7, 100));
		assert_int_equal(finds(copies, 8, 100), round == 0 || built.consumer == 0);
		stack_copies_end_round(copies);
		assert_int_equal(built.consumer, 0);
	}
	built_copy_ring_finish(&built, busy);
	begin_round(copies);
	assert_true(finds(copies, 7, 100));
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, built.producer);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

enum { LONG_NS = 100 * 1000 * 1000 };

static void a_copy_whose_sample_does_not_come_is_dropped_after_a_while(void **state)
{
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	add(&built, 0, 7, 100);
	stack_copies_begin_round(copies, 1);
	stack_copies_end_round(copies);
	stack_copies_begin_round(copies, LONG_NS);
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, 0);
	stack_copies_begin_round(copies, 1 + LONG_NS);
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, built.producer);
	assert_false(finds(copies, 7, 100));
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

/* A virtual machine may lose its CPU between the copy and its sample. */
static void a_sample_that_comes_rounds_after_its_copy_finds_it(void **state)
{
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	add(&built, 0, 7, 100);
	for (int round = 0; round < 20; round++) {
		begin_round(copies);
		stack_copies_end_round(copies);
	}
	begin_round(copies);
	assert_true(finds(copies, 7, 100));
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

static void a_ring_that_fills_up_waits_for_one_round_only(void **state)
{
	static const uint8_t large[BUILT_COPY_RING_BYTES / 2];
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	built_copy_ring_add_copy(&built, 0, 7, 100, ADDRESS, large, sizeof(large));
	begin_round(copies);
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, 0);
	begin_round(copies);
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, built.producer);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

static void what_is_discarded_or_no_copy_is_skipped(void **state)
{
	const struct stack_copy_record lying = { .time = 100, .tid = 9, .stack = { .size = 4096 } };
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	add(&built, BPF_RINGBUF_DISCARD_BIT, 7, 100);
	built_copy_ring_add(&built, 0, "short", 5);
	built_copy_ring_add(&built, 0, &lying, sizeof(lying)); /* claims a stack that it does not contain */
	add(&built, 0, 8, 100);
	begin_round(copies);
	assert_false(finds(copies, 7, 100));
	assert_false(finds(copies, 9, 100));
	assert_true(finds(copies, 8, 100));
	stack_copies_end_round(copies);
	assert_int_equal(built.consumer, built.producer);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

static void copies_go_around_the_end_of_the_ring(void **state)
{
	static const uint8_t large[5000] = { [0] = 1, [4999] = 2 };
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	for (uint64_t time = 1; time < 100; time++) {
		struct stack_copy copy;

		built_copy_ring_add_copy(&built, 0, 7, time, ADDRESS, large, sizeof(large));
		begin_round(copies);
		assert_true(
			stack_copies_find(copies, &(struct stack_copy_key){ .tid = 7, .time = time }, &copy));
		assert_memory_equal(copy.stack_bytes, large, sizeof(large));
		stack_copies_end_round(copies);
	}
	assert_true(built.consumer > 4 * BUILT_COPY_RING_BYTES);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

static void copies_in_the_ring_before_are_found_after_a_change(void **state)
{
	struct built_copy_ring small, large;
	struct stack_copies *copies;
	uint64_t second;

	(void)state;
	built_copy_ring_init(&small);
	built_copy_ring_init(&large);
	copies = stack_copies_create(&small.ring);
	add(&small, 0, 7, 100);
	second = add(&small, 0, 7, 200);
	stack_copies_change_ring(copies, &large.ring, 1);
	assert_true(stack_copies_use(copies, &small.ring));
	add(&large, 0, 7, 300);
	stack_copies_begin_round(copies, 2);
	assert_true(finds(copies, 7, 100));
	assert_true(finds(copies, 7, 300)); /* the sample of 200 arrives in the next round */
	stack_copies_end_round(copies);
	assert_int_equal(small.consumer, second);
	assert_int_equal(large.consumer, 0);
	stack_copies_begin_round(copies, 3);
	assert_true(finds(copies, 7, 200));
	stack_copies_end_round(copies);
	assert_int_equal(small.consumer, small.producer);
	assert_int_equal(large.consumer, large.producer);
	assert_false(stack_copies_use(copies, &small.ring));
	assert_true(stack_copies_use(copies, &large.ring));
	stack_copies_destroy(copies);
	built_copy_ring_fini(&small);
	built_copy_ring_fini(&large);
}

static void the_usual_size_is_that_of_the_records_that_wait(void **state)
{
	static const uint8_t large[5000];
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	assert_int_equal(stack_copies_look(copies, 1), 0);
	built_copy_ring_add_copy(&built, 0, 7, 100, ADDRESS, large, sizeof(large));
	add(&built, 0, 7, 200);
	assert_int_equal(stack_copies_look(copies, 2), built.producer / 2);
	stack_copies_begin_round(copies, 3);
	assert_true(finds(copies, 7, 100));
	assert_true(finds(copies, 7, 200));
	stack_copies_end_round(copies);
	assert_int_equal(stack_copies_look(copies, 4), 0);
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

/* Adds a copy that was started at `time` and took 5 us. */
static void add_by_clock(struct built_copy_ring *built, uint32_t tid, uint64_t time)
{
	struct stack_copy_record record = {
		.time = time, .end_time = time + 5000, .pid = tid, .tid = tid, .stack = { .address = ADDRESS }
	};

	built_copy_ring_add(built, 0, &record, sizeof(record));
}

static bool finds_by_clock(struct stack_copies *copies, uint32_t tid, uint64_t time, uint64_t sp)
{
	struct stack_copy copy;

	return stack_copies_find(copies, &(struct stack_copy_key){ .tid = tid, .time = time, .sp = sp },
				 &copy);
}

static void by_the_clock_a_sample_finds_the_copy_that_was_made_about_then(void **state)
{
	enum { SP = ADDRESS + STACK_COPY_RED_ZONE };
	struct built_copy_ring built;
	struct stack_copies *copies;

	(void)state;
	built_copy_ring_init(&built);
	copies = stack_copies_create(&built.ring);
	add_by_clock(&built, 7, 1000000);
	add_by_clock(&built, 7, 2000000);
	add_by_clock(&built, 7, 2080000);
	add_by_clock(&built, 8, 3000000);
	begin_round(copies);
	assert_false(finds_by_clock(copies, 7, 1000000 - 3700, SP + 16)); /* its stack pointer differs */
	assert_true(finds_by_clock(copies, 7, 1000000 - 3700, SP));
	assert_false(finds_by_clock(copies, 7, 1000000 - 3700, SP)); /* already taken */
	assert_false(finds_by_clock(copies, 7, 2040000, SP));        /* ambiguous: two copies are near */
	assert_false(finds_by_clock(copies, 7, 3000000, SP));
	assert_false(finds_by_clock(copies, 8, 3060000, SP)); /* too late */
	assert_true(finds_by_clock(copies, 8, 3005100, SP));  /* after the copy, as in Linux 6.2 */
	stack_copies_destroy(copies);
	built_copy_ring_fini(&built);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_the_clock_a_sample_finds_the_copy_that_was_made_about_then),
		cmocka_unit_test(a_sample_finds_the_copy_of_its_thread_and_time),
		cmocka_unit_test(the_kernel_gets_back_what_samples_have_used),
		cmocka_unit_test(a_copy_that_is_being_made_is_found_when_it_is_finished),
		cmocka_unit_test(a_copy_whose_sample_does_not_come_is_dropped_after_a_while),
		cmocka_unit_test(a_sample_that_comes_rounds_after_its_copy_finds_it),
		cmocka_unit_test(a_ring_that_fills_up_waits_for_one_round_only),
		cmocka_unit_test(what_is_discarded_or_no_copy_is_skipped),
		cmocka_unit_test(copies_go_around_the_end_of_the_ring),
		cmocka_unit_test(copies_in_the_ring_before_are_found_after_a_change),
		cmocka_unit_test(the_usual_size_is_that_of_the_records_that_wait),
	};

	return cmocka_run_group_tests_name("record/bpf/stack_copies", tests, NULL, NULL);
}
