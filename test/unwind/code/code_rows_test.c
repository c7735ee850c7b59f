#include "unwind/code/code_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/rule_text.h"

enum { START = 0x4000, TEXT_BYTES = 4096 };

/* `text` is "0 r7+8 same | 1 r7+16 *(cfa-16)": each row's start, its CFA, and the frame pointer. */
struct rows {
	struct rule_pool *pool;
	uint64_t next; /* the least start of the next row */
	size_t count;
	char text[TEXT_BYTES];
};

static void add_row(void *context, uint64_t start, uint32_t number)
{
	struct rows *rows = context;
	const struct unwind_rule *rule = rule_pool_rule(rows->pool, number);
	const size_t used = strlen(rows->text);
	char cfa[RULE_TEXT_BYTES], fp[RULE_TEXT_BYTES];

	assert_true(start >= rows->next);
	rows->next = start + 1;
	assert_true(rule->by_code == (number != RULE_POOL_NO_CFI));
	rule_text_cfa(cfa, &rule->cfa);
	rule_text_register(fp, &unwind_arch_x86_64, &rule->fp);
	if (number == RULE_POOL_NO_CFI)
		snprintf(rows->text + used, TEXT_BYTES - used, "%s%" PRIu64 " unknown",
			 rows->count ? " | " : "", start - START);
	else
		snprintf(rows->text + used, TEXT_BYTES - used, "%s%" PRIu64 " %s %s",
			 rows->count ? " | " : "", start - START, cfa, fp);
	rows->count++;
}

static void make(struct rows *rows, const void *code, size_t size, bool ends_there)
{
	*rows = (struct rows){ .pool = rule_pool_create() };
	code_rows_make(&(struct code_function_bytes){ code, size, START, ends_there }, &unwind_arch_x86_64,
		       rows->pool, add_row, rows);
}

static void release(struct rows *rows)
{
	rule_pool_destroy(rows->pool);
}

static void assert_rows(const void *code, size_t size, bool ends_there, const char *expected)
{
	struct rows rows;

	make(&rows, code, size, ends_there);
	assert_string_equal(rows.text, expected);
	release(&rows);
}

/* xprof may be built without the instruction decoder. */
static void skip_without_decoder(void)
{
	struct code_instruction instruction;

	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip();
}

#define ASSERT_ROWS(code, expected)                                  \
	do {                                                         \
		skip_without_decoder();                              \
		assert_rows(code, sizeof(code) - 1, true, expected); \
	} while (0)

static void pushes_and_pops_are_counted_up_to_where_ways_meet(void **state)
{
	static const char code[] = "\x55"      /* 0 push %rbp */
				   "\x85\xff"  /* 1 test %edi,%edi */
				   "\x74\x04"  /* 3 je 9 */
				   "\x53"      /* 5 push %rbx */
				   "\x89\xfb"  /* 6 mov %edi,%ebx */
				   "\x5b"      /* 8 pop %rbx */
				   "\x5d\xc3"; /* 9 pop %rbp; ret */

	(void)state;
	ASSERT_ROWS(code,
		    "0 r7+8 same | 1 r7+16 same | 6 r7+24 same | 8 r7+24 same | 9 r7+16 same | 10 r7+8 same");
}

static void registers_are_found_where_they_were_saved(void **state)
{
	static const char code[] = "\x53"                 /* 0 push %rbx */
				   "\x41\x54"             /* 1 push %r12 */
				   "\xbb\x01\x00\x00\x00" /* 3 mov $1,%ebx */
				   "\x5b\x5b\xc3";        /* 8 pop %rbx; pop %rbx; ret */
	struct rows rows;
	const struct unwind_rule *rule;

	(void)state;
	skip_without_decoder();
	make(&rows, code, sizeof(code) - 1, true);
	assert_string_equal(rows.text,
			    "0 r7+8 same | 1 r7+16 same | 3 r7+24 same | 8 r7+24 same | 9 r7+16 same | "
			    "10 r7+8 same");
	rule = rule_pool_rule(rows.pool, 4); /* from 8 on */
	assert_int_equal(rule->other_count, 1);
	assert_int_equal(rule->others[0].column, X86_64_RBX);
	assert_int_equal(rule->others[0].kind, RULE_AT_CFA);
	assert_int_equal(rule->others[0].value, -16);
	release(&rows);
}

