#include "report/load/stack_resolver.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/load/recorded_modules.h"
#include "support/cmocka.h"
#include "support/own_callers.h"
#include "support/resolved_stack.h"
#include "support/state_record.h"

#define USER_DEFERRED ((uint64_t)-640)
#define GUEST ((uint64_t)PERF_CONTEXT_GUEST_KERNEL)
#define KERNEL ((uint64_t)PERF_CONTEXT_KERNEL)
#define USER ((uint64_t)PERF_CONTEXT_USER)

static const struct perf_attr attr;

struct fixture {
	struct process_table *processes;
	struct raw_profile *profile;
	struct stack_resolver *resolver;
	char text[1024];
};

static struct fixture fixture;

static int setup(void **state)
{
	const struct mmap_of program = { .pid = 7, .start = 0x400000, .length = 0x10000, .path = "/bin/a" };
	const struct mmap_of kernel = { .start = 0xffffffff81000000,
					.length = 0x1000000,
					.path = "[kernel.kallsyms]_text",
					.kernel = true };

	fixture.processes = process_table_create();
	fixture.profile = raw_profile_create();
	fixture.resolver = stack_resolver_create(fixture.processes, fixture.profile,
						 &(struct stack_resolver_options){ .max_stack = 127 });
	state_map(fixture.processes, &program);
	state_map(fixture.processes, &kernel);
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stack_resolver_destroy(fixture.resolver);
	raw_profile_destroy(fixture.profile);
	process_table_destroy(fixture.processes);
	return 0;
}

/* Root first: "MODE:ADDRESS" for each frame, followed by '!' if its address came from registers. */
static const char *stack_text(uint32_t leaf)
{
	static const char modes[] = ".kHgu";
	uint32_t node = leaf;
	char frame[64];

	fixture.text[0] = '\0';
	for (; node != PROFILE_NONE; node = raw_profile_stack_at(fixture.profile, node)->parent) {
		const struct profile_stack *stack = raw_profile_stack_at(fixture.profile, node);
		const struct raw_location *location =
			raw_profile_location_at(fixture.profile, stack->location);
		size_t length = strlen(fixture.text), added;

		added = (size_t)snprintf(frame, sizeof(frame), "%c:%lx%s ", modes[location->mode],
					 (unsigned long)location->address,
					 stack->origin == FRAME_SAMPLED ? "!" : "");
		memmove(fixture.text + added, fixture.text, length + 1);
		memcpy(fixture.text, frame, added);
	}
	return fixture.text;
}

static struct stack_result resolve(uint16_t misc, uint64_t ip, const uint64_t *chain, size_t count)
{
	const struct sample sample = { .misc = misc,
				       .ip = ip,
				       .pid = 7,
				       .callchain = (const uint8_t *)chain,
				       .callchain_count = count };

	return resolved_stack(fixture.resolver, &sample, 0, &attr, 10);
}

