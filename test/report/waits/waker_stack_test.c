#include "report/waits/waker_stack.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/elided_frames.h"
#include "support/cmocka.h"
#include "support/state_record.h"

enum { WAKER = 8, WOKEN_NS = 50, SAMPLED_NS = 100 };

static struct fixture {
	struct process_table *processes;
	struct raw_profile *profile;
	uint32_t sleeper;
} fixture;

static int set_up(void **state)
{
	fixture = (struct fixture){ .processes = process_table_create(), .profile = raw_profile_create() };
	state_map(fixture.processes,
		  &(struct mmap_of){
			  .pid = WAKER, .start = 0x400000, .length = 0x10000, .path = "/bin/waker" });
	fixture.sleeper =
		raw_profile_stack(fixture.profile, PROFILE_NONE,
				  raw_profile_location(fixture.profile, PROFILE_NONE, 0x1000, FRAME_USER),
				  FRAME_SAMPLED);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	raw_profile_destroy(f->profile);
	process_table_destroy(f->processes);
	return 0;
}

static struct off_cpu_wait wait_for(enum off_cpu_waker kind, const uint64_t *chain, size_t count)
{
	return (struct off_cpu_wait){ .state = OFF_CPU_SLEEPING,
				      .wakers[0].kind = kind,
				      .wakers[0].pid = WAKER,
				      .wakers[0].tid = WAKER,
				      .wakers[0].comm = "waker",
				      .begin_ns = WOKEN_NS - 10,
				      .blocked_ns = 10,
				      .wakers[0].chain = (const uint8_t *)chain,
				      .wakers[0].chain_count = count };
}

/* From the leaf to the sleeper: "TEXT", or an address with a mark of how it is looked up. */
static void assert_on_top(const struct fixture *f, uint32_t node, const char *expected)
{
	struct strbuf text;

	strbuf_init(&text);
	while (node != f->sleeper) {
		const struct profile_stack *stack = raw_profile_stack_at(f->profile, node);
		const struct raw_location *location = raw_profile_location_at(f->profile, stack->location);
		const char *label = raw_profile_label_text(f->profile, location);

		assert_true(frame_origin_is_waker((enum frame_origin)stack->origin));
		if (label)
			strbuf_addf(&text, "%s;", label);
		else
			strbuf_addf(&text, "%s%s%llx;", location->mode == FRAME_KERNEL ? "k" : "u",
				    stack->origin == FRAME_WAKER_CALLER ? "<" : "=",
				    (unsigned long long)location->address);
		node = stack->parent;
	}
	assert_string_equal(text.bytes, expected);
	strbuf_fini(&text);
}

static uint32_t add(const struct fixture *f, const struct off_cpu_wait *wait)
{
	return waker_stack_add(f->processes, f->profile, f->sleeper, wait, SAMPLED_NS);
}

static void the_waker_stands_upside_down_above_the_sleeper(void **state)
{
	static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL,
					  0xffffffff81000010,
					  (uint64_t)PERF_CONTEXT_USER,
					  0x400010,
					  0x400020,
					  (uint64_t)PERF_CONTEXT_USER,
					  0x400030 };
	const struct off_cpu_wait wait = wait_for(OFF_CPU_WAKER_THREAD, chain, 7);

	assert_on_top(*state, add(*state, &wait),
		      "waker;u<30;u<20;u=10;k=ffffffff81000010;--;"); /* addresses within the file */
}

static void of_an_interrupt_there_is_only_what_it_was(void **state)
{
	static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010 };
	const struct off_cpu_wait wait = wait_for(OFF_CPU_WAKER_TIMER, chain, 2);

	assert_on_top(*state, add(*state, &wait), "[timer];--;");
}

static void what_nothing_had_to_wake_stays_as_it_is(void **state)
{
	const struct fixture *f = *state;
	const struct off_cpu_wait wait = wait_for(OFF_CPU_WAKER_NONE, NULL, 0);

	assert_int_equal(add(f, &wait), f->sleeper);
}

static void frames_that_are_not_there_are_said(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x400010, elided_frames_entry(12), 0x400020 };
	struct off_cpu_wait wait = wait_for(OFF_CPU_WAKER_THREAD, chain, 4);

	wait.wakers[0].is_cut = true;
	assert_on_top(*state, add(*state, &wait), "waker;[callers unknown];u<20;u=e11ded000000012;u=10;--;");
}

static void the_wakers_of_the_waker_follow(void **state)
{
	static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x400010 };
	static const uint64_t further[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000020,
					    (uint64_t)PERF_CONTEXT_USER, 0x400020 };
	struct off_cpu_wait wait = wait_for(OFF_CPU_WAKER_THREAD, chain, 2);

	wait.wakers[1] = (struct off_cpu_waking){ .kind = OFF_CPU_WAKER_THREAD,
						  .is_cut = true,
						  .pid = WAKER,
						  .tid = WAKER + 1,
						  .comm = "parser",
						  .woken_ns = WOKEN_NS - 1,
						  .chain = (const uint8_t *)further,
						  .chain_count = 4 };
	wait.wakers[2] = (struct off_cpu_waking){ .kind = OFF_CPU_WAKER_SOFTIRQ, .woken_ns = WOKEN_NS - 2 };
	wait.further_count = 2;
	assert_on_top(*state, add(*state, &wait),
		      "[softirq];--;parser;[callers unknown];u=20;k=ffffffff81000020;--;waker;u=10;--;");
}

/* The waker has since replaced its program. */
static void the_waker_is_what_it_was_when_it_woke(void **state)
{
	static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x400010 };
	struct fixture *f = *state;
	const struct off_cpu_wait wait = wait_for(OFF_CPU_WAKER_THREAD, chain, 2);
	const struct mmap_of later = { .pid = WAKER,
				       .start = 0x400000,
				       .length = 0x10000,
				       .file_offset = 0x7000,
				       .path = "/bin/later" };
	struct state_record record = { .payload = { 0 } };

	assert_int_equal(process_table_apply(f->processes, state_mmap2(&record, &later), WOKEN_NS + 1, NULL),
			 0);
	state_record_fini(&record);
	assert_on_top(f, add(f, &wait), "waker;u=10;--;");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_waker_stands_upside_down_above_the_sleeper),
		TEST(of_an_interrupt_there_is_only_what_it_was),
		TEST(what_nothing_had_to_wake_stays_as_it_is),
		TEST(frames_that_are_not_there_are_said),
		TEST(the_wakers_of_the_waker_follow),
		TEST(the_waker_is_what_it_was_when_it_woke),
	};

	return cmocka_run_group_tests_name("report/waits/waker_stack", tests, NULL, NULL);
}