static void frame_pointer_tells_where_the_stack_pointer_does_not(void **state)
{
	static const char code[] = "\x55"                 /* 0 push %rbp */
				   "\x48\x89\xe5"         /* 1 mov %rsp,%rbp */
				   "\x48\x29\xfc"         /* 4 sub %rdi,%rsp */
				   "\xe8\x00\x10\x00\x00" /* 7 call */
				   "\xc9\xc3";            /* 12 leave; ret */

	(void)state;
	ASSERT_ROWS(code,
		    "0 r7+8 same | 1 r7+16 same | 4 r7+16 *(cfa-16) | 7 r6+16 *(cfa-16) | 13 r7+8 same");
}

static void aligned_frame_without_a_frame_pointer_is_unknown(void **state)
{
	static const char code[] = "\x48\x83\xe4\xf0"     /* 0 and $-16,%rsp */
				   "\xe8\x00\x10\x00\x00" /* 4 call */
				   "\xc3";

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 4 unknown");
}

static void call_without_return_leads_nowhere(void **state)
{
	static const char code[] = "\x85\xff"             /* 0 test %edi,%edi */
				   "\x74\x09"             /* 2 je 13 */
				   "\x48\x83\xec\x18"     /* 4 sub $24,%rsp */
				   "\xe8\x00\x10\x00\x00" /* 8 call */
				   "\xb8\x01\x00\x00\x00" /* 13 mov $1,%eax */
				   "\xc3";

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 8 r7+32 same | 13 r7+8 same");
}

static void a_table_leads_to_code_without_other_jumps(void **state)
{
	static const char code[] = "\x53"                 /* 0 push %rbx */
				   "\xff\xe0"             /* 1 jmp *%rax */
				   "\x90"                 /* 3 nop */
				   "\xbb\x01\x00\x00\x00" /* 4 mov $1,%ebx */
				   "\x5b\xc3"             /* 9 pop %rbx; ret */
				   "\xe8\x00\x10\x00\x00" /* 11 call */
				   "\x5b\xc3"             /* 16 pop %rbx; ret */
				   "\x66\x90";            /* 18 nop, which nothing reaches */

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 1 r7+16 same | 9 r7+16 same | 10 r7+8 same | 11 r7+16 same | "
			  "17 r7+8 same | 18 unknown");
}

static void what_may_be_another_function_is_unknown(void **state)
{
	static const char code[] = "\xff\xe0"  /* 0 jmp *%rax */
				   "\x50\xc3"; /* 2 push %rax; ret */

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 3 r7+16 same");
	assert_rows(code, sizeof(code) - 1, false, "0 r7+8 same | 2 unknown");
}

static void ways_that_do_not_agree_leave_nothing_known(void **state)
{
	static const char code[] = "\x85\xff\x74\x01" /* 0 test %edi,%edi; je 5 */
				   "\x50"             /* 4 push %rax */
				   "\x90\xc3";        /* 5 nop; ret */

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 5 unknown");
}

static void return_address_may_be_in_a_register(void **state)
{
	static const char code[] = "\x5a"                 /* 0 pop %rdx */
				   "\xb8\x3a\x00\x00\x00" /* 1 mov $58,%eax */
				   "\x0f\x05"             /* 6 syscall */
				   "\x52\xc3";            /* 8 push %rdx; ret */
	struct rows rows;

	(void)state;
	skip_without_decoder();
	make(&rows, code, sizeof(code) - 1, true);
	assert_string_equal(rows.text, "0 r7+8 same | 1 r7+0 same | 9 r7+8 same");
	assert_int_equal(rule_pool_rule(rows.pool, 2)->ra.kind, RULE_REGISTER_PLUS);
	assert_int_equal(rule_pool_rule(rows.pool, 2)->ra.reg, X86_64_RDX);
	release(&rows);
}

