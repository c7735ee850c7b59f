#include "report/view/view.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/drawn_view.h"
#include "support/profile_builder.h"

/* The rows, from the line of titles on. */
static void assert_stacks_by(const struct profile_facts *facts, struct profile *profile, const char *expected)
{
	struct strbuf out = drawn_view(&view_stacks, profile, facts, NULL);

	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static void assert_stacks(struct profile *profile, const char *expected)
{
	assert_stacks_by(NULL, profile, expected);
}

/* Adds samples that end as `end` says, besides the one without weight with which builder_add() makes the stack. */
static void add(struct profile *p, const char *stack, enum stack_end end, uint64_t count)
{
	uint32_t event = builder_event(p, "cycles");
	uint32_t leaf = builder_add(p, event, "web 1/1", stack, 0, 0);

	profile_add(p, &(struct profile_sample){ .event = event,
						 .thread = 0,
						 .cpu = PROFILE_NONE,
						 .stack = leaf,
						 .end = end,
						 .count = count });
}

#define COLUMNS "#     Stacks    Share  Of all with  Shared Object, and why\n#\n"
#define CUT "#\n# Stacks that end too soon, by the file of their last frame\n" COLUMNS
#define UNCERTAIN "#\n# Stacks that continue, but less certainly, after a frame of\n" COLUMNS
#define WHY "                                    "

static void a_stack_that_breaks_off_belongs_to_its_outermost_file(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "web`_start;web`main;lib.so`f", STACK_END_ROOT, 6);
	add(p, "lib.so`g;lib.so`f", STACK_END_CHAIN, 3);
	add(p, "lib.so`h;web`callback", STACK_END_NO_CFI, 1);
	assert_stacks(
		p,
		"# Stacks: 10, 6 (60.00%) reach the start of their thread\n" CUT
		"           3   30.00%          10  /usr/lib/lib.so\n" WHY
		"the recorded chain ends in code without frame pointers: record with '-g', which needs none\n"
		"           1   10.00%          10  /usr/lib/lib.so\n" WHY
		"no unwind information: build with -fasynchronous-unwind-tables or -fno-omit-frame-pointer\n"
		"#\n# In 1 shared object nothing is wrong\n");
}

static void a_remedy_that_the_recording_had_is_not_proposed(void **state)
{
	struct profile *p = profile_create(), *copied = profile_create();

	(void)state;
	add(p, "lib.so`f", STACK_END_OUT_OF_REACH, 2);
	add(p, "lib.so`g", STACK_END_DUMP, 1);
	add(copied, "lib.so`f", STACK_END_OUT_OF_REACH, 2);
	add(copied, "lib.so`g", STACK_END_DUMP, 1);
	assert_stacks(p, "# Stacks: 3, 0 (0.00%) reach the start of their thread\n" CUT
			 "           2   66.67%           3  /usr/lib/lib.so\n" WHY
			 "continues where no stack dump reaches: record with '-g' as root\n"
			 "           1   33.33%           3  /usr/lib/lib.so\n" WHY
			 "deeper than the stack dump: record with '-g' as root, or '--call-graph "
			 "dwarf,65528'\n");
	assert_stacks_by(&(struct profile_facts){ .has_copied_stacks = true }, copied,
			 "# Stacks: 3, 0 (0.00%) reach the start of their thread\n" CUT
			 "           2   66.67%           3  /usr/lib/lib.so\n" WHY
			 "continues in memory that is not the thread's stack, or that could not be copied\n  "
			 "         1   33.33%           3  /usr/lib/lib.so\n" WHY
			 "deeper than a record holds, and not followed to its start while recording: a lower "
			 "'-F' gives more time\n");
}

static void code_made_at_run_time_is_not_to_be_rebuilt(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "//anon`f", STACK_END_NO_CFI, 1);
	assert_stacks(p, "# Stacks: 1, 0 (0.00%) reach the start of their thread\n" CUT
			 "           1  100.00%           1  /usr/lib///anon\n" WHY
			 "made at run time, without frame pointers or unwind information\n");
}

/* The stack that ends early has nothing but the code: another one of the thread tells its runtime. */
static void code_made_at_run_time_becomes_whole_as_its_runtime_says(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "luajit`_start;libluajit-5.1.so`lj_trace;//anon`f", STACK_END_ROOT, 3);
	add(p, "//anon`g", STACK_END_NO_CFI, 1);
	assert_stacks(p,
		      "# Stacks: 4, 3 (75.00%) reach the start of their thread\n" CUT
		      "           1   25.00%           4  /usr/lib///anon\n" WHY
		      "made at run time, without frame pointers or unwind information: run 'luajit -joff', "
		      "which compiles nothing\n"
		      "#\n# In 2 shared objects nothing is wrong\n");
}

/* Each of the stack's frames, root first, with how it was found. */
static void add_found(struct profile *p, const uint32_t *locations, const enum frame_origin *origins,
		      size_t frame_count, enum stack_end end, uint64_t count)
{
	uint32_t node = PROFILE_NONE;

	for (size_t i = 0; i < frame_count; i++)
		node = profile_stack(p, node, locations[i], origins[i]);
	profile_add(p, &(struct profile_sample){ .event = builder_event(p, "cycles"),
						 .thread = 0,
						 .cpu = PROFILE_NONE,
						 .stack = node,
						 .end = end,
						 .count = count });
}

