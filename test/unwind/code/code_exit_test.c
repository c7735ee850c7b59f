#include "unwind/code/code_exit.h"

#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/rule_text.h"

/* `expected` is "CFA FRAME-POINTER", such as "r7+16 same". */
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
			skip(); /* built without the instruction decoder */             \
		assert_rule(code, sizeof(code) - 1, &unwind_arch_x86_64, expected);     \
	} while (0)

/* The code behind the call in CPython's perf trampolines, of either kind. */
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

/* A browser has 200 MB of code, of which a search reads a few instructions. */
static void a_search_takes_no_room_for_code_that_it_does_not_come_to(void **state)
{
	static const uint8_t code[32] = { 0x5d, 0xc3 }; /* pop %rbp; ret */
	struct code_instruction instruction;

	(void)state;
	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip();
	assert_rule(code, (size_t)1 << 46, &unwind_arch_x86_64, "r7+16 *(cfa-16)");
}

static void a_frame_that_is_left_by_its_frame_pointer_counts_from_it(void **state)
{
	(void)state;
	ASSERT_RULE("\xc9\xc3", "r6+16 *(cfa-16)");             /* leave; ret */
	ASSERT_RULE("\xff\xd0\xc9\xc3", "r6+16 *(cfa-16)");     /* call *%rax; leave; ret */
	ASSERT_RULE("\x48\x89\xec\x5d\xc3", "r6+16 *(cfa-16)"); /* mov %rbp, %rsp; pop %rbp; ret */
}

/* As in functions of x86inc.asm and libjpeg-turbo while their frame is aligned. */
static void a_stack_pointer_that_was_kept_aside_tells_where_the_frame_ends(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x8b\x64\x24\x40" /* mov 64(%rsp), %rsp */
		    "\x5d\xc3",            /* pop %rbp; ret */
		    "*(r7+64)+16 *(cfa-16)");
	ASSERT_RULE("\x48\x89\xec"  /* mov %rbp, %rsp */
		    "\x5c\x5d\xc3", /* pop %rsp; pop %rbp; ret */
		    "*(r6+0)+16 *(cfa-16)");
	ASSERT_RULE("\x48\x89\xcc\xc3", "r2+8 same");                /* mov %rcx, %rsp; ret */
	ASSERT_RULE("\x49\x8d\x63\x10\x5d\xc3", "r11+32 *(cfa-16)"); /* lea 16(%r11), %rsp; pop %rbp; ret */
}

static void a_stack_pointer_that_was_not_kept_up_to_there_tells_nothing(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x89\x44\x24\x40"      /* mov %rax, 64(%rsp) */
		    "\x48\x8b\x64\x24\x40\xc3", /* mov 64(%rsp), %rsp; ret */
		    "unknown");
	ASSERT_RULE("\x48\xff\xc1\x48\x89\xcc\xc3", "unknown"); /* inc %rcx; mov %rcx, %rsp; ret */
	ASSERT_RULE("\xff\xd0\x48\x89\xcc\xc3", "unknown");     /* call *%rax; mov %rcx, %rsp; ret */
	ASSERT_RULE("\x5c\x5c\xc3", "unknown");                 /* pop %rsp; pop %rsp; ret */
}

static void what_is_called_is_taken_to_leave_the_stack_pointer_where_it_was(void **state)
{
	(void)state;
	ASSERT_RULE("\xff\xd0"         /* call *%rax */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3",            /* ret */
		    "r7+16 same");
}

/* A call may change the stack pointer: V8's functions pop their arguments. */
static void a_way_without_calls_counts_before_one_with_a_call(void **state)
{
	(void)state;
	ASSERT_RULE("\x74\x07"         /* je to the second path */
		    "\xff\xd0"         /* call *%rax */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3"             /* ret */
		    "\x48\x83\xc4\x10" /* add $16, %rsp */
		    "\xc3",            /* ret */
		    "r7+24 same");
	ASSERT_RULE("\xff\xd0" /* call *%rax, which never returns: nothing reaches the rest */
		    "\xcc"     /* int3 */
		    "\xc3",    /* ret */
		    "unknown");
}

