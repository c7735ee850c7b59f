#include "report/load/dump_unwinder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "base/xalloc.h"
#include "report/load/recorded_modules.h"
#include "support/cmocka.h"
#include "support/own_callers.h"
#include "support/own_process.h"
#include "support/state_record.h"

/*
 * A sample of this process: its mappings as in a recording, its registers, and a copy of its stack. backtrace() gives the
 * expected result.
 */

enum { PID = 7, MAX_CALLERS = 128, STACK_BYTES = 64 << 10, CUT_BYTES = 2 << 10, NOW_NS = 10 };

static struct fixture {
	struct process_table *processes;
	struct debug_file_search search;
	struct dso_modules *modules;
	struct perf_features features;
	struct dump_unwinder *unwinder;
	uint64_t stack_end;
} fixture;

static int set_up(void **state)
{
	fixture = (struct fixture){ .processes = process_table_create() };
	fixture.stack_end = state_map_own(fixture.processes, PID);
	fixture.modules = recorded_modules_create(&fixture.search);
	fixture.unwinder =
		dump_unwinder_create(&(struct dump_unwinder_source){ .processes = fixture.processes,
								     .modules = fixture.modules,
								     .features = &fixture.features,
								     .options = { .join_stacks = true } },
				     NULL);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	dump_unwinder_destroy(fixture.unwinder);
	dso_modules_destroy(fixture.modules);
	process_table_destroy(fixture.processes);
	return 0;
}

#ifdef __x86_64__

/* By number in enum perf_event_x86_regs: ax to sp, ip; then r8 to r15. */
static const int greg_of[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
			       REG_RBP, REG_RSP, REG_RIP, REG_R8,  REG_R9,  REG_R10,
			       REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
enum { REGISTER_COUNT = sizeof(greg_of) / sizeof(*greg_of), REGISTER_MASK = 0xff01ff };

struct own_sample {
	struct sample sample;
	uint64_t registers[REGISTER_COUNT];
	void *callers[MAX_CALLERS]; /* [0] is this function */
	int caller_count;
};

static void copy_stack(struct own_sample *own, size_t most_bytes)
{
	size_t above = fixture.stack_end - own->registers[7], size = above < most_bytes ? above : most_bytes;
	void *copy = xmalloc(size);

	own_stack_copy(copy, own->registers[7], size);
	own->sample = (struct sample){ .pid = PID,
				       .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
				       .user_regs_mask = REGISTER_MASK,
				       .user_regs = (const uint8_t *)own->registers,
				       .user_stack = copy,
				       .user_stack_size = size };
}

__attribute__((noinline)) static void take_own_sample(struct own_sample *own, size_t most_bytes)
{
	ucontext_t context;

	own->caller_count = own_callers(own->callers, MAX_CALLERS);
	getcontext(&context);
	for (size_t i = 0; i < REGISTER_COUNT; i++)
		own->registers[i] = (uint64_t)context.uc_mcontext.gregs[greg_of[i]];
	copy_stack(own, most_bytes);
}

static const struct unwind_stack *walk(const struct sample *sample)
{
	struct process_state state = process_table_state(fixture.processes, sample->pid, NOW_NS);

	return dump_unwinder_walk(fixture.unwinder, sample, &state, NOW_NS, false);
}

static void the_whole_stack_is_what_backtrace_says(void **state)
{
	const struct unwind_stack *stack;
	struct own_sample own;

	(void)state;
	take_own_sample(&own, STACK_BYTES);
	stack = walk(&own.sample);
	assert_non_null(stack);
	assert_string_equal(unwind_end_name(stack->end), "root");
	assert_int_equal(stack->count, own.caller_count);
	assert_false(stack->frames[0].is_return_address);
	for (int i = 1; i < own.caller_count; i++)
		assert_int_equal(stack->frames[i].address, (uintptr_t)own.callers[i]);
	free((void *)(uintptr_t)own.sample.user_stack);
}

/* Also with a stack that is shorter than the one before, and with a shorter dump. */
static void hints_change_nothing(void **state)
{
	static const size_t sizes[] = { STACK_BYTES, STACK_BYTES, 16, STACK_BYTES };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct unwind_stack *stack;
		struct own_sample own;

		take_own_sample(&own, sizes[i]);
		dump_unwinder_prefetch_registers(&own.sample);
		dump_unwinder_prefetch_stack(fixture.unwinder, &own.sample);
		stack = walk(&own.sample);
		assert_non_null(stack);
		if (sizes[i] == STACK_BYTES)
			assert_int_equal(stack->count, own.caller_count);
		free((void *)(uintptr_t)own.sample.user_stack);
	}
}

