#include "report/view/view_folded.h"

#include "support/cmocka.h"
#include "support/drawn_view.h"
#include "support/profile_builder.h"

static void assert_folded(struct profile *profile, const struct folded_options *options, const char *expected)
{
	struct strbuf out = drawn_view(&view_folded, profile, NULL, options);

	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
}

static struct profile *with_stack(const char *stack)
{
	struct profile *p = profile_create();

	builder_add(p, builder_event(p, "cycles"), "web 1/1", stack, 2, 500);
	return p;
}

static void a_line_is_comm_root_leaf_weight(void **state)
{
	(void)state;
	assert_folded(with_stack("web`main;web`parse;[k]`sys_read"), &(struct folded_options){ 0 },
		      "web;main;parse;sys_read 500\n");
	assert_folded(with_stack("web`main"), &(struct folded_options){ .weight = STACK_WEIGHT_SAMPLES },
		      "web;main 2\n");
}

static void equal_lines_are_added_up_whatever_else_differs(void **state)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles");

	(void)state;
	builder_add(p, cycles, "web 1/1 0", "a`main;lib.so`0x10", 1, 1);
	builder_add(p, cycles, "web 1/1 1", "a`main;lib.so`0x20", 1, 2);
	builder_add(p, cycles, "web 2/2 1", "a`main;lib.so`0x20", 1, 4);
	builder_add(p, cycles, "web 2/2 1", "b`main;lib.so`0x20", 1, 8);
	assert_folded(p, &(struct folded_options){ 0 }, "web;main;[lib.so] 15\n");
}

/* As LC_ALL=C sort orders them without the weights: a stack that ends comes before those that go on. */
static void lines_are_in_byte_order_of_the_stacks(void **state)
{
	struct profile *p = profile_create();
	uint32_t cycles = builder_event(p, "cycles");

	(void)state;
	builder_add(p, cycles, "web 1/1", "a`f;a`z", 1, 1);
	builder_add(p, cycles, "web 1/1", "a`f-2;a`a", 1, 2);
	builder_add(p, cycles, "web 1/1", "a`f", 1, 3);
	builder_add(p, cycles, "db 1/1", "a`g", 1, 4);
	builder_add(p, cycles, "web 1/1", "a`f;a`b", 1, 5);
	assert_folded(p, &(struct folded_options){ 0 },
		      "db;g 4\n"
		      "web;f 3\n"
		      "web;f-2;a 2\n"
		      "web;f;b 5\n"
		      "web;f;z 1\n");
}

static void unknown_frames_are_named_after_their_dso(void **state)
{
	(void)state;
	assert_folded(with_stack("`0x1;lib.so`0x2a0;[k]`0x99"), &(struct folded_options){ 0 },
		      "web;[unknown];[lib.so];[kernel.kallsyms] 500\n");
	assert_folded(with_stack("`0x1;lib.so`0x2a0;[k]`0x99"), &(struct folded_options){ .addresses = true },
		      "web;[unknown <1>];[lib.so <2a0>];[kernel.kallsyms <99>] 500\n");
}

static void annotations_mark_kernel_and_jit_frames(void **state)
{
	struct profile *p = with_stack("node`main");
	uint32_t jit = profile_dso(p, "perf-7.map", "/tmp/perf-7.map", "");
	uint32_t location = profile_location(p, jit, 0x77, FRAME_USER);
	struct profile_sample sample = *profile_sample_at(p, 0);

	(void)state;
	profile_set_dso_jit(p, jit);
	profile_set_function(p, location, profile_function(p, jit, "js:loop", 0x70));
	sample.stack = profile_stack(p, sample.stack, location, FRAME_CFI);
	profile_add(p, &sample);
	builder_add(p, 0, "web 1/1", "node`main;[k]`sys_read", 1, 1);
	assert_folded(p, &(struct folded_options){ .annotate = true },
		      "web;main 500\n"
		      "web;main;js:loop_[j] 500\n"
		      "web;main;sys_read_[k] 1\n");
}

static void names_cannot_break_a_line_or_a_frame(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a", "/a", "");
	uint32_t location = profile_location(p, dso, 1, FRAME_USER);

	(void)state;
	profile_set_function(p, location, profile_function(p, dso, "Lfoo;bar\nbaz qux", 0));
	profile_event(p, "cycles", true, 1);
	profile_add(p, &(struct profile_sample){
			       .thread = profile_thread(p, 1, 1, profile_string(p, "my web; server\033[m")),
			       .stack = profile_stack(p, PROFILE_NONE, location, FRAME_SAMPLED),
			       .count = 1,
			       .weight = 1 });
	assert_folded(p, &(struct folded_options){ 0 }, "my_web:_server?[m;Lfoo:bar?baz qux 1\n");
}

static void a_sample_without_a_stack_is_its_command(void **state)
{
	(void)state;
	assert_folded(with_stack(""), &(struct folded_options){ 0 }, "web 500\n");
}

static void very_deep_stacks_are_written_whole(void **state)
{
	struct profile *p = profile_create();
	uint32_t dso = profile_dso(p, "a", "/a", ""), stack = PROFILE_NONE, i;
	uint32_t location = profile_location(p, dso, 1, FRAME_USER);
	struct strbuf out;

	(void)state;
	profile_set_function(p, location, profile_function(p, dso, "f", 0));
	profile_event(p, "cycles", true, 1);
	for (i = 0; i < 100000; i++)
		stack = profile_stack(p, stack, location, FRAME_CFI);
	profile_add(p, &(struct profile_sample){ .thread = profile_thread(p, 1, 1, profile_string(p, "c")),
						 .stack = stack,
						 .count = 1,
						 .weight = 7 });
	out = drawn_view(&view_folded, p, NULL, &(struct folded_options){ 0 });
	assert_int_equal(out.size, 1 + 2 * 100000 + 3);
	strbuf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_comm_root_leaf_weight),
		cmocka_unit_test(equal_lines_are_added_up_whatever_else_differs),
		cmocka_unit_test(lines_are_in_byte_order_of_the_stacks),
		cmocka_unit_test(unknown_frames_are_named_after_their_dso),
		cmocka_unit_test(annotations_mark_kernel_and_jit_frames),
		cmocka_unit_test(names_cannot_break_a_line_or_a_frame),
		cmocka_unit_test(a_sample_without_a_stack_is_its_command),
		cmocka_unit_test(very_deep_stacks_are_written_whole),
	};

	return cmocka_run_group_tests_name("report/view/view_folded", tests, NULL, NULL);
}
