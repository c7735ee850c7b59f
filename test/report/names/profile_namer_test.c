#include "report/names/profile_namer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/load/stack_resolver.h"
#include "support/cmocka.h"
#include "support/resolved_stack.h"
#include "support/state_record.h"
#include "support/temp_tree.h"

/*
 * A call that never returns as the last instruction of its function: the return
 * address is the first byte of the next function.
 *
 *	ends_with_call:  call   never_returns
 *	comes_next:      ret
 */
#if defined(__x86_64__)
#define CALL "call"
#else
#define CALL "bl"
#endif
__asm__(".text\n"
	".type ends_with_call, %function\n"
	".globl ends_with_call\n"
	"ends_with_call:\n"
	"	" CALL " comes_next\n"
	".size ends_with_call, . - ends_with_call\n"
	".type comes_next, %function\n"
	".globl comes_next\n"
	"comes_next:\n"
	"	ret\n"
	".size comes_next, . - comes_next\n"
	".type start_thread, %function\n"
	"start_thread:\n"
	"	nop\n"
	".globl in_start_thread\n"
	"in_start_thread:\n"
	"	ret\n"
	".size start_thread, . - start_thread\n");
extern void ends_with_call(void);
extern void comes_next(void);
extern void in_start_thread(void);

struct fixture {
	struct process_table *processes;
	struct raw_profile *raw;
	struct profile *profile;
	struct symbolizer *symbolizer;
	struct stack_resolver *resolver;
};

static struct fixture fixture;

/* This test's own mapping that contains the address, from /proc/self/maps. */
static void own_mapping(uint64_t address, struct mmap_of *mmap, char path[static 512])
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[1024];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		uint64_t end;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %511s", &mmap->start, &end,
			   &mmap->file_offset, path) == 4 &&
		    mmap->start <= address && address < end) {
			mmap->length = end - mmap->start;
			mmap->path = path;
			break;
		}
	}
	fclose(maps);
	assert_non_null(mmap->path);
}

static int setup(void **state)
{
	const struct symbolizer_options options = { .demangle = true };
	struct mmap_of mmap = { .pid = 7 };
	char path[512];

	(void)state;
	fixture.processes = process_table_create();
	fixture.raw = raw_profile_create();
	fixture.profile = profile_create();
	fixture.symbolizer = symbolizer_create(&options);
	fixture.resolver = stack_resolver_create(fixture.processes, fixture.raw,
						 &(struct stack_resolver_options){ .max_stack = 127 });
	own_mapping((uint64_t)(uintptr_t)ends_with_call, &mmap, path);
	state_map(fixture.processes, &mmap);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	stack_resolver_destroy(fixture.resolver);
	symbolizer_destroy(fixture.symbolizer);
	profile_destroy(fixture.profile);
	raw_profile_destroy(fixture.raw);
	process_table_destroy(fixture.processes);
	return 0;
}

/* The node of that chain, leaf first, in the raw profile, and its end according to the resolver. */
static struct stack_result resolve_chain(const uint64_t *chain, size_t count)
{
	static const struct perf_attr attr;
	const struct sample sample = { .misc = 2 /* PERF_RECORD_MISC_USER */,
				       .ip = chain[0],
				       .pid = 7,
				       .callchain = (const uint8_t *)chain,
				       .callchain_count = count };

	raw_profile_event(fixture.raw, "0");
	return resolved_stack(fixture.resolver, &sample, 0, &attr, 10);
}

/* Adds a sample to the raw profile. Returns its number there. */
static uint32_t add_sample(uint32_t stack, uint8_t end, uint64_t weight)
{
	return raw_profile_add(fixture.raw,
			       &(struct profile_sample){
				       .thread = raw_profile_thread(fixture.raw, 7, 7,
								    raw_profile_string(fixture.raw, "test")),
				       .cpu = PROFILE_NONE,
				       .cgroup = raw_profile_string(fixture.raw, "/test.slice"),
				       .stack = stack,
				       .end = end,
				       .count = 1,
				       .weight = weight });
}