#define RESOLVE(misc, ip, ...)                               \
	resolve(misc, ip, (const uint64_t[]){ __VA_ARGS__ }, \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void a_sample_without_a_chain_is_its_instruction_pointer(void **state)
{
	struct stack_result result = resolve(PERF_RECORD_MISC_USER, 0x400010, NULL, 0);

	(void)state;
	assert_string_equal(stack_text(result.node), ".:10! ");
	assert_int_equal(result.end, STACK_END_NO_CHAIN);
}

static void the_chains_first_entry_is_the_leaf_when_they_are_equal(void **state)
{
	struct stack_result result =
		RESOLVE(PERF_RECORD_MISC_USER, 0x400010, USER, 0x400010, 0x400020, 0x400030);

	(void)state;
	assert_string_equal(stack_text(result.node), ".:30 .:20 .:10! ");
	assert_int_equal(result.end, STACK_END_CHAIN);
}

static void the_chains_first_entry_is_one_more_caller_when_they_differ(void **state)
{
	struct stack_result result = RESOLVE(PERF_RECORD_MISC_USER, 0x400011, USER, 0x400010, 0x400020);

	(void)state;
	assert_string_equal(stack_text(result.node), ".:20 .:10! .:11! ");
}

static void markers_say_whose_addresses_follow(void **state)
{
	struct stack_result result =
		RESOLVE(PERF_RECORD_MISC_KERNEL, 0xffffffff81000010, KERNEL, 0xffffffff81000010,
			0xffffffff81000020, USER, 0x400010, 0x400020);

	(void)state;
	assert_string_equal(stack_text(result.node), ".:20 .:10! k:ffffffff81000020 k:ffffffff81000010! ");
}

static void a_chain_without_markers_is_user_space(void **state)
{
	struct stack_result result = RESOLVE(PERF_RECORD_MISC_USER, 0x400010, 0x400010, 0x400020);

	(void)state;
	assert_string_equal(stack_text(result.node), ".:20 .:10! ");
}

static void what_follows_a_deferred_marker_is_a_cookie(void **state)
{
	struct stack_result result = RESOLVE(PERF_RECORD_MISC_KERNEL, 0xffffffff81000010, KERNEL,
					     0xffffffff81000010, USER_DEFERRED, 0x400010);

	(void)state;
	assert_string_equal(stack_text(result.node), "k:ffffffff81000010! ");
}

static void what_follows_two_more_markers_of_user_space_was_assumed(void **state)
{
	struct stack_result result =
		RESOLVE(PERF_RECORD_MISC_USER, 0x400010, USER, 0x400010, USER, USER, 0x400020, 0x400030, USER,
			0x400040, USER, USER, 0x400050, 0x400060);
	static const enum frame_origin expected[] = { FRAME_SAMPLED,   FRAME_ASSUMED, FRAME_KERNEL_CHAIN,
						      FRAME_CONTINUED, FRAME_ASSUMED, FRAME_CONTINUED };
	uint32_t node = result.node;

	(void)state;
	assert_string_equal(stack_text(result.node), ".:60 .:50 .:40 .:30 .:20 .:10! ");
	for (size_t i = sizeof(expected) / sizeof(*expected); i-- > 0;) {
		assert_int_equal(raw_profile_stack_at(fixture.profile, node)->origin,
				 expected[sizeof(expected) / sizeof(*expected) - 1 - i]);
		node = raw_profile_stack_at(fixture.profile, node)->parent;
	}
}

static void what_follows_a_second_marker_of_user_space_was_read_on_in_the_process(void **state)
{
	struct stack_result result =
		RESOLVE(PERF_RECORD_MISC_USER, 0x400010, USER, 0x400010, 0x400020, USER, 0x400030, 0x400040);
	const struct profile_stack *node = raw_profile_stack_at(fixture.profile, result.node);
	static const enum frame_origin expected[] = { FRAME_SAMPLED, FRAME_KERNEL_CHAIN, FRAME_CONTINUED,
						      FRAME_CONTINUED };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(node->origin, expected[i]);
		assert_true((node->parent == PROFILE_NONE) == (i == 3));
		if (i < 3)
			node = raw_profile_stack_at(fixture.profile, node->parent);
	}
}

static void addresses_of_a_guest_are_nowhere_here(void **state)
{
	struct stack_result result =
		RESOLVE(PERF_RECORD_MISC_GUEST_KERNEL, 0xffffffff81000010, GUEST, 0xffffffff81000010);

	(void)state;
	assert_string_equal(stack_text(result.node), "g:ffffffff81000010! ");
	assert_int_equal(raw_profile_location_at(fixture.profile, 0)->dso, PROFILE_NONE);
}

static void a_chain_with_an_unknown_marker_is_given_up(void **state)
{
	struct stack_result result =
		RESOLVE(PERF_RECORD_MISC_USER, 0x400010, USER, 0x400010, (uint64_t)-7, 0x400020);

	(void)state;
	assert_string_equal(stack_text(result.node), ".:10! ");
	assert_int_equal(result.end, STACK_END_UNKNOWN);
}

static void a_chain_of_the_kernels_limit_ends_by_depth(void **state)
{
	uint64_t chain[128] = { USER };
	size_t i;

	(void)state;
	for (i = 1; i < 128; i++)
		chain[i] = 0x400000 + i;
	assert_int_equal(resolve(PERF_RECORD_MISC_USER, 0x400001, chain, 128).end, STACK_END_DEPTH);
	assert_int_equal(resolve(PERF_RECORD_MISC_USER, 0x400001, chain, 127).end, STACK_END_CHAIN);
}

static void a_longer_chain_keeps_its_outermost_frames(void **state)
{
	uint64_t chain[131] = { USER };
	struct stack_result result;
	uint32_t depth;
	size_t i;

	(void)state;
	for (i = 1; i < 131; i++)
		chain[i] = 0x400000 + i;
	result = resolve(PERF_RECORD_MISC_USER, 0x400001, chain, 131);
	assert_int_equal(result.end, STACK_END_DEPTH);
	depth = raw_profile_stack_at(fixture.profile, result.node)->depth;
	assert_int_equal(depth, 127); /* the leaf, and 127 callers */
	assert_int_equal(raw_profile_location_at(fixture.profile, 0)->address, 130);
}