static void jumps_and_branches_are_followed_until_one_way_returns(void **state)
{
	(void)state;
	ASSERT_RULE("\x74\x02"         /* je to the trap */
		    "\xeb\x01"         /* jmp over it */
		    "\xcc"             /* int3 */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3",            /* ret */
		    "r7+16 same");
	ASSERT_RULE("\x74\x02"         /* je out of the loop */
		    "\xeb\xfc"         /* jmp to the je */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\x5d\xc3",        /* pop %rbp; ret */
		    "r7+24 *(cfa-16)");
	ASSERT_RULE("\xeb\xfe", "unknown"); /* jmp to itself */
	ASSERT_RULE("\xcc\xc3", "unknown"); /* int3 */
	ASSERT_RULE("\x90\x90", "unknown"); /* nop, and nothing behind it */
}

static void a_return_may_take_arguments_off_the_stack(void **state)
{
	struct rule_pool *pool = rule_pool_create();
	const struct code_bytes code = { .at = (const uint8_t *)"\x5d\xc2\x10\x00", .after = 4 };
	const struct unwind_rule *rule;

	(void)state;
	rule = rule_pool_rule(pool, code_exit_rule(&code, &unwind_arch_x86_64, pool));
	if (rule->path != PATH_NO_CFI) { /* pop %rbp; ret $16 */
		assert_int_equal(rule->cfa.value, 8 + 8 + 16);
		assert_int_equal(rule->ra.value, -8 - 16);
		assert_int_equal(rule->fp.value, -16 - 16);
	}
	rule_pool_destroy(pool);
}

/* C2 may hold anything in %rbp, so a store relative to it is no store to the frame. */
static void stores_by_another_register_are_not_to_what_is_popped(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x89\x45\x08" /* mov %rax, 8(%rbp) */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\x5d\xc3",        /* pop %rbp; ret */
		    "r7+24 *(cfa-16)");
	ASSERT_RULE("\x48\x89\x44\x24\x08" /* mov %rax, 8(%rsp) */
		    "\x48\x83\xc4\x08"     /* add $8, %rsp */
		    "\x5d\xc3",            /* pop %rbp; ret */
		    "r7+24 undefined");
	ASSERT_RULE("\x48\x89\x04\x24" /* mov %rax, (%rsp): beside it */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\x5d\xc3",        /* pop %rbp; ret */
		    "r7+24 *(cfa-16)");
}

static const struct unwind_rule *rule_of_code(struct rule_pool *pool, const void *bytes, size_t size)
{
	const struct code_bytes code = { .at = bytes, .after = size };

	return rule_pool_rule(pool, code_exit_rule(&code, &unwind_arch_x86_64, pool));
}

static void a_jump_to_what_is_not_known_may_be_the_end(void **state)
{
	static const uint8_t to_register[] = { 0xff, 0xe0 };               /* jmp *%rax */
	static const uint8_t both[] = { 0x74, 0x01, 0xc3, 0xff, 0xe0 };    /* je over it; ret; jmp *%rax */
	static const uint8_t behind_a_call[] = { 0xff, 0xd0, 0xff, 0xe0 }; /* call *%rax; jmp *%rax */
	/* je over 4; call *%rax; jmp *%rax; pop %rcx; jmp *%rax */
	static const uint8_t surer[] = { 0x74, 0x04, 0xff, 0xd0, 0xff, 0xe0, 0x59, 0xff, 0xe0 };
	static const uint8_t somewhere[] = { 0x48, 0x89, 0xc4, 0xff, 0xe0 }; /* mov %rax, %rsp; jmp *%rax */
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule = rule_of_code(pool, both, sizeof(both));

	(void)state;
	if (rule->path != PATH_NO_CFI) {
		assert_false(rule->tail);
		rule = rule_of_code(pool, to_register, sizeof(to_register));
		assert_true(rule->tail && rule->by_code);
		assert_int_equal(rule->cfa.value, 8);
	}
	/* A path with a call is used if there is no other: the result must then be behind a call of this code. */
	rule = rule_of_code(pool, behind_a_call, sizeof(behind_a_call));
	assert_true(rule->path == PATH_NO_CFI || (rule->tail && rule->assumed && rule->cfa.value == 8));
	rule = rule_of_code(pool, surer, sizeof(surer));
	assert_true(rule->path == PATH_NO_CFI || (rule->tail && !rule->assumed && rule->cfa.value == 16));
	assert_int_equal(rule_of_code(pool, somewhere, sizeof(somewhere))->path, PATH_NO_CFI);
	rule_pool_destroy(pool);
}