/* The last frame found says which dump was too short, or which code has no unwind information. */
static void joined_and_guessed_stacks_are_counted_where_they_would_end(void **state)
{
	struct profile *p = profile_create();
	uint32_t event = builder_event(p, "cycles"), locations[3];

	(void)state;
	locations[0] = profile_stack_at(p, builder_add(p, event, "web 1/1", "web`_start", 0, 0))->location;
	locations[1] = profile_stack_at(p, builder_add(p, event, "web 1/1", "lib.so`f", 0, 0))->location;
	locations[2] = profile_stack_at(p, builder_add(p, event, "web 1/1", "jit.so`g", 0, 0))->location;
	add_found(p, locations, (const enum frame_origin[]){ FRAME_JOINED, FRAME_CFI, FRAME_SAMPLED }, 3,
		  STACK_END_JOINED, 2);
	add_found(p, locations, (const enum frame_origin[]){ FRAME_GUESSED, FRAME_GUESSED, FRAME_SAMPLED }, 3,
		  STACK_END_ROOT, 3);
	add_found(p, locations, (const enum frame_origin[]){ FRAME_CFI, FRAME_POINTER, FRAME_SAMPLED }, 3,
		  STACK_END_ROOT, 5);
	add_found(p, locations, (const enum frame_origin[]){ FRAME_CFI, FRAME_CODE, FRAME_SAMPLED }, 3,
		  STACK_END_ROOT, 4);
	assert_stacks(p, "# Stacks: 14, 9 (64.29%) reach the start of their thread\n"
			 "# 2 (14.29%) were joined to another stack of their thread\n"
			 "# 3 (21.43%) have guessed callers\n" UNCERTAIN
			 "           5   35.71%          14  /usr/lib/jit.so\n" WHY
			 "no unwind information; the frame pointer was followed\n"
			 "           3   21.43%          14  /usr/lib/jit.so\n" WHY
			 "no unwind information; callers are guessed from here on\n"
			 "           2   14.29%          14  /usr/lib/lib.so\n" WHY
			 "deeper than the stack dump, and joined to another stack of the thread\n"
			 "#\n# In 1 shared object nothing is wrong\n");
}

static void stacks_whose_middle_was_left_out_are_counted_and_whole(void **state)
{
	struct profile *p = profile_create();
	uint32_t event = builder_event(p, "cycles"), locations[3];

	(void)state;
	locations[0] = profile_stack_at(p, builder_add(p, event, "web 1/1", "web`_start", 0, 0))->location;
	locations[1] = profile_location(p, PROFILE_NONE, 0x0e11ded000018977, FRAME_USER);
	locations[2] = locations[0];
	add_found(p, locations,
		  (const enum frame_origin[]){ FRAME_KERNEL_CHAIN, FRAME_ELIDED, FRAME_SAMPLED }, 3,
		  STACK_END_ROOT, 3);
	assert_stacks(
		p,
		"# Stacks: 3, 3 (100.00%) reach the start of their thread\n"
		"# 3 (100.00%) are deeper than a record has room for: [... N frames] stands for frames in their "
		"middle\n"
		"#\n# In 1 shared object nothing is wrong\n");
}

static void stacks_that_were_read_on_in_the_process_are_counted_and_whole(void **state)
{
	struct profile *p = profile_create();
	uint32_t event = builder_event(p, "cycles"), locations[3];
	struct strbuf out;

	(void)state;
	locations[0] = profile_stack_at(p, builder_add(p, event, "web 1/1", "web`_start", 0, 0))->location;
	locations[1] = locations[2] = locations[0];
	add_found(p, locations,
		  (const enum frame_origin[]){ FRAME_CONTINUED, FRAME_CONTINUED, FRAME_SAMPLED }, 3,
		  STACK_END_ROOT, 3);
	add_found(p, locations, (const enum frame_origin[]){ FRAME_CFI, FRAME_CFI, FRAME_SAMPLED }, 3,
		  STACK_END_ROOT, 1);
	out = drawn_view(&view_stacks, p, NULL, NULL);
	assert_non_null(strstr(out.bytes,
			       "# Stacks: 4, 4 (100.00%) reach the start of their thread\n"
			       "# 3 (75.00%) of them are deeper than their dump, and the rest was read from "
			       "the process\n"));
	strbuf_fini(&out);
}

static void samples_without_a_stack_are_no_broken_stacks(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "web`main", STACK_END_NO_CHAIN, 4);
	assert_stacks(p, "# Stacks: 0, 0 (0.00%) reach the start of their thread; 4 samples have none\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_that_breaks_off_belongs_to_its_outermost_file),
		cmocka_unit_test(a_remedy_that_the_recording_had_is_not_proposed),
		cmocka_unit_test(a_remedy_that_the_recording_had_is_not_proposed),
		cmocka_unit_test(code_made_at_run_time_is_not_to_be_rebuilt),
		cmocka_unit_test(code_made_at_run_time_becomes_whole_as_its_runtime_says),
		cmocka_unit_test(joined_and_guessed_stacks_are_counted_where_they_would_end),
		cmocka_unit_test(stacks_whose_middle_was_left_out_are_counted_and_whole),
		cmocka_unit_test(stacks_that_were_read_on_in_the_process_are_counted_and_whole),
		cmocka_unit_test(samples_without_a_stack_are_no_broken_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