/*
 * The latest branch is from the kernel to 0x400014, the one before from 0x400024 to the kernel. The chain's first caller,
 * 0x400028, is the return address of a call at 0x400024.
 */
static struct sample sample_with_branches(void)
{
	static const uint64_t branches[] = {
		0xffffffff81000030, 0x400014, 0, 0x400024, 0xffffffff81000020, 0
	};
	static const uint64_t chain[] = { USER, 0x400028, 0x400040 };

	return (struct sample){ .misc = PERF_RECORD_MISC_USER,
				.ip = 0x400018,
				.pid = 7,
				.callchain = (const uint8_t *)chain,
				.callchain_count = 3,
				.branches = (const uint8_t *)branches,
				.branch_count = 2 };
}

static const char *text_with_branches(const struct sample *sample, bool branch_history,
				      uint64_t branch_sample_type)
{
	const struct perf_attr sampled = { .branch_sample_type = branch_sample_type };

	stack_resolver_destroy(fixture.resolver);
	fixture.resolver = stack_resolver_create(
		fixture.processes, fixture.profile,
		&(struct stack_resolver_options){ .max_stack = 127, .branch_history = branch_history });
	return stack_text(resolved_stack(fixture.resolver, sample, 0, &sampled, 10).node);
}

/* The call of the chain's first entry is at 0x400024, which is among the branches. */
static void branches_stand_between_the_leaf_and_its_callers(void **state)
{
	const struct sample sample = sample_with_branches();

	(void)state;
	assert_string_equal(text_with_branches(&sample, true, PERF_SAMPLE_BRANCH_ANY),
			    ".:40 .:24 k:ffffffff81000020 k:ffffffff81000030 .:14 .:18! ");
	assert_string_equal(text_with_branches(&sample, false, PERF_SAMPLE_BRANCH_ANY), ".:40 .:28! .:18! ");
}

static void the_calls_of_the_cpu_are_no_history(void **state)
{
	const struct sample sample = sample_with_branches();
	char *without = strdup(text_with_branches(&sample, false, PERF_SAMPLE_BRANCH_CALL_STACK));

	(void)state;
	assert_string_equal(text_with_branches(&sample, true, PERF_SAMPLE_BRANCH_CALL_STACK), without);
	free(without);
}

static void branches_of_other_samples_are_not_remembered(void **state)
{
	struct sample sample = sample_with_branches();
	const char *with = text_with_branches(&sample, true, PERF_SAMPLE_BRANCH_ANY);

	(void)state;
	assert_non_null(strstr(with, ".:14 "));
	sample.branch_count = 0;
	assert_string_equal(stack_text(resolved_stack(fixture.resolver, &sample, 0, &attr, 10).node),
			    ".:40 .:28! .:18! ");
}

static void a_stack_dump_that_is_not_unwound_is_no_complete_stack(void **state)
{
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010 };
	const struct sample sample = { .misc = PERF_RECORD_MISC_KERNEL,
				       .ip = 0xffffffff81000010,
				       .pid = 7,
				       .callchain = (const uint8_t *)chain,
				       .callchain_count = 2,
				       .user_regs_abi = 2,
				       .user_stack_size = 8192 };

	(void)state;
	assert_int_equal(resolved_stack(fixture.resolver, &sample, 0, &attr, 10).end, STACK_END_NO_CHAIN);
}

/* The CPU's call stack: 0x400100 called 0x4001f0, in which 0x400200 called 0x400300. */
static struct stack_result resolve_calls(uint16_t misc, uint64_t ip, const uint64_t *chain, size_t count)
{
	static const struct perf_attr calls = { .sample_type =
							PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK,
						.branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK };
	static const uint64_t branches[] = { 0x400200, 0x400300, 0, 0x400100, 0x4001f0, 0 };
	const struct sample sample = { .misc = misc,
				       .ip = ip,
				       .pid = 7,
				       .callchain = (const uint8_t *)chain,
				       .callchain_count = count,
				       .branches = (const uint8_t *)branches,
				       .branch_count = 2 };

	return resolved_stack(fixture.resolver, &sample, 0, &calls, 10);
}