static void a_short_dump_gives_a_part_and_says_so(void **state)
{
	const struct unwind_stack *stack;
	struct own_sample own;

	(void)state;
	take_own_sample(&own, 16);
	stack = walk(&own.sample);
	assert_non_null(stack);
	assert_string_equal(unwind_end_name(stack->end), "stack exhausted");
	assert_true(stack->count < (size_t)own.caller_count);
	free((void *)(uintptr_t)own.sample.user_stack);
}

/* The chain over the whole stack that the kernel would have followed from %rbp. */
static size_t own_chain(uint64_t *chain, size_t most, const struct own_sample *own)
{
	uint64_t fp = own->registers[6], frame[2];
	size_t count = 0;

	chain[count++] = (uint64_t)PERF_CONTEXT_USER;
	chain[count++] = own->registers[8];
	while (count < most && !(fp & 7) && fp >= own->registers[7] && fp < fixture.stack_end - 16) {
		own_stack_copy((uint8_t *)frame, fp, sizeof(frame));
		if (frame[0] <= fp)
			break;
		chain[count++] = frame[1];
		fp = frame[0];
	}
	return count;
}

__attribute__((noinline)) static int take_deep_sample(struct own_sample *own, int depth, size_t most_bytes)
{
	volatile int below = 0;

	if (depth)
		below = take_deep_sample(own, depth - 1, most_bytes);
	else
		take_own_sample(own, most_bytes);
	return below + 1;
}

/* As far as callers keep frame pointers, which depends on how this test was compiled. */
static void a_short_dump_is_continued_by_the_recorded_chain(void **state)
{
	struct process_state now = process_table_state(fixture.processes, PID, NOW_NS);
	const struct unwind_stack *stack;
	uint64_t chain[MAX_CALLERS];
	struct own_sample own;
	size_t in_dump;

	(void)state;
	take_deep_sample(&own, 30, CUT_BYTES);
	in_dump = walk(&own.sample)->count;
	own.sample.callchain = (const uint8_t *)chain;
	own.sample.callchain_count = own_chain(chain, MAX_CALLERS, &own);
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 2, NULL);
	assert_non_null(stack);
	if (own.sample.callchain_count > 30)
		assert_true(stack->count > 30);
	for (size_t i = 1; i < stack->count; i++) {
		assert_int_equal(stack->frames[i].address, (uintptr_t)own.callers[i]);
		assert_true(i < in_dump || stack->frames[i].how == UNWIND_HOW_KERNEL_CHAIN);
	}
	/* Only the dump, if that is requested. */
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_DWARF, 2, NULL);
	assert_int_equal(stack->count, in_dump);
	free((void *)(uintptr_t)own.sample.user_stack);
}

/* A chain as if all callers kept frame pointers. */
static size_t linked_chain(uint64_t *chain, const struct own_sample *own)
{
	size_t count = 0;

	chain[count++] = (uint64_t)PERF_CONTEXT_USER;
	chain[count++] = own->registers[8];
	for (int i = 1; i < own->caller_count; i++)
		chain[count++] = (uintptr_t)own->callers[i];
	return count;
}

