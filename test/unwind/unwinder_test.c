#include "unwind/unwinder.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/own_callers.h"
#include "support/own_process.h"

#ifdef __SANITIZE_THREAD__
/* The handler that unwinds its own stack reads /proc, which is safe, as the interrupted code waits for it. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "report_signal_unsafe=0";
}
#endif

enum { MAX_FRAMES = 128, STACK_BYTES = 256 << 10 };

/* A function's own stack, as seen by the unwinder and by the C library. */
struct self_walk {
	struct own_process process;
	struct unwinder *unwinder;
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
	void *expected[MAX_FRAMES]; /* backtrace(): [0] is the walking function itself */
	int expected_count;
};

static void setup(struct self_walk *walk)
{
	own_process_init(&walk->process);
	walk->unwinder = unwinder_create();
	walk->stack = (struct unwind_stack){ .frames = walk->frames, .capacity = MAX_FRAMES };
}

static void teardown(struct self_walk *walk)
{
	unwinder_destroy(walk->unwinder);
	own_process_fini(&walk->process);
}

__attribute__((noinline)) static void walk_here(struct self_walk *walk)
{
	struct unwind_input input;
	ucontext_t context;

	walk->expected_count = own_callers(walk->expected, MAX_FRAMES);
	getcontext(&context);
	own_input_init(&input, &walk->process, &context, STACK_BYTES);
	unwinder_walk(walk->unwinder, &input, &walk->stack);
	own_input_fini(&input);
}

/* Sanitizers insert a function before backtrace(), so this compares stacks from their roots. */
static void assert_same_callers(const struct self_walk *walk)
{
	size_t more = (size_t)walk->expected_count - walk->stack.count;

	assert_string_equal(unwind_end_name(walk->stack.end), "root");
	assert_true(more <= 1);
	for (size_t i = 1; i < walk->stack.count; i++)
		assert_int_equal(walk->stack.frames[i].address, (uintptr_t)walk->expected[i + more]);
}

static void own_stack_is_what_backtrace_says(void **state)
{
	struct self_walk walk;

	(void)state;
	setup(&walk);
	walk_here(&walk);
	assert_same_callers(&walk);
	assert_int_equal(walk.stack.frames[0].how, UNWIND_HOW_REGISTERS);
	assert_false(walk.stack.frames[0].is_return_address);
	assert_true(walk.stack.frames[1].is_return_address);
	teardown(&walk);
}

static struct self_walk *current; /* for callbacks without a context */

static int compare_once(const void *a, const void *b)
{
	if (current->stack.count == 0)
		walk_here(current);
	return *(const int *)a - *(const int *)b;
}

static void callers_are_found_through_the_c_library(void **state)
{
	struct self_walk walk;
	int numbers[] = { 3, 1, 2 };

	(void)state;
	setup(&walk);
	current = &walk;
	qsort(numbers, 3, sizeof(*numbers), compare_once);
	assert_same_callers(&walk);
	teardown(&walk);
}

/* When they realign the stack, gcc and clang reach the arguments through a register or memory. */
__attribute__((noinline)) static void realigned(struct self_walk *walk, volatile size_t size)
{
	_Alignas(128) char aligned[128];
	char *variable = __builtin_alloca(size);

	variable[0] = 1;
	((volatile char *)aligned)[0] = variable[0];
	walk_here(walk);
	((volatile char *)aligned)[1] = variable[0];
}

static void callers_are_found_below_a_realigned_stack(void **state)
{
	struct self_walk walk;

	(void)state;
	setup(&walk);
	realigned(&walk, 1000);
	assert_same_callers(&walk);
	teardown(&walk);
}

static void on_signal(int number)
{
	(void)number;
	walk_here(current);
	current->expected[0] = NULL; /* so that the call above is no tail call */
}

static void interrupted_function_is_found_above_its_handler(void **state)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	struct self_walk walk;
	size_t interrupted = 0;

	(void)state;
	setup(&walk);
	current = &walk;
	sigaction(SIGUSR1, &action, &before);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, NULL);
	assert_same_callers(&walk);
	for (size_t i = 0; i < walk.stack.count; i++)
		if (walk.stack.frames[i].how == UNWIND_HOW_SIGNAL)
			interrupted = i;
#ifdef __SANITIZE_THREAD__
	assert_int_equal(interrupted, 5); /* two functions of TSan call the handler */
#else
	assert_int_equal(interrupted, 3); /* walk_here, on_signal, the trampoline, raise */
#endif
	assert_false(walk.stack.frames[interrupted].is_return_address);
	assert_true(walk.stack.frames[interrupted + 1].is_return_address);
	teardown(&walk);
}

static void *thread(void *context)
{
	walk_here(context);
	return NULL;
}