static void calls_of_the_cpu_are_the_innermost_frames(void **state)
{
	const uint64_t whole[] = { USER, 0x400310, 0x400205, 0x400105, 0x400050 },
		       without_caller[] = { USER, 0x400310, 0x400105, 0x400050 },
		       elsewhere[] = { USER, 0x400310, 0x400700 };

	(void)state;
	assert_string_equal(stack_text(resolve_calls(PERF_RECORD_MISC_USER, 0x400310, whole, 5).node),
			    ".:50 .:100 .:200 .:310! ");
	assert_string_equal(
		stack_text(resolve_calls(PERF_RECORD_MISC_USER, 0x400310, without_caller, 4).node),
		".:50 .:100 .:200 .:310! ");
	assert_string_equal(stack_text(resolve_calls(PERF_RECORD_MISC_USER, 0x400310, elsewhere, 3).node),
			    ".:100 .:200 .:310! ");
}

static void calls_of_the_cpu_need_no_chain(void **state)
{
	const uint64_t kernel_only[] = { KERNEL, 0xffffffff81000010 };

	(void)state;
	assert_string_equal(stack_text(resolve_calls(PERF_RECORD_MISC_USER, 0x400310, NULL, 0).node),
			    ".:100 .:200 .:310! ");
	assert_string_equal(
		stack_text(resolve_calls(PERF_RECORD_MISC_KERNEL, 0xffffffff81000010, kernel_only, 2).node),
		".:100 .:200 .:300 k:ffffffff81000010! ");
}

/* xprof record writes no registers beside a chain that it has followed to the start of the thread. */
static void a_copied_stack_is_whole_where_the_recorder_left_only_its_chain(void **state)
{
	static const struct perf_attr copied = { .sample_type = PERF_SAMPLE_CALLCHAIN |
								PERF_SAMPLE_REGS_USER |
								PERF_SAMPLE_STACK_USER,
						 .sample_stack_user = 64072,
						 .sample_max_stack = UINT16_MAX };
	static const struct perf_attr dumped = { .sample_type = PERF_SAMPLE_CALLCHAIN |
								PERF_SAMPLE_REGS_USER |
								PERF_SAMPLE_STACK_USER,
						 .sample_stack_user = 64072 };
	const uint64_t chain[] = { USER, 0x400010, 0x400020 };
	const struct sample sample = { .misc = PERF_RECORD_MISC_USER,
				       .ip = 0x400010,
				       .pid = 7,
				       .callchain = (const uint8_t *)chain,
				       .callchain_count = 3 };

	(void)state;
	assert_int_equal(resolved_stack(fixture.resolver, &sample, 0, &copied, 10).end, STACK_END_ROOT);
	assert_int_equal(resolved_stack(fixture.resolver, &sample, 1, &dumped, 10).end, STACK_END_CHAIN);
}

/* Samples with registers and a dump of no bytes. */
static void a_stack_that_exec_has_removed_is_told_from_one_that_is_missing(void **state)
{
	static const struct perf_attr dumped = { .sample_type = PERF_SAMPLE_CALLCHAIN |
								PERF_SAMPLE_REGS_USER |
								PERF_SAMPLE_STACK_USER };
	const uint64_t chain[] = { KERNEL, 0xffffffff81000010, USER, 0x400010 };
	struct sample sample = { .misc = PERF_RECORD_MISC_KERNEL,
				 .ip = chain[1],
				 .pid = 7,
				 .callchain = (const uint8_t *)chain,
				 .callchain_count = 4,
				 .user_regs_abi = PERF_SAMPLE_REGS_ABI_64 };

	(void)state;
	assert_int_equal(resolved_stack(fixture.resolver, &sample, 0, &dumped, 10).end, STACK_END_REPLACED);
	sample.misc = PERF_RECORD_MISC_USER;
	sample.ip = chain[3];
	sample.callchain = (const uint8_t *)(chain + 2);
	sample.callchain_count = 2;
	assert_int_equal(resolved_stack(fixture.resolver, &sample, 0, &dumped, 10).end, STACK_END_NO_CHAIN);
}

static void equal_stacks_are_one_node(void **state)
{
	uint32_t first = RESOLVE(PERF_RECORD_MISC_USER, 0x400010, USER, 0x400010, 0x400020).node;
	uint32_t nodes = raw_profile_stack_count(fixture.profile);

	(void)state;
	assert_int_equal(RESOLVE(PERF_RECORD_MISC_USER, 0x400010, USER, 0x400010, 0x400020).node, first);
	assert_int_equal(raw_profile_stack_count(fixture.profile), nodes);
}

/* --- where no byte of the stack could be dumped -------------------------------------------- */