static void overwritten_frame_pointer_is_lost(void **state)
{
	static const char code[] = "\xbd\x01\x00\x00\x00" /* 0 mov $1,%ebp */
				   "\xe8\x00\x10\x00\x00" /* 5 call */
				   "\xc3";

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 5 r7+8 undefined");
}

static void overwritten_place_holds_nothing_more(void **state)
{
	static const char code[] =
		"\x55"                             /* 0 push %rbp */
		"\xbd\x01\x00\x00\x00"             /* 1 mov $1,%ebp */
		"\xc7\x44\x24\xfc\x00\x00\x00\x00" /* 6 movl $0,-4(%rsp): below it */
		"\xc7\x44\x24\x04\x00\x00\x00\x00" /* 14 movl $0,4(%rsp): over half of it */
		"\x5d\xc3";                        /* 22 pop %rbp; ret */

	(void)state;
	ASSERT_ROWS(
		code,
		"0 r7+8 same | 1 r7+16 same | 6 r7+16 *(cfa-16) | 22 r7+16 undefined | 23 r7+8 undefined");
}

static void bytes_that_are_no_instruction_end_what_is_known(void **state)
{
	static const char code[] = "\x50\x06\x58\xc3";

	(void)state;
	ASSERT_ROWS(code, "0 r7+8 same | 1 unknown");
}

static void empty_and_large_functions_have_one_unknown_row(void **state)
{
	const size_t size = CODE_ROWS_MAX_BYTES + 1;
	uint8_t *code = calloc(size, 1);

	(void)state;
	assert_rows(code, 0, true, "0 unknown");
	assert_rows(code, size, true, "0 unknown");
	free(code);
}

/* xorshift64 */
static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	return *random ^= *random << 17;
}

static void arbitrary_code_is_read_in_bounded_time(void **state)
{
	static const uint8_t common[] = { 0x50, 0x5d, 0x74, 0xeb, 0xe8, 0xc3, 0xff,
					  0xe0, 0x48, 0x83, 0xec, 0x08, 0xc9 };
	uint64_t random = 88172645463325252u;

	(void)state;
	for (size_t size = 1; size <= 1 << 15; size *= 2) {
		uint8_t *code = malloc(size);
		struct rows rows;

		for (size_t i = 0; i < size; i++)
			code[i] = size & 0xaaaa ? (uint8_t)next_random(&random) :
						  common[next_random(&random) % sizeof(common)];
		make(&rows, code, size, true);
		assert_true(rows.count > 0);
		release(&rows);
		free(code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushes_and_pops_are_counted_up_to_where_ways_meet),
		cmocka_unit_test(registers_are_found_where_they_were_saved),
		cmocka_unit_test(frame_pointer_tells_where_the_stack_pointer_does_not),
		cmocka_unit_test(aligned_frame_without_a_frame_pointer_is_unknown),
		cmocka_unit_test(call_without_return_leads_nowhere),
		cmocka_unit_test(a_table_leads_to_code_without_other_jumps),
		cmocka_unit_test(what_may_be_another_function_is_unknown),
		cmocka_unit_test(ways_that_do_not_agree_leave_nothing_known),
		cmocka_unit_test(return_address_may_be_in_a_register),
		cmocka_unit_test(overwritten_frame_pointer_is_lost),
		cmocka_unit_test(overwritten_place_holds_nothing_more),
		cmocka_unit_test(bytes_that_are_no_instruction_end_what_is_known),
		cmocka_unit_test(empty_and_large_functions_have_one_unknown_row),
		cmocka_unit_test(arbitrary_code_is_read_in_bounded_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