static void run_namer(struct final_numbers *numbers)
{
	profile_event(fixture.profile, "cycles", false, 0);
	profile_namer_run(fixture.raw, fixture.processes, fixture.symbolizer, NULL, 0, fixture.profile,
			  numbers);
}

/* Passes one sample with that chain, leaf first, through resolver and namer. Returns its leaf in the final profile. */
static uint32_t name_chain(const uint64_t *chain, size_t count)
{
	const struct stack_result stack = resolve_chain(chain, count);

	add_sample(stack.node, (uint8_t)stack.end, 1);
	run_namer(NULL);
	return profile_sample_at(fixture.profile, 0)->stack;
}

static const char *function_of(uint32_t node)
{
	const struct profile_stack *stack = profile_stack_at(fixture.profile, node);
	uint32_t function = profile_location_at(fixture.profile, stack->location)->function;

	if (function == PROFILE_NONE)
		return "nothing";
	return profile_text(fixture.profile, profile_function_at(fixture.profile, function)->name);
}

static void a_return_address_belongs_to_the_function_that_called(void **state)
{
	const uint64_t next = (uint64_t)(uintptr_t)comes_next;
	const uint64_t chain[] = { next, next };
	uint32_t leaf = name_chain(chain, 2);

	(void)state;
	/* The same address, as an instruction and as a return address. */
	assert_string_equal(function_of(leaf), "comes_next");
	assert_string_equal(function_of(profile_stack_at(fixture.profile, leaf)->parent), "ends_with_call");
}

static void where_user_code_was_left_is_no_return_address(void **state)
{
	const uint64_t next = (uint64_t)(uintptr_t)comes_next;
	const uint64_t chain[] = { (uint64_t)-128 /* PERF_CONTEXT_KERNEL */, 0xffffffff81000000,
				   (uint64_t)-512 /* PERF_CONTEXT_USER */, next };
	uint32_t leaf = name_chain(chain, 4), user = profile_stack_at(fixture.profile, leaf)->parent;

	(void)state;
	for (; profile_stack_at(fixture.profile, user)->parent != PROFILE_NONE;
	     user = profile_stack_at(fixture.profile, user)->parent)
		;
	assert_string_equal(function_of(user), "comes_next");
}

static uint8_t end_of_chain(const uint64_t *chain, size_t count)
{
	(void)name_chain(chain, count);
	return profile_sample_at(fixture.profile, 0)->end;
}

static void a_stack_that_begins_where_threads_do_is_complete(void **state)
{
	const uint64_t chain[] = { (uint64_t)(uintptr_t)comes_next, (uint64_t)(uintptr_t)in_start_thread };

	(void)state;
	assert_int_equal(end_of_chain(chain, 2), STACK_END_ROOT);
}

static void what_lies_nowhere_in_front_of_the_beginning_is_not_asked(void **state)
{
	const uint64_t chain[] = { (uint64_t)(uintptr_t)comes_next, (uint64_t)(uintptr_t)in_start_thread, 1,
				   0 };

	(void)state;
	assert_int_equal(end_of_chain(chain, 4), STACK_END_ROOT);
}

static void a_stack_that_begins_elsewhere_is_not_complete(void **state)
{
	const uint64_t chain[] = { (uint64_t)(uintptr_t)comes_next, (uint64_t)(uintptr_t)comes_next };

	(void)state;
	assert_int_equal(end_of_chain(chain, 2), STACK_END_CHAIN);
}