static void a_jump_beyond_what_is_known_tells_where_the_code_goes_on(void **state)
{
	static const uint8_t beyond[] = { 0x48, 0x83, 0xc4, 0x08, 0xeb, 0x40 }; /* add $8, %rsp; jmp .+66 */
	static const uint8_t both[] = {
		0x74, 0x02, 0xeb, 0x40, 0xff, 0xd0, 0xc3
	}; /* je; jmp .+66; call *%rax; ret */
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule = rule_of_code(pool, beyond, sizeof(beyond));

	(void)state;
	if (rule->path != PATH_NO_CFI) {
		assert_true(rule->jumps && rule->by_code && !rule->tail);
		assert_int_equal(rule->cfa.value, 8);
		assert_int_equal(rule->ra.kind, RULE_REGISTER_PLUS);
		assert_int_equal(rule->ra.value, 4 + 66);
		rule = rule_of_code(pool, both, sizeof(both));
		assert_false(rule->jumps);
		assert_int_equal(rule->cfa.value, 8);
	}
	rule_pool_destroy(pool);
}

/* QEMU's blocks jump to other blocks by address, and leave by the code behind the jump. */
static void what_follows_a_jump_to_what_is_not_known_is_looked_at_last(void **state)
{
	(void)state;
	ASSERT_RULE("\xff\xe0"         /* jmp *%rax */
		    "\x48\x83\xc4\x08" /* add $8, %rsp */
		    "\xc3",            /* ret */
		    "r7+16 same");
}

/* As in functions of sljit, with which PCRE2 and PHP compile. */
static void a_return_to_what_was_pushed_leads_behind_the_calls_of_that_code(void **state)
{
	static const uint8_t code[] = {
		0xe8, 0x05, 0x00, 0x00, 0x00, /* call the last lines */
		0x48, 0x83, 0xc4, 0x28,       /* add $40, %rsp */
		0xc3,                         /* ret */
		0x58,                         /* pop %rax */
		0x31, 0xc9,                   /* xor %ecx, %ecx */
		0x50, 0xc3,                   /* push %rax; ret */
	};
	const struct code_bytes within = { .at = code + 11, .before = 11, .after = sizeof(code) - 11 };
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule =
		rule_pool_rule(pool, code_exit_rule(&within, &unwind_arch_x86_64, pool));

	(void)state;
	if (rule->path != PATH_NO_CFI) {
		assert_int_equal(rule->cfa.reg, X86_64_RSP);
		assert_int_equal(rule->cfa.value, 40 + 8);
	}
	rule_pool_destroy(pool);
}

/* movabs $table, %r10; jmp *(%r10,%rbx,8), with a frame of the interpreter at %rbp. */
#define DISPATCH "\x49\xba\x01\x02\x03\x04\x05\x06\x07\x08\x41\xff\x24\xda"

/* push %rdx; lea 8(%rsp), %r13; mov %r13, -16(%rbp); jmp *96(%rbx) */
#define CALL_METHOD "\x52\x4c\x8d\x6c\x24\x08\x4c\x89\x6d\xf0\xff\x63\x60"

static void assert_interpreted(const char *code, size_t size)
{
	struct rule_pool *pool;
	const struct unwind_rule *rule;
	struct code_instruction instruction;

	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip(); /* built without the instruction decoder */
	pool = rule_pool_create();
	rule = rule_of_code(pool, code, size);
	assert_true(rule->by_code);
	assert_false(rule->tail);
	assert_int_equal(rule->cfa.kind, CFA_AT_REGISTER);
	assert_int_equal(rule->cfa.reg, X86_64_RBP);
	assert_int_equal(rule->cfa.value, -8);
	assert_int_equal(rule->ra.kind, RULE_AT_REGISTER);
	assert_int_equal(rule->ra.value, 8);
	assert_int_equal(rule->fp.kind, RULE_AT_REGISTER);
	rule_pool_destroy(pool);
}

static void a_frame_of_hotspots_interpreter_is_known_by_the_jump_to_the_next_bytecode(void **state)
{
	struct rule_pool *pool = rule_pool_create();
	const struct unwind_rule *rule;

	(void)state;
	assert_interpreted(DISPATCH, sizeof(DISPATCH) - 1);
	rule = rule_of_code(pool, "\x31\xed" DISPATCH, sizeof(DISPATCH) + 1); /* xor %ebp, %ebp */
	assert_true(rule->path == PATH_NO_CFI || rule->tail);
	rule_pool_destroy(pool);
}

