#include "record/wait/kernel_functions.h"

#include "support/cmocka.h"

static const char kallsyms[] = "ffffffff81000c60 T asm_exc_page_fault\n"
			       "ffffffff81000df0 T asm_sysvec_apic_timer_interrupt\n"
			       "ffffffff81000e10 T other\n"
			       "ffffffff81001000 t do_wait.isra.0\n"
			       "ffffffff81001000 t an_alias\n"
			       "ffffffff81001100 T try_to_wake_up\n"
			       "ffffffff81001200 T handle_softirqs\n"
			       "ffffffff81001300 T hrtimer_interrupt\n"
			       "ffffffff81001400 T futex_do_wait\n"
			       "ffffffff81001500 T do_idle\n"
			       "ffffffff81001600 T io_schedule\n"
			       "ffffffff81001700 T vfs_write\n"
			       "ffffffffa0000000 t pipe_read_somewhere\t[module]\n";

static int open_functions(void **state)
{
	*state = kernel_functions_create(kallsyms);
	return 0;
}

static int close_functions(void **state)
{
	kernel_functions_destroy(*state);
	return 0;
}

static void the_innermost_known_function_says_for_what_a_thread_sleeps(void **state)
{
	const uint64_t futex[] = { 0xffffffff81001750, 0xffffffff81001410, 0xffffffff81001010 };

	assert_int_equal(kernel_functions_kind(*state, futex, 3, -1), OFF_CPU_KIND_FUTEX);
}

static void a_suffix_of_the_compiler_does_not_matter(void **state)
{
	const uint64_t child[] = { 0xffffffff81001010 };

	assert_int_equal(kernel_functions_kind(*state, child, 1, -1), OFF_CPU_KIND_CHILD);
}

static void a_page_fault_is_one_though_a_disk_is_waited_for(void **state)
{
	const uint64_t fault[] = { 0xffffffff81001610, 0xffffffff81001710, 0xffffffff81000c80 };

	assert_int_equal(kernel_functions_kind(*state, fault, 2, -1), OFF_CPU_KIND_DISK);
	assert_int_equal(kernel_functions_kind(*state, fault, 3, -1), OFF_CPU_KIND_PAGE_FAULT);
}

static void the_system_call_says_it_where_no_function_does(void **state)
{
	const uint64_t unknown[] = { 0xffffffff81001750, 1, 0 };

	assert_int_equal(kernel_functions_kind(*state, unknown, 3, 202), OFF_CPU_KIND_FUTEX);
	assert_int_equal(kernel_functions_kind(*state, unknown, 3, 1), OFF_CPU_KIND_OTHER);
	assert_int_equal(kernel_functions_kind(*state, unknown, 3, -1), OFF_CPU_KIND_UNKNOWN);
}

static void a_waker_without_an_interrupt_in_its_stack_is_a_thread(void **state)
{
	const uint64_t thread[] = { 0xffffffffc0001000, 0xffffffff81001110, 0xffffffff81001710 };

	assert_int_equal(kernel_functions_waker(*state, thread, 3), OFF_CPU_WAKER_THREAD);
	assert_int_equal(kernel_functions_waking_frames(*state, thread, 3), 2);
}

static void interrupts_are_told_by_what_they_do(void **state)
{
	const uint64_t timer[] = { 0xffffffff81001110, 0xffffffff81001310, 0xffffffff81000df5,
				   0xffffffff81001710 };
	const uint64_t interrupt[] = { 0xffffffff81001110, 0xffffffff81000df5, 0xffffffff81001510 };
	const uint64_t softirq[] = { 0xffffffff81001110, 0xffffffff81001210, 0xffffffff81000df5 };
	const uint64_t idle[] = { 0xffffffff81001110, 0xffffffff81001510 };

	assert_int_equal(kernel_functions_waker(*state, timer, 4), OFF_CPU_WAKER_TIMER);
	assert_int_equal(kernel_functions_waker(*state, interrupt, 3), OFF_CPU_WAKER_HARDIRQ);
	assert_int_equal(kernel_functions_waker(*state, softirq, 3), OFF_CPU_WAKER_SOFTIRQ);
	assert_int_equal(kernel_functions_waker(*state, idle, 2), OFF_CPU_WAKER_IDLE);
}

static void frames_of_what_was_interrupted_are_told_from_the_interrupts(void **state)
{
	const uint64_t interrupt[] = { 0xffffffff81001110, 0xffffffff81001310, 0xffffffff81000df5,
				       0xffffffff81001710, 0xffffffff81001610 };

	assert_int_equal(kernel_functions_interrupt_frames(*state, interrupt, 5), 3);
	assert_int_equal(kernel_functions_interrupt_frames(*state, interrupt, 2), 2);
}

static void a_function_ends_where_the_next_begins(void **state)
{
	const uint64_t last_of_softirq = 0xffffffff81001300, first_beyond = 0xffffffff81000e11;

	assert_int_equal(kernel_functions_waker(*state, &last_of_softirq, 1), OFF_CPU_WAKER_SOFTIRQ);
	assert_int_equal(kernel_functions_waker(*state, &first_beyond, 1), OFF_CPU_WAKER_THREAD);
}

static void hidden_addresses_are_no_functions(void **state)
{
	struct kernel_functions *hidden =
		kernel_functions_create("0000000000000000 T try_to_wake_up\n0000000000000000 T do_idle\n");
	const uint64_t frame = 0xffffffff81001110;

	(void)state;
	assert_int_equal(kernel_functions_waking_frames(hidden, &frame, 1), 0);
	assert_int_equal(kernel_functions_kind(hidden, &frame, 1, 7), OFF_CPU_KIND_POLL);
	kernel_functions_destroy(hidden);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_known_function_says_for_what_a_thread_sleeps),
		cmocka_unit_test(a_suffix_of_the_compiler_does_not_matter),
		cmocka_unit_test(a_page_fault_is_one_though_a_disk_is_waited_for),
		cmocka_unit_test(the_system_call_says_it_where_no_function_does),
		cmocka_unit_test(a_waker_without_an_interrupt_in_its_stack_is_a_thread),
		cmocka_unit_test(interrupts_are_told_by_what_they_do),
		cmocka_unit_test(frames_of_what_was_interrupted_are_told_from_the_interrupts),
		cmocka_unit_test(a_function_ends_where_the_next_begins),
		cmocka_unit_test(hidden_addresses_are_no_functions),
	};

	return cmocka_run_group_tests(tests, open_functions, close_functions);
}