static void a_tree_that_stays_the_same_keeps_its_numbers(void **state)
{
	const uint64_t next = (uint64_t)(uintptr_t)comes_next, root = (uint64_t)(uintptr_t)in_start_thread;
	const uint64_t one[] = { next, next, root }, other[] = { root, next, root };
	const uint32_t nodes[] = { resolve_chain(one, 3).node, resolve_chain(other, 3).node };
	const uint32_t count = raw_profile_stack_count(fixture.raw);
	struct profile_stack before[8];
	struct final_numbers numbers;

	(void)state;
	assert_int_equal(count, 4);
	for (uint32_t i = 0; i < count; i++)
		before[i] = *raw_profile_stack_at(fixture.raw, i);
	add_sample(nodes[0], STACK_END_CHAIN, 3);
	add_sample(nodes[1], STACK_END_CHAIN, 4);
	run_namer(&numbers);
	assert_int_equal(profile_stack_count(fixture.profile), count);
	for (uint32_t i = 0; i < count; i++) {
		const struct profile_stack *node = profile_stack_at(fixture.profile, i);

		assert_int_equal(node->parent, before[i].parent);
		assert_int_equal(node->origin, before[i].origin);
		assert_int_equal(node->depth, before[i].depth);
	}
	assert_string_equal(function_of(nodes[0]), "comes_next");
	assert_string_equal(function_of(nodes[1]), "start_thread");
	assert_string_equal(function_of(profile_stack_at(fixture.profile, nodes[1])->parent),
			    "ends_with_call");
	assert_null(numbers.samples);
	assert_null(numbers.stacks);
	assert_int_equal(profile_sample_at(fixture.profile, 1)->stack, nodes[1]);
	assert_int_equal(profile_sample_at(fixture.profile, 1)->end, STACK_END_ROOT);
	assert_string_equal(profile_text(fixture.profile, profile_sample_at(fixture.profile, 1)->cgroup),
			    "/test.slice");
	assert_int_equal(profile_event_at(fixture.profile, 0)->samples, 2);
	assert_int_equal(profile_event_at(fixture.profile, 0)->weight, 7);
	assert_true(profile_event_at(fixture.profile, 0)->weight_squares == 25);
}

/* Without a function a return address stays as it is, and so equals the instruction's. */
static void one_nameless_location_used_both_ways_is_two_nodes(void **state)
{
	const uint64_t nowhere = 0x1000, chain[] = { nowhere, nowhere };
	const uint32_t leaf = name_chain(chain, 2), caller = profile_stack_at(fixture.profile, leaf)->parent;

	(void)state;
	assert_int_equal(profile_stack_count(fixture.profile), 2);
	assert_int_equal(profile_stack_at(fixture.profile, leaf)->location,
			 profile_stack_at(fixture.profile, caller)->location);
	assert_int_equal(profile_location_count(fixture.profile), 1);
	assert_int_equal(profile_location_at(fixture.profile, 0)->address, nowhere);
}

/* Maps this test's file far away once more, as a file of another inode. Returns by how much farther. */
static uint64_t map_again(void)
{
	struct mmap_of mmap = { .pid = 7, .inode = 4711 };
	const uint64_t distance = UINT64_C(1) << 46;
	char path[512];

	own_mapping((uint64_t)(uintptr_t)ends_with_call, &mmap, path);
	mmap.start ^= distance;
	state_map(fixture.processes, &mmap);
	return distance;
}

static void locations_of_two_files_of_one_name_become_one(void **state)
{
	const uint64_t next = (uint64_t)(uintptr_t)comes_next, root = (uint64_t)(uintptr_t)in_start_thread;
	const uint64_t distance = map_again();
	const uint64_t one[] = { next, next, root };
	const uint64_t other[] = { next ^ distance, next ^ distance, root ^ distance };
	const uint32_t nodes[] = { resolve_chain(one, 3).node, resolve_chain(other, 3).node };
	struct final_numbers numbers;
	uint32_t leaf;

	(void)state;
	assert_int_equal(raw_profile_stack_count(fixture.raw), 6);
	add_sample(nodes[0], STACK_END_CHAIN, 3);
	add_sample(nodes[1], STACK_END_CHAIN, 4);
	run_namer(&numbers);
	assert_int_equal(profile_stack_count(fixture.profile), 3);
	assert_int_equal(profile_dso_count(fixture.profile), 1);
	assert_int_equal(numbers.samples[0], 0);
	assert_int_equal(numbers.samples[1], 0);
	assert_int_equal(numbers.stacks[nodes[0]], numbers.stacks[nodes[1]]);
	free(numbers.samples);
	free(numbers.stacks);
	assert_int_equal(profile_sample_count(fixture.profile), 1);
	assert_int_equal(profile_sample_at(fixture.profile, 0)->count, 2);
	assert_int_equal(profile_sample_at(fixture.profile, 0)->weight, 7);
	assert_int_equal(profile_sample_at(fixture.profile, 0)->end, STACK_END_ROOT);
	assert_true(profile_event_at(fixture.profile, 0)->weight_squares == 25);
	leaf = profile_sample_at(fixture.profile, 0)->stack;
	assert_string_equal(function_of(leaf), "comes_next");
	assert_string_equal(function_of(profile_stack_at(fixture.profile, leaf)->parent), "ends_with_call");
}

