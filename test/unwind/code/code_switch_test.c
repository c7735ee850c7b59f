#include "unwind/code/code_switch.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/rule_text.h"

/* "CFA; return address; frame pointer" */
static void assert_rule(const char *code, size_t size, const char *expected)
{
	const struct code_bytes bytes = { .at = (const uint8_t *)code, .after = size };
	const struct unwind_arch *arch = &unwind_arch_x86_64;
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule = rule_pool_rule(pool, code_switch_rule(&bytes, arch, pool));
	char cfa[RULE_TEXT_BYTES], ra[RULE_TEXT_BYTES], fp[RULE_TEXT_BYTES],
		text[3 * RULE_TEXT_BYTES + 8] = "unknown";

	if (rule->path != PATH_NO_CFI) {
		assert_true(rule->by_code);
		rule_text_cfa(cfa, &rule->cfa);
		rule_text_register(ra, arch, &rule->ra);
		rule_text_register(fp, arch, &rule->fp);
		snprintf(text, sizeof(text), "%s; %s; %s", cfa, ra, fp);
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
		assert_rule(code, sizeof(code) - 1, expected);                          \
	} while (0)

/* The end of Boost's jump_fcontext, from where the stack pointer is the other stack's. */
#define LOAD_TARGET "\x4c\x8b\x44\x24\x38" /* mov 0x38(%rsp), %r8 */
#define JUMP_TO_FIBER                                     \
	"\x0f\xae\x14\x24"     /* ldmxcsr (%rsp) */       \
	"\xd9\x6c\x24\x04"     /* fldcw 4(%rsp) */        \
	"\x48\x8b\x6c\x24\x30" /* mov 0x30(%rsp), %rbp */ \
	"\x48\x8d\x64\x24\x40" /* lea 0x40(%rsp), %rsp */ \
	"\x48\x89\xf2"         /* mov %rsi, %rdx */       \
	"\x41\xff\xe0"         /* jmp *%r8 */

static void a_switch_of_fibers_leads_to_where_the_other_one_goes_on(void **state)
{
	(void)state;
	ASSERT_RULE(LOAD_TARGET JUMP_TO_FIBER, "r7+64; *(r7+56); *(r7+48)");
	ASSERT_RULE(JUMP_TO_FIBER, "r7+64; r8+0; *(r7+48)");
	ASSERT_RULE("\x48\x89\xfc" LOAD_TARGET JUMP_TO_FIBER, /* mov %rdi, %rsp */
		    "r5+64; *(r5+56); *(r5+48)");
	ASSERT_RULE("\x41\xff\xe0", "r7+0; r8+0; same");
}

/* mov %r8, %rsp; mov %r9, %rbp; jmp *%rdx: the end of glibc's __longjmp. */
static void longjmp_leads_to_the_caller_of_setjmp(void **state)
{
	(void)state;
	ASSERT_RULE("\x4c\x89\xc4\x4c\x89\xcd\xff\xe2", "r8+0; r1+0; r9+0");
	ASSERT_RULE("\x4c\x89\xcd\xff\xe2", "r7+0; r1+0; r9+0");
	ASSERT_RULE("\x4c\x89\xc4\x4c\x89\xcd\x3e\xff\xe2", "r8+0; r1+0; r9+0"); /* notrack jmp *%rdx */
}

static void what_a_store_may_have_changed_is_not_known(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x89\x10" LOAD_TARGET "\x41\xff\xe0", "unknown"); /* mov %rdx, (%rax) in front */
	ASSERT_RULE(LOAD_TARGET "\x48\x89\x10\x41\xff\xe0", "r7+0; *(r7+56); same");
}

static void other_ways_on_are_left_alone(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x83\xc4\x08\xc3", "unknown");     /* add $8, %rsp; ret */
	ASSERT_RULE("\x74\x02\x90\x90\xff\xe0", "unknown"); /* je over two nops; jmp *%rax */
	ASSERT_RULE("\xff\xd0\xff\xe2", "unknown");         /* call *%rax; jmp *%rdx */
	ASSERT_RULE("\xff\x20", "unknown");                 /* jmp *(%rax) */
	ASSERT_RULE("\x48\x31\xc0\xff\xe0", "unknown");     /* xor %rax, %rax; jmp *%rax */
	ASSERT_RULE("\x48\x8b\x27\xff\xe0", "unknown");     /* mov (%rdi), %rsp; jmp *%rax */
	ASSERT_RULE("\x90\x90", "unknown");                 /* the code ends here */
}

static void assert_release(const char *code, size_t size, size_t distance, int32_t bytes)
{
	const struct code_bytes all = { .at = (const uint8_t *)code, .after = size };
	struct code_instruction instruction;
	size_t found_distance = 0;
	int32_t found_bytes = 0;

	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip(); /* the library that reads instructions was not there */
	assert_int_equal(code_switch_release(&all, &unwind_arch_x86_64, &found_distance, &found_bytes),
			 bytes > 0);
	if (bytes > 0) {
		assert_int_equal(found_distance, distance);
		assert_int_equal(found_bytes, bytes);
	}
}

#define ASSERT_RELEASE(code, distance, bytes) assert_release(code, sizeof(code) - 1, distance, bytes)

/* LuaJIT's interpreter continues here after a trace. */
static void what_a_jump_left_on_the_stack_is_taken_off_first(void **state)
{
	(void)state;
	ASSERT_RELEASE("\x48\x8d\x4c\x24\x10" /* lea 16(%rsp), %rcx */
		       "\x4c\x8b\x69\xf8"     /* mov -8(%rcx), %r13 */
		       "\x4c\x8b\x21"         /* mov (%rcx), %r12 */
		       "\x48\x89\xcc"         /* mov %rcx, %rsp */
		       "\x85\xc0",            /* test %eax, %eax */
		       15, 16);
	ASSERT_RELEASE("\x48\x83\xc4\x08\xc3", 4, 8);     /* add $8, %rsp; ret */
	ASSERT_RELEASE("\x55\x48\x83\xc4\x18\xc3", 0, 0); /* push %rbp; add $24, %rsp */
	ASSERT_RELEASE("\x74\x00\x48\x83\xc4\x08", 0, 0); /* behind a branch */
	ASSERT_RELEASE("\x48\x89\xc4\xc3", 0, 0);         /* mov %rax, %rsp */
	ASSERT_RELEASE("\x90\x90", 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_of_fibers_leads_to_where_the_other_one_goes_on),
		cmocka_unit_test(longjmp_leads_to_the_caller_of_setjmp),
		cmocka_unit_test(what_a_store_may_have_changed_is_not_known),
		cmocka_unit_test(other_ways_on_are_left_alone),
		cmocka_unit_test(what_a_jump_left_on_the_stack_is_taken_off_first),
	};

	return cmocka_run_group_tests_name("unwind/code/code_switch", tests, NULL, NULL);
}