static void stack_of_a_thread_ends_at_its_root(void **state)
{
	struct self_walk walk;
	pthread_t id;

	(void)state;
	setup(&walk);
	pthread_create(&id, NULL, thread, &walk);
	pthread_join(id, NULL);
	assert_same_callers(&walk);
	teardown(&walk);
}

enum { THREADS = 4, WALKS = 50 };

/* Each thread has its own unwinder; all share the modules. */
static void *walk_often(void *context)
{
	struct own_process *process = context;
	struct unwinder *unwinder = unwinder_create();
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack = { .frames = frames, .capacity = MAX_FRAMES };
	struct unwind_input input;
	ucontext_t context_here;
	uintptr_t roots = 0;

	getcontext(&context_here);
	own_input_init(&input, process, &context_here, STACK_BYTES);
	for (int i = 0; i < WALKS; i++) {
		unwinder_walk(unwinder, &input, &stack);
		roots += stack.end == UNWIND_END_ROOT;
	}
	own_input_fini(&input);
	unwinder_destroy(unwinder);
	return (void *)roots;
}

static struct self_walk *in_coroutine;
static ucontext_t outside, inside;

static void coroutine(void)
{
	walk_here(in_coroutine);
	swapcontext(&inside, &outside);
}

static void stack_of_a_coroutine_ends_behind_its_function(void **state)
{
	static char room[STACK_BYTES];
	struct self_walk walk;

	(void)state;
	setup(&walk);
	in_coroutine = &walk;
	getcontext(&inside);
	inside.uc_stack.ss_sp = room;
	inside.uc_stack.ss_size = sizeof(room);
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	swapcontext(&outside, &inside);
	assert_string_equal(unwind_end_name(walk.stack.end), "root");
	assert_int_equal(walk.stack.count, 3); /* walk_here, coroutine, and the code that ends it */
	assert_true(walk.frames[1].is_return_address);
	assert_false(walk.frames[2].is_return_address);
	teardown(&walk);
}

static void threads_share_modules(void **state)
{
	struct own_process process;
	pthread_t threads[THREADS];

	(void)state;
	own_process_init(&process);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, walk_often, &process);
	for (int i = 0; i < THREADS; i++) {
		void *roots;

		pthread_join(threads[i], &roots);
		assert_int_equal((uintptr_t)roots, WALKS);
	}
	own_process_fini(&process);
}

static void second_walk_asks_no_module(void **state)
{
	const struct unwinder_counts *counts;
	struct unwind_input input;
	struct self_walk walk;
	ucontext_t context;
	uint64_t misses;

	(void)state;
	setup(&walk);
	counts = unwinder_counts(walk.unwinder);
	getcontext(&context);
	own_input_init(&input, &walk.process, &context, STACK_BYTES);
	unwinder_walk(walk.unwinder, &input, &walk.stack);
	misses = counts->rule_misses;
	unwinder_walk(walk.unwinder, &input, &walk.stack);
	assert_string_equal(unwind_end_name(walk.stack.end), "root");
	assert_int_equal(counts->rule_misses, misses);
	assert_int_equal(misses, walk.stack.count);
	assert_int_equal(counts->walks, 2);
	own_input_fini(&input);
	teardown(&walk);
}

static void short_dump_gives_a_prefix_and_says_so(void **state)
{
	struct unwind_frame whole[MAX_FRAMES];
	struct unwind_input input;
	struct self_walk walk;
	ucontext_t context;
	size_t count;

	(void)state;
	setup(&walk);
	getcontext(&context);
	own_input_init(&input, &walk.process, &context, STACK_BYTES);
	unwinder_walk(walk.unwinder, &input, &walk.stack);
	memcpy(whole, walk.frames, sizeof(whole));
	count = walk.stack.count;
	input.stack.size = walk.stack.stack_bytes_used;
	unwinder_walk(walk.unwinder, &input, &walk.stack);
	assert_string_equal(unwind_end_name(walk.stack.end), "root");
	while (input.stack.size-- != 0) {
		unwinder_walk(walk.unwinder, &input, &walk.stack);
		assert_true(walk.stack.count <= count);
		for (size_t i = 0; i < walk.stack.count; i++)
			assert_int_equal(walk.frames[i].address, whole[i].address);
		assert_string_equal(unwind_end_name(walk.stack.end), "stack exhausted");
	}
	own_input_fini(&input);
	teardown(&walk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_stack_is_what_backtrace_says),
		cmocka_unit_test(callers_are_found_through_the_c_library),
		cmocka_unit_test(callers_are_found_below_a_realigned_stack),
		cmocka_unit_test(interrupted_function_is_found_above_its_handler),
		cmocka_unit_test(stack_of_a_thread_ends_at_its_root),
		cmocka_unit_test(stack_of_a_coroutine_ends_behind_its_function),
		cmocka_unit_test(threads_share_modules),
		cmocka_unit_test(second_walk_asks_no_module),
		cmocka_unit_test(short_dump_gives_a_prefix_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