static int setup_kernel(void **state)
{
	static struct temp_tree tree;
	const struct mmap_of mmap = { .pid = UINT32_MAX,
				      .start = 0xffffffff81000000,
				      .length = 0x1000,
				      .file_offset = 0xffffffff81000000,
				      .path = "[kernel.kallsyms]_text",
				      .kernel = true };
	char path[sizeof(tree.root) + 16];

	if (setup(state) != 0)
		return -1;
	temp_tree_create(&tree);
	temp_tree_file(&tree, "kallsyms",
		       "ffffffff81000000 T _text\n"
		       "ffffffff81002000 T start_kernel\n"
		       "ffffffff81002100 T x86_64_start_kernel\n");
	snprintf(path, sizeof(path), "%s/kallsyms", tree.root);
	symbolizer_destroy(fixture.symbolizer);
	fixture.symbolizer =
		symbolizer_create(&(struct symbolizer_options){ .kallsyms_path = path, .demangle = true });
	state_map(fixture.processes, &mmap);
	*state = &tree;
	return 0;
}

static int teardown_kernel(void **state)
{
	temp_tree_remove(*state);
	return teardown(state);
}

/* Linux frees .init.text, which lies after _etext, but the stack of CPU 0's idle task begins there. */
static void the_kernels_beginning_lies_behind_its_mapping(void **state)
{
	const uint64_t chain[] = { (uint64_t)-128 /* PERF_CONTEXT_KERNEL */, 0xffffffff81000010,
				   0xffffffff81002010, 0xffffffff91000000 };
	const uint32_t leaf = name_chain(chain, 4);
	const uint32_t text = profile_stack_at(fixture.profile, leaf)->parent;
	const uint32_t inner = profile_stack_at(fixture.profile, text)->parent;
	const uint32_t outer = profile_stack_at(fixture.profile, inner)->parent;
	const struct profile_location *location;

	(void)state;
	assert_string_equal(function_of(inner), "start_kernel");
	location = profile_location_at(fixture.profile, profile_stack_at(fixture.profile, inner)->location);
	assert_string_equal(profile_text(fixture.profile,
					 profile_dso_at(fixture.profile, location->dso)->name),
			    "[kernel.kallsyms]");
	location = profile_location_at(fixture.profile, profile_stack_at(fixture.profile, outer)->location);
	assert_int_equal(location->dso, PROFILE_NONE);
	assert_int_equal(location->address, 0xffffffff91000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_return_address_belongs_to_the_function_that_called),
		TEST(where_user_code_was_left_is_no_return_address),
		TEST(a_stack_that_begins_where_threads_do_is_complete),
		TEST(what_lies_nowhere_in_front_of_the_beginning_is_not_asked),
		TEST(a_stack_that_begins_elsewhere_is_not_complete),
		TEST(a_tree_that_stays_the_same_keeps_its_numbers),
		TEST(one_nameless_location_used_both_ways_is_two_nodes),
		TEST(locations_of_two_files_of_one_name_become_one),
		cmocka_unit_test_setup_teardown(the_kernels_beginning_lies_behind_its_mapping, setup_kernel,
						teardown_kernel),
	};

	return cmocka_run_group_tests_name("report/names/profile_namer", tests, NULL, NULL);
}