/* Code about which only one thing is known, that it keeps frame pointers: Chromium's, or a run-time compiler's. */
static void a_chain_goes_on_where_the_frame_pointer_leads_beyond_the_dump(void **state)
{
	enum { JIT = 0x900000, SP = 0x7000 };
	const uint64_t words[] = { 0, 0, SP + 0x100, JIT + 0x20 };
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, JIT + 0x10, JIT + 0x20, JIT + 0x30 };
	struct own_sample own = { .registers = { [6] = SP + 16, [7] = SP, [8] = JIT + 0x10 } };
	struct process_state now;
	const struct unwind_stack *stack;

	(void)state;
	state_map(fixture.processes,
		  &(struct mmap_of){ .pid = PID, .start = 0x900000, .length = 0x1000, .path = "//anon" });
	now = process_table_state(fixture.processes, PID, NOW_NS);
	own.sample = (struct sample){ .pid = PID,
				      .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
				      .user_regs_mask = REGISTER_MASK,
				      .user_regs = (const uint8_t *)own.registers,
				      .user_stack = (const uint8_t *)words,
				      .user_stack_size = sizeof(words),
				      .callchain = (const uint8_t *)chain,
				      .callchain_count = 4 };
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_DWARF, 3, NULL);
	assert_non_null(stack);
	assert_int_equal(stack->count, 2);
	assert_int_equal(stack->end, UNWIND_END_STACK_EXHAUSTED);
	assert_null(dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 3, NULL));
}

/* A sample with a chain of frame pointers, of whose stack the kernel could not copy a byte. */
static void take_sample_without_dump(struct own_sample *own, int depth, uint64_t *chain)
{
	take_deep_sample(own, depth, CUT_BYTES);
	own->sample.user_stack_size = 0;
	own->sample.present = PERF_SAMPLE_STACK_USER;
	own->sample.callchain = (const uint8_t *)chain;
	own->sample.callchain_count = linked_chain(chain, own);
}

/* The registers are known, and unwind information tells which functions keep a frame pointer: the chain is right that far. */
static void a_chain_is_believed_without_a_dump_where_its_frames_are_linked(void **state)
{
	struct process_state now = process_table_state(fixture.processes, PID, NOW_NS);
	const struct unwind_stack *stack;
	uint64_t chain[MAX_CALLERS + 1], whole_count;
	struct own_sample own;

	(void)state;
	take_sample_without_dump(&own, 30, chain);
	whole_count = own.sample.callchain_count;
	own.sample.present = 0;
	assert_null(walk(&own.sample)); /* nothing tells that a dump was wanted */
	own.sample.present = PERF_SAMPLE_STACK_USER;
	own.sample.callchain_count = 20; /* up to here, every function keeps its frame pointer */
	assert_true(dump_unwinder_chain_is_exact(fixture.unwinder, &own.sample, &now, NOW_NS));
	own.sample.callchain_count = whole_count;
	/* The whole chain leads to the root, and is used as it is. */
	assert_null(dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 2, NULL));
	own.sample.callchain_count--;
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 2, NULL);
	assert_non_null(stack);
	assert_int_equal(stack->frames[0].address, own.registers[8]);
	assert_true(stack->count > 30); /* tests are built with frame pointers */
	for (size_t i = 1; i < stack->count; i++)
		assert_int_equal(stack->frames[i].address, (uintptr_t)own.callers[i]);
	assert_null(dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_FP, 2, NULL));
	assert_null(dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 0, NULL));
	free((void *)(uintptr_t)own.sample.user_stack);
}

/* At the first instruction of a function, the return address is at %rsp, not above %rbp. */
static void a_chain_is_not_believed_without_a_dump_where_no_frame_is_linked(void **state)
{
	struct process_state now = process_table_state(fixture.processes, PID, NOW_NS);
	const struct unwind_stack *stack;
	uint64_t chain[MAX_CALLERS + 1];
	struct own_sample own;

	(void)state;
	take_sample_without_dump(&own, 3, chain);
	chain[1] = own.registers[8] = (uint64_t)(uintptr_t)take_own_sample;
	/* It leads to the root, but a caller may be missing. */
	assert_false(dump_unwinder_chain_is_exact(fixture.unwinder, &own.sample, &now, NOW_NS));
	own.sample.callchain_count--;
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 2, NULL);
	assert_non_null(stack);
	assert_int_equal(stack->count, 1);
	assert_int_equal(stack->end, UNWIND_END_STACK_EXHAUSTED);
	free((void *)(uintptr_t)own.sample.user_stack);
}

