#include "unwind/code_exit.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/rule_text.h"

/* "r7+16 same": the CFA, and what the frame pointer is. */
static void assert_rule(const void *code, size_t size, const struct unwind_arch *arch, const char *expected)
{
	const struct code_bytes bytes = { .at = code, .after = size };
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule = rule_pool_rule(pool, code_exit_rule(&bytes, arch, pool));
	char cfa[RULE_TEXT_BYTES], fp[RULE_TEXT_BYTES], text[2 * RULE_TEXT_BYTES + 1] = "unknown";

	if (rule->path != PATH_NO_CFI) {
		assert_true(rule->by_code);
		assert_int_equal(rule->ra.value, -8);
		rule_text_cfa(cfa, &rule->cfa);
		rule_text_register(fp, arch, &rule->fp);
		snprintf(text, sizeof(text), "%s %s", cfa, fp);
	}
	assert_string_equal(text, expected);
	rule_pool_destroy(pool);
}

#define ASSERT_RULE(code, expected)                                                     \
	do {                                                                            \
		struct code_instruction instruction;                                    \
                                                                                        \
		if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction)) \
			skip(); /* the library that reads instructions was not there */ \
		assert_rule(code, sizeof(code) - 1, &unwind_arch_x86_64, expected);     \
	} while (0)

/* Behind the call in CPython's perf trampolines, of either kind. */
static void what_a_trampoline_does_after_its_call_tells_where_its_frame_ends(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3",            /* ret */
		    "r7+16 same");
	ASSERT_RULE("\x5d"  /* pop %rbp */
		    "\xc3", /* ret */
		    "r7+16 *(cfa-16)");
	ASSERT_RULE("\x48\x83\xc4\x18" /* add $24, %rsp */
		    "\x5b"             /* pop %rbx */
		    "\x5d"             /* pop %rbp */
		    "\xc3",            /* ret */
		    "r7+48 *(cfa-16)");
}

static void a_frame_that_is_left_by_its_frame_pointer_counts_from_it(void **state)
{
	(void)state;
	ASSERT_RULE("\xc9\xc3", "r6+16 *(cfa-16)");             /* leave; ret */
	ASSERT_RULE("\xff\xd0\xc9\xc3", "r6+16 *(cfa-16)");     /* call *%rax; leave; ret */
	ASSERT_RULE("\x48\x89\xec\x5d\xc3", "r6+16 *(cfa-16)"); /* mov %rbp, %rsp; pop %rbp; ret */
}

static void what_is_called_may_take_its_arguments_off_the_stack(void **state)
{
	(void)state;
	ASSERT_RULE("\xff\xd0"         /* call *%rax */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3",            /* ret */
		    "unknown");
}

static void jumps_are_followed_and_branches_are_not_taken(void **state)
{
	(void)state;
	ASSERT_RULE("\x74\x02"         /* je to the trap */
		    "\xeb\x01"         /* jmp over it */
		    "\xcc"             /* int3 */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3",            /* ret */
		    "r7+16 same");
	ASSERT_RULE("\xeb\xfe", "unknown");     /* jmp to itself */
	ASSERT_RULE("\xeb\x40", "unknown");     /* jmp beyond what is known */
	ASSERT_RULE("\xff\xe0", "unknown");     /* jmp *%rax */
	ASSERT_RULE("\xcc\xc3", "unknown");     /* int3 */
	ASSERT_RULE("\x90\x90", "unknown");     /* nop, and nothing behind it */
	ASSERT_RULE("\xc2\x08\x00", "unknown"); /* ret $8 */
}

static void a_stack_pointer_or_register_that_comes_from_elsewhere_is_not_known(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x89\xc4\xc3", "unknown"); /* mov %rax, %rsp; ret */
	ASSERT_RULE("\x48\x89\x04\x24"              /* mov %rax, (%rsp) */
		    "\x5d"                          /* pop %rbp */
		    "\xc3",                         /* ret */
		    "r7+16 undefined");
	ASSERT_RULE("\x31\xed\xc3", "r7+8 undefined"); /* xor %ebp, %ebp; ret */
	ASSERT_RULE("\x55\xc3", "unknown");            /* push %rbp; ret: jumps there */
}

static void machines_with_a_link_register_are_left_alone(void **state)
{
	(void)state;
	assert_rule("\xc0\x03\x5f\xd6", 4, &unwind_arch_aarch64, "unknown"); /* ret */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_trampoline_does_after_its_call_tells_where_its_frame_ends),
		cmocka_unit_test(a_frame_that_is_left_by_its_frame_pointer_counts_from_it),
		cmocka_unit_test(what_is_called_may_take_its_arguments_off_the_stack),
		cmocka_unit_test(jumps_are_followed_and_branches_are_not_taken),
		cmocka_unit_test(a_stack_pointer_or_register_that_comes_from_elsewhere_is_not_known),
		cmocka_unit_test(machines_with_a_link_register_are_left_alone),
	};

	return cmocka_run_group_tests_name("unwind/code_exit", tests, NULL, NULL);
}
