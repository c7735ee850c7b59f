#include "report/rows/frame_text.h"

#include "support/cmocka.h"
#include "support/profile_builder.h"

/* The text of the leaf's frame. */
static void assert_text(const char *stack, bool addresses, const char *expected)
{
	struct profile *p = profile_create();
	uint32_t leaf = builder_add(p, builder_event(p, "cycles"), "web 1/1", stack, 1, 1);
	struct frame_table frames;
	struct strbuf out;

	frame_table_init(&frames, p);
	strbuf_init(&out);
	frame_text_add(&out, p, &frames.frames[frame_table_of_stack(&frames, p, leaf)], addresses);
	assert_string_equal(out.bytes, expected);
	strbuf_fini(&out);
	frame_table_fini(&frames);
	profile_destroy(p);
}

static void a_frame_is_called_after_its_function(void **state)
{
	(void)state;
	assert_text("web`main", true, "main");
}

static void a_frame_without_a_function_is_called_after_its_dso(void **state)
{
	(void)state;
	assert_text("lib.so`0x2a0", false, "[lib.so]");
	assert_text("[k]`0x99", false, "[kernel.kallsyms]");
	assert_text("`0x1", false, "[unknown]");
}

static void brackets_of_a_frame_without_a_function_balance(void **state)
{
	(void)state;
	assert_text("[vdso]`0x1", false, "[vdso]");
	assert_text("[JIT] tid 7`0x1", false, "[[JIT] tid 7]");
	assert_text("[JIT] tid 7`0x1", true, "[[JIT] tid 7 <1>]");
}

static void addresses_keep_frames_without_functions_apart(void **state)
{
	(void)state;
	assert_text("lib.so`0x2a0", true, "[lib.so <2a0>]");
	assert_text("[k]`0x99", true, "[kernel.kallsyms <99>]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_called_after_its_function),
		cmocka_unit_test(a_frame_without_a_function_is_called_after_its_dso),
		cmocka_unit_test(brackets_of_a_frame_without_a_function_balance),
		cmocka_unit_test(addresses_keep_frames_without_functions_apart),
	};

	return cmocka_run_group_tests_name("report/rows/frame_text", tests, NULL, NULL);
}