/* The same call several times; the last dump is too short. */
static void a_short_dump_is_joined_to_a_stack_that_was_complete(void **state)
{
	struct process_state now = process_table_state(fixture.processes, PID, NOW_NS);
	const struct unwind_stack *stack;
	struct own_sample own;

	(void)state;
	take_deep_sample(&own, 30, STACK_BYTES);
	for (int i = 0; i < 4; i++) {
		stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 0,
					     NULL);
		assert_int_equal(stack->end, UNWIND_END_ROOT);
	}
	own.sample.user_stack_size = CUT_BYTES;
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 0, NULL);
	assert_int_equal(stack->end, UNWIND_END_ROOT);
	assert_true(stack->frames[stack->count - 1].joined);
	assert_false(stack->frames[3].joined);
	assert_int_equal(stack->count, own.caller_count);
	for (size_t i = 1; i < stack->count; i++)
		assert_int_equal(stack->frames[i].address, (uintptr_t)own.callers[i]);
	own.sample.tid = 99; /* another thread */
	stack = dump_unwinder_choose(fixture.unwinder, &own.sample, &now, NOW_NS, UNWIND_AUTO, 0, NULL);
	assert_int_equal(stack->end, UNWIND_END_STACK_EXHAUSTED);
	free((void *)(uintptr_t)own.sample.user_stack);
}

static void a_process_of_which_nothing_is_known_is_not_unwound(void **state)
{
	const struct unwind_stack *stack;
	struct own_sample own;

	(void)state;
	take_own_sample(&own, STACK_BYTES);
	own.sample.pid = 8;
	stack = walk(&own.sample);
	assert_int_equal(stack->count, 1);
	assert_int_not_equal(stack->end, UNWIND_END_ROOT);
	free((void *)(uintptr_t)own.sample.user_stack);
}

static void another_machines_dump_is_left_alone(void **state)
{
	struct own_sample own;

	(void)state;
	fixture.features.arch = "s390x";
	take_own_sample(&own, STACK_BYTES);
	assert_null(walk(&own.sample));
	free((void *)(uintptr_t)own.sample.user_stack);
}

#endif

static void a_sample_without_a_dump_is_left_alone(void **state)
{
	const struct sample sample = { .pid = PID };
	struct process_state now = process_table_state(fixture.processes, PID, NOW_NS);

	(void)state;
	assert_null(dump_unwinder_walk(fixture.unwinder, &sample, &now, NOW_NS, false));
}

static void a_return_address_is_not_where_a_signal_hit_nor_its_trampoline(void **state)
{
	struct unwind_frame frames[] = {
		{ .address = 1, .how = UNWIND_HOW_REGISTERS },
		{ .address = 2, .how = UNWIND_HOW_CFI, .is_return_address = true },
		{ .address = 3, .how = UNWIND_HOW_CFI, .is_return_address = true }, /* the trampoline */
		{ .address = 4, .how = UNWIND_HOW_SIGNAL },
		{ .address = 5, .how = UNWIND_HOW_CFI, .is_return_address = true },
	};
	const struct unwind_stack stack = { .frames = frames, .count = 5 };
	const bool expected[] = { false, true, false, false, true };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(dump_unwinder_frame_returns(&stack, i), expected[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __x86_64__
		TEST(the_whole_stack_is_what_backtrace_says),
		TEST(hints_change_nothing),
		TEST(a_short_dump_gives_a_part_and_says_so),
		TEST(a_short_dump_is_continued_by_the_recorded_chain),
		TEST(a_chain_goes_on_where_the_frame_pointer_leads_beyond_the_dump),
		TEST(a_chain_is_believed_without_a_dump_where_its_frames_are_linked),
		TEST(a_chain_is_not_believed_without_a_dump_where_no_frame_is_linked),
		TEST(a_short_dump_is_joined_to_a_stack_that_was_complete),
		TEST(a_process_of_which_nothing_is_known_is_not_unwound),
		TEST(another_machines_dump_is_left_alone),
#endif
		TEST(a_sample_without_a_dump_is_left_alone),
		TEST(a_return_address_is_not_where_a_signal_hit_nor_its_trampoline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