static void a_frame_of_hotspots_interpreter_is_known_by_the_jump_to_the_method_that_it_calls(void **state)
{
	(void)state;
	assert_interpreted(CALL_METHOD, sizeof(CALL_METHOD) - 1);
}

static void a_stack_pointer_or_register_that_comes_from_elsewhere_is_not_known(void **state)
{
	(void)state;
	ASSERT_RULE("\x48\x8b\x20\xc3", "unknown"); /* mov (%rax), %rsp; ret */
	ASSERT_RULE("\x48\x89\x04\x24"              /* mov %rax, (%rsp) */
		    "\x5d"                          /* pop %rbp */
		    "\xc3",                         /* ret */
		    "r7+16 undefined");
	ASSERT_RULE("\x31\xed\xc3", "r7+8 undefined"); /* xor %ebp, %ebp; ret */
	ASSERT_RULE("\x55\xc3", "unknown");            /* push %rbp; ret: jumps there */
}

/* The entry of a HotSpot method, which first touches the stack, and the middle of its prologue. */
static void a_register_that_is_saved_and_restored_on_the_way_is_what_it_was(void **state)
{
	(void)state;
	ASSERT_RULE("\x55"             /* push %rbp */
		    "\x48\x83\xec\x10" /* sub $16, %rsp */
		    "\x48\x83\xc4\x10" /* add $16, %rsp */
		    "\x5d\xc3",        /* pop %rbp; ret */
		    "r7+8 same");
	ASSERT_RULE("\x55"         /* push %rbp */
		    "\x48\x89\xe5" /* mov %rsp, %rbp */
		    "\xff\xd0"     /* call *%rax */
		    "\xc9\xc3",    /* leave; ret */
		    "r7+8 same");
	ASSERT_RULE("\x55"             /* push %rbp */
		    "\x48\x89\x04\x24" /* mov %rax, (%rsp) */
		    "\x5d\xc3",        /* pop %rbp; ret */
		    "r7+8 undefined");
	ASSERT_RULE("\x53\x5d\xc3", "r7+8 undefined");         /* push %rbx; pop %rbp; ret */
	ASSERT_RULE("\x31\xed\x55\x5d\xc3", "r7+8 undefined"); /* xor %ebp, %ebp; push %rbp; pop %rbp; ret */
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
		cmocka_unit_test(a_search_takes_no_room_for_code_that_it_does_not_come_to),
		cmocka_unit_test(a_frame_that_is_left_by_its_frame_pointer_counts_from_it),
		cmocka_unit_test(a_stack_pointer_that_was_kept_aside_tells_where_the_frame_ends),
		cmocka_unit_test(a_stack_pointer_that_was_not_kept_up_to_there_tells_nothing),
		cmocka_unit_test(what_is_called_is_taken_to_leave_the_stack_pointer_where_it_was),
		cmocka_unit_test(a_way_without_calls_counts_before_one_with_a_call),
		cmocka_unit_test(jumps_and_branches_are_followed_until_one_way_returns),
		cmocka_unit_test(a_return_may_take_arguments_off_the_stack),
		cmocka_unit_test(stores_by_another_register_are_not_to_what_is_popped),
		cmocka_unit_test(a_jump_to_what_is_not_known_may_be_the_end),
		cmocka_unit_test(a_jump_beyond_what_is_known_tells_where_the_code_goes_on),
		cmocka_unit_test(what_follows_a_jump_to_what_is_not_known_is_looked_at_last),
		cmocka_unit_test(a_return_to_what_was_pushed_leads_behind_the_calls_of_that_code),
		cmocka_unit_test(a_frame_of_hotspots_interpreter_is_known_by_the_jump_to_the_next_bytecode),
		cmocka_unit_test(
			a_frame_of_hotspots_interpreter_is_known_by_the_jump_to_the_method_that_it_calls),
		cmocka_unit_test(a_stack_pointer_or_register_that_comes_from_elsewhere_is_not_known),
		cmocka_unit_test(a_register_that_is_saved_and_restored_on_the_way_is_what_it_was),
		cmocka_unit_test(machines_with_a_link_register_are_left_alone),
	};

	return cmocka_run_group_tests_name("unwind/code/code_exit", tests, NULL, NULL);
}