#ifdef __x86_64__

/* Addresses of return in the start-up code of the program and of the C library, where stacks begin. */
extern void _start(void);
#define START ((uint64_t)(uintptr_t)_start + 0x20)

enum { PID = 7, NOW_NS = 10, SP_AND_IP = 1 << 7 | 1 << 8 };

struct own_fixture {
	struct process_table *processes;
	struct raw_profile *profile;
	struct debug_file_search search;
	struct dso_modules *modules;
	struct perf_features features;
	struct dump_unwinder *unwinder;
	struct stack_resolver *resolver;
	uint64_t chain[8];
	uint64_t registers[2];
	struct sample sample;
};

static int set_up_own(void **state)
{
	static struct own_fixture own;

	own = (struct own_fixture){ .processes = process_table_create(), .profile = raw_profile_create() };
	state_map_own(own.processes, PID);
	own.modules = recorded_modules_create(&own.search);
	own.unwinder =
		dump_unwinder_create(&(struct dump_unwinder_source){ .processes = own.processes,
								     .modules = own.modules,
								     .features = &own.features,
								     .options = { .join_stacks = true } },
				     NULL);
	own.resolver = stack_resolver_create(own.processes, own.profile,
					     &(struct stack_resolver_options){ .max_stack = 127,
									       .max_frames = 127,
									       .unwinder = own.unwinder });
	*state = &own;
	return 0;
}

static int tear_down_own(void **state)
{
	struct own_fixture *own = *state;

	stack_resolver_destroy(own->resolver);
	dump_unwinder_destroy(own->unwinder);
	dso_modules_destroy(own->modules);
	raw_profile_destroy(own->profile);
	process_table_destroy(own->processes);
	return 0;
}

/* Return addresses in functions that keep a frame pointer, since tests are built that way. */
__attribute__((noinline)) static void find_callers(void **callers, int count)
{
	assert_true(own_callers(callers, count) >=
		    count - 1); /* with a sanitizer, backtrace() takes one entry */
}

__attribute__((noinline)) static void find_linked_callers(void **callers, int count)
{
	find_callers(callers, count);
	__asm__ volatile("");
}

/* A page fault on the stack's own page: registers and a chain of frame pointers from `pc` on, but not a byte of a dump. */
static struct stack_result resolve_without_dump(struct own_fixture *own, uint64_t pc, bool from_kernel)
{
	static const struct perf_attr dumping = { .sample_type =
							  PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER };
	uint64_t *chain = own->chain;
	void *callers[3];
	size_t count = 0;

	find_linked_callers(callers, 3);
	if (from_kernel) {
		chain[count++] = KERNEL;
		chain[count++] = 0xffffffff81000010;
	}
	chain[count++] = USER;
	chain[count++] = pc ? pc : (uint64_t)(uintptr_t)callers[0];
	chain[count++] = (uint64_t)(uintptr_t)callers[1];
	chain[count++] = START;
	own->registers[0] = (uint64_t)(uintptr_t)callers;
	own->registers[1] = pc ? pc : (uint64_t)(uintptr_t)callers[0];
	own->sample = (struct sample){ .misc = from_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
				       .ip = from_kernel ? chain[1] : own->registers[1],
				       .pid = PID,
				       .callchain = (const uint8_t *)chain,
				       .callchain_count = count,
				       .present = PERF_SAMPLE_STACK_USER,
				       .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
				       .user_regs_mask = SP_AND_IP,
				       .user_regs = (const uint8_t *)own->registers };
	return resolved_stack(own->resolver, &own->sample, 0, &dumping, NOW_NS);
}

/* The origin of the frame `number` callers above the leaf. */
static enum frame_origin origin_above(const struct own_fixture *own, uint32_t leaf, size_t number)
{
	uint32_t node = leaf;

	while (number-- > 0)
		node = raw_profile_stack_at(own->profile, node)->parent;
	return raw_profile_stack_at(own->profile, node)->origin;
}

static void without_a_dump_a_chain_of_linked_frames_from_the_root_on_is_whole(void **state)
{
	struct own_fixture *own = *state;
	const struct stack_result result = resolve_without_dump(own, 0, false);

	assert_int_equal(result.end, STACK_END_ROOT);
	assert_int_equal(origin_above(own, result.node, 1), FRAME_KERNEL_CHAIN);
}

