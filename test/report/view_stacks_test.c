#include "report/view_stacks.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* The rows, from the line of titles on. */
static void assert_stacks(struct profile *profile, const char *expected)
{
	struct selection selection = { .event = PROFILE_NONE };
	struct frame_table frames;
	struct strbuf out;

	frame_table_init(&frames, profile);
	strbuf_init(&out);
	view_stacks.render(
		&(struct view_input){ .profile = profile, .frames = &frames, .selection = &selection }, NULL,
		&out);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	frame_table_fini(&frames);
	profile_destroy(profile);
}

/* Samples, beyond the one without weight that builder_add() makes the stack with, that end as `end` says. */
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

#define TITLES                                                                                                            \
	"#\n#    In samples   End there   Share     No FP   Unnamed      Dump     Depth    No CFI   Bad CFI    Bad RA   " \
	"Unknown  Unproved  Shared Object\n"

static void a_stack_that_breaks_off_belongs_to_its_outermost_file(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "web`_start;web`main;lib.so`f", STACK_END_ROOT, 6);
	add(p, "lib.so`g;lib.so`f", STACK_END_CHAIN, 3);
	add(p, "lib.so`h;web`callback", STACK_END_NO_CFI, 1);
	assert_stacks(
		p,
		"# Stacks: 10, 6 (60.00%) reach the start of their thread\n" TITLES
		"            10           4   40.0%         3         0         0         0         1         0         0"
		"         0         0  /usr/lib/lib.so\n"
		"             7           0    0.0%         0         0         0         0         0         0         0"
		"         0         0  /usr/lib/web\n");
}

static void samples_without_a_stack_are_no_broken_stacks(void **state)
{
	struct profile *p = profile_create();

	(void)state;
	add(p, "web`main", STACK_END_NO_CHAIN, 4);
	assert_stacks(p,
		      "# Stacks: 0, 0 (0.00%) reach the start of their thread; 4 samples have none\n" TITLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_that_breaks_off_belongs_to_its_outermost_file),
		cmocka_unit_test(samples_without_a_stack_are_no_broken_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