/* At its first instruction a function has no frame of its own yet: its caller is not in the chain. */
static void without_a_dump_it_is_not_where_the_leafs_caller_may_be_missing(void **state)
{
	struct own_fixture *own = *state;
	const struct stack_result result =
		resolve_without_dump(own, (uint64_t)(uintptr_t)resolve_without_dump, false);

	assert_int_equal(result.end, STACK_END_CHAIN);
	assert_int_equal(origin_above(own, result.node, 0), FRAME_SAMPLED);
	assert_int_equal(origin_above(own, result.node, 1), FRAME_POINTER);
	assert_int_equal(origin_above(own, result.node, 2), FRAME_KERNEL_CHAIN);
}

/* The page fault itself is a sample in the kernel, whose frames precede the others. */
static void below_frames_of_the_kernel_the_same_caller_is_marked(void **state)
{
	struct own_fixture *own = *state;
	const struct stack_result result =
		resolve_without_dump(own, (uint64_t)(uintptr_t)resolve_without_dump, true);

	assert_int_equal(result.end, STACK_END_CHAIN);
	assert_int_equal(origin_above(own, result.node, 1), FRAME_SAMPLED);
	assert_int_equal(origin_above(own, result.node, 2), FRAME_POINTER);
	assert_int_equal(origin_above(own, result.node, 3), FRAME_KERNEL_CHAIN);
}

static void without_a_dump_and_a_caller_there_is_no_stack(void **state)
{
	struct own_fixture *own = *state;

	(void)resolve_without_dump(own, (uint64_t)(uintptr_t)resolve_without_dump, false);
	own->sample.callchain_count = 2;
	assert_int_equal(resolved_stack(own->resolver, &own->sample, 0, &attr, NOW_NS).end,
			 STACK_END_NO_CHAIN);
}

/* The same chain in a sample without a dump is what it says, and must not be confused with the other's. */
static void what_a_chain_is_without_its_dump_is_not_remembered(void **state)
{
	struct own_fixture *own = *state;
	const uint64_t pc = (uint64_t)(uintptr_t)resolve_without_dump;

	assert_int_equal(resolve_without_dump(own, pc, false).end, STACK_END_CHAIN);
	own->sample.present = 0;
	assert_int_equal(resolved_stack(own->resolver, &own->sample, 0, &attr, NOW_NS).end, STACK_END_ROOT);
	assert_int_equal(resolve_without_dump(own, pc, false).end, STACK_END_CHAIN);
}

#define TEST_OWN(name) cmocka_unit_test_setup_teardown(name, set_up_own, tear_down_own)

#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sample_without_a_chain_is_its_instruction_pointer),
		TEST(the_chains_first_entry_is_the_leaf_when_they_are_equal),
		TEST(the_chains_first_entry_is_one_more_caller_when_they_differ),
		TEST(markers_say_whose_addresses_follow),
		TEST(a_chain_without_markers_is_user_space),
		TEST(what_follows_a_deferred_marker_is_a_cookie),
		TEST(what_follows_two_more_markers_of_user_space_was_assumed),
		TEST(what_follows_a_second_marker_of_user_space_was_read_on_in_the_process),
		TEST(addresses_of_a_guest_are_nowhere_here),
		TEST(a_chain_with_an_unknown_marker_is_given_up),
		TEST(a_chain_of_the_kernels_limit_ends_by_depth),
		TEST(a_longer_chain_keeps_its_outermost_frames),
		TEST(calls_of_the_cpu_are_the_innermost_frames),
		TEST(calls_of_the_cpu_need_no_chain),
		TEST(branches_stand_between_the_leaf_and_its_callers),
		TEST(the_calls_of_the_cpu_are_no_history),
		TEST(branches_of_other_samples_are_not_remembered),
		TEST(a_stack_dump_that_is_not_unwound_is_no_complete_stack),
		TEST(a_copied_stack_is_whole_where_the_recorder_left_only_its_chain),
		TEST(a_stack_that_exec_has_removed_is_told_from_one_that_is_missing),
		TEST(equal_stacks_are_one_node),
#ifdef __x86_64__
		TEST_OWN(without_a_dump_a_chain_of_linked_frames_from_the_root_on_is_whole),
		TEST_OWN(without_a_dump_it_is_not_where_the_leafs_caller_may_be_missing),
		TEST_OWN(below_frames_of_the_kernel_the_same_caller_is_marked),
		TEST_OWN(without_a_dump_and_a_caller_there_is_no_stack),
		TEST_OWN(what_a_chain_is_without_its_dump_is_not_remembered),
#endif
	};

	return cmocka_run_group_tests_name("report/load/stack_resolver", tests, NULL, NULL);
}
