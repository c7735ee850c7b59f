/* Remembered searches must give the same results as new ones. */

#include "unwind/code/exit_memo.h"

#include <string.h>

#include "support/cmocka.h"
#include "unwind/code/code_exit.h"
#include "unwind/code/instruction_cache.h"

enum { BEFORE_BYTES = 64, CODE_BYTES = 512 };

static struct code_exits *exits;
static struct rule_pool *pool;

static int set_up(void **state)
{
	struct code_instruction instruction;

	(void)state;
	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip(); /* built without the instruction decoder */
	exits = code_exits_create();
	pool = rule_pool_create();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	code_exits_destroy(exits);
	rule_pool_destroy(pool);
	return 0;
}

/* Fills with nops and puts the instructions into the middle. */
static struct code_bytes code_of(uint8_t *bytes, const void *instructions, size_t size)
{
	memset(bytes, 0x90, CODE_BYTES);
	memcpy(bytes + BEFORE_BYTES, instructions, size);
	return (struct code_bytes){ .at = bytes + BEFORE_BYTES,
				    .before = BEFORE_BYTES,
				    .after = CODE_BYTES - BEFORE_BYTES,
				    .exits = exits };
}

#define CODE_OF(bytes, instructions) code_of(bytes, instructions, sizeof(instructions) - 1)

static uint32_t rule_of(const struct code_bytes *code)
{
	return code_exit_rule(code, &unwind_arch_x86_64, pool);
}

static bool is_remembered(const struct code_bytes *code)
{
	return code_exits_know(exits, code);
}

/* je over the first path; add $8, %rsp; ret; add $16, %rsp; ret */
#define TWO_WAYS "\x74\x05\x48\x83\xc4\x08\xc3\x48\x83\xc4\x10\xc3"

static void the_same_code_elsewhere_is_not_searched_again(void **state)
{
	static uint8_t first[CODE_BYTES], second[CODE_BYTES];
	const struct code_bytes code = CODE_OF(first, TWO_WAYS), copy = CODE_OF(second, TWO_WAYS);
	const uint32_t rule = rule_of(&code);

	(void)state;
	assert_true(is_remembered(&code));
	assert_true(is_remembered(&copy));
	assert_int_equal(rule_of(&copy), rule);
	second[CODE_BYTES - 1] = 0xc3; /* no path leads there */
	assert_true(is_remembered(&copy));
}

static void code_with_another_byte_on_the_way_is_searched(void **state)
{
	static uint8_t first[CODE_BYTES], second[CODE_BYTES];
	const struct code_bytes code = CODE_OF(first, TWO_WAYS), copy = CODE_OF(second, TWO_WAYS);
	const uint32_t rule = rule_of(&code);

	(void)state;
	for (size_t i = 0; i < 7; i++) {
		const uint8_t byte = second[BEFORE_BYTES + i];

		second[BEFORE_BYTES + i] ^= 0x10;
		assert_false(is_remembered(&copy));
		second[BEFORE_BYTES + i] = byte;
	}
	second[BEFORE_BYTES + 5] = 0x18; /* add $24, %rsp */
	assert_int_not_equal(rule_of(&copy), rule);
	assert_int_equal(rule_of(&code), rule);
}

static void places_that_are_not_known_elsewhere_count(void **state)
{
	static uint8_t bytes[CODE_BYTES];
	/* je and jmp, both beyond the known bytes */
	const struct code_bytes code = CODE_OF(bytes, "\x0f\x84\x00\x04\x00\x00\xe9\x00\x03\x00\x00");
	struct code_bytes part = code;
	uint32_t rule = rule_of(&code);

	(void)state;
	assert_true(rule_pool_rule(pool, rule)->jumps);
	part.after -= 100;
	assert_true(is_remembered(&part));
	part.after = 11 + EXIT_TRAIL_BEHIND_BYTES;
	assert_true(is_remembered(&part));
	part.after--; /* an instruction may be cut off at the end */
	assert_false(is_remembered(&part));
	part.after = 0x300 + 11; /* ends just before the jump's target */
	assert_true(is_remembered(&part));
	part.after++;
	assert_false(is_remembered(&part));
}

static void places_that_were_known_have_to_be(void **state)
{
	static uint8_t bytes[CODE_BYTES];
	struct code_bytes code = CODE_OF(bytes, "\x0f\x84\x00\x01\x00\x00\xc3"); /* je .+262; ret */

	(void)state;
	(void)rule_of(&code);
	assert_true(is_remembered(&code));
	code.after = 6 + 0x100 + 1;
	assert_true(is_remembered(&code));
	code.after--;
	assert_false(is_remembered(&code));
}

static void what_depends_on_other_bytes_is_not_remembered(void **state)
{
	static uint8_t bytes[CODE_BYTES];
	struct code_bytes code = CODE_OF(bytes, "\x50\xc3"); /* push %rax; ret: to behind this code's calls */

	(void)state;
	(void)rule_of(&code);
	assert_false(is_remembered(&code));
	code = CODE_OF(bytes, "\xff\x15\x10\x00\x00\x00\xc3"); /* call *16(%rip); ret */
	(void)rule_of(&code);
	assert_false(is_remembered(&code));
	code = CODE_OF(bytes, "\xc3");
	code.before = 3; /* too close to the beginning of the bytes */
	(void)rule_of(&code);
	assert_false(is_remembered(&code));
}

/* movabs $callee, %r10; call *%r10: the search may begin at the call. */
static void the_instruction_in_front_of_a_call_counts(void **state)
{
	static uint8_t first[CODE_BYTES], second[CODE_BYTES];
	const uint8_t set[] = { 0x49, 0xba, 8, 7, 6, 5, 4, 3, 2, 1 };
	const struct code_bytes code = CODE_OF(first, "\x41\xff\xd2\x48\x83\xc4\x08\xc3"),
				other = CODE_OF(second, "\x41\xff\xd2\x48\x83\xc4\x08\xc3");
	struct code_exit_way way;

	(void)state;
	memcpy(first + BEFORE_BYTES - sizeof(set), set, sizeof(set));
	memcpy(second + BEFORE_BYTES - sizeof(set), set, sizeof(set));
	second[BEFORE_BYTES - 1] = 0x09;
	assert_true(code_exit_way(&code, &unwind_arch_x86_64, &way));
	assert_int_equal(way.calls[0].target, 0x0102030405060708);
	assert_true(is_remembered(&code));
	assert_true(code_exit_way(&other, &unwind_arch_x86_64, &way));
	assert_int_equal(way.calls[0].target, 0x0902030405060708);
}

static void the_byte_in_front_of_a_return_counts(void **state)
{
	static uint8_t first[CODE_BYTES], second[CODE_BYTES];
	const struct code_bytes code = CODE_OF(first, "\xc3"), other = CODE_OF(second, "\xc3");

	(void)state;
	second[BEFORE_BYTES - 1] = 0x50; /* push %rax */
	(void)rule_of(&code);
	assert_true(is_remembered(&code));
	assert_false(is_remembered(&other));
}

/* --- any code ------------------------------------------------------------------------------------ */

static uint32_t seed = 1;

static uint32_t random_below(uint32_t end)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % end;
}

/* Mostly instructions after which control goes on, so that searches are long. */
static void fill(uint8_t *bytes)
{
	static const struct {
		const char *bytes;
		size_t size;
	} parts[] = {
		{ "\x48\x83\xc4\x08", 4 },
		{ "\x5d", 1 },
		{ "\x53", 1 },
		{ "\x5b", 1 },
		{ "\x74\x20", 2 },
		{ "\x75\xe0", 2 },
		{ "\xeb\x60", 2 },
		{ "\xc3", 1 },
		{ "\xff\xd0", 2 },
		{ "\x41\xff\xd2", 3 },
		{ "\xff\xe0", 2 },
		{ "\x50\xc3", 2 },
		{ "\xe9\x80\0\0\0", 5 },
		{ "\x0f\x84\x80\0\0\0", 6 },
		{ "\xc9", 1 },
		{ "\x06", 1 },
		{ "\xe8\x40\0\0\0", 5 },
		{ "\xff\x15\x20\0\0\0", 6 },
		{ "\x48\x89\xec", 3 },
		{ "\x55", 1 },
		{ "\x49\xba\x08\x07\x06\x05\x04\x03\x02\x01", 10 },
	};

	memset(bytes, 0x90, CODE_BYTES);
	for (size_t at = 0; at + 10 <= CODE_BYTES;) {
		const size_t part = random_below(sizeof(parts) / sizeof(*parts));

		memcpy(bytes + at, parts[part].bytes, parts[part].size);
		at += parts[part].size + random_below(3);
	}
}

static void assert_same_way(const struct code_exit_way *a, const struct code_exit_way *b)
{
	assert_int_equal(a->is_assumed, b->is_assumed);
	assert_int_equal(a->leaves_stack, b->leaves_stack);
	assert_int_equal(a->has_jump, b->has_jump);
	assert_int_equal(a->jump, b->jump);
	assert_int_equal(a->has_unknown_call, b->has_unknown_call);
	assert_int_equal(a->call_count, b->call_count);
	for (uint8_t i = 0; i < a->call_count; i++) {
		assert_int_equal(a->calls[i].is_absolute, b->calls[i].is_absolute);
		assert_int_equal(a->calls[i].target, b->calls[i].target);
	}
}

static void assert_as_if_searched(const struct code_bytes *code)
{
	struct code_exit_way way = { .call_count = 0 }, expected = { .call_count = 0 };
	struct code_bytes alone = *code;
	bool is_way;

	alone.exits = NULL;
	assert_int_equal(rule_of(code), rule_of(&alone));
	is_way = code_exit_way(code, &unwind_arch_x86_64, &way);
	assert_int_equal(is_way, code_exit_way(&alone, &unwind_arch_x86_64, &expected));
	if (is_way)
		assert_same_way(&way, &expected);
}

/* Changes code a little, again and again, and searches in windows of any size. */
static void what_is_remembered_is_what_a_search_finds(void **state)
{
	enum { COPIES = 2000, PLACES = 60 };
	static uint8_t copies[COPIES][CODE_BYTES]; /* must not change once they are searched */
	size_t remembered = 0;

	(void)state;
	for (size_t copy = 0; copy < COPIES; copy++) {
		if (copy % 20 == 0)
			fill(copies[copy]);
		else
			memcpy(copies[copy], copies[copy - 1], CODE_BYTES);
		for (uint32_t i = random_below(4); copy % 20 && i > 0; i--)
			copies[copy][random_below(CODE_BYTES)] = (uint8_t)random_below(256);
		for (size_t i = 0; i < PLACES; i++) {
			const uint32_t at = random_below(CODE_BYTES),
				       start = random_below(3) * random_below(at + 1) / 2,
				       end = CODE_BYTES - random_below(2) * random_below(CODE_BYTES - at);
			const struct code_bytes code = { .at = copies[copy] + at,
							 .before = at - (start < at ? start : at),
							 .after = end - at,
							 .exits = exits };

			remembered += is_remembered(&code);
			assert_as_if_searched(&code);
		}
	}
	assert_true(remembered > COPIES * PLACES / 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_same_code_elsewhere_is_not_searched_again),
		TEST(code_with_another_byte_on_the_way_is_searched),
		TEST(places_that_are_not_known_elsewhere_count),
		TEST(places_that_were_known_have_to_be),
		TEST(what_depends_on_other_bytes_is_not_remembered),
		TEST(the_instruction_in_front_of_a_call_counts),
		TEST(the_byte_in_front_of_a_return_counts),
		TEST(what_is_remembered_is_what_a_search_finds),
	};

	return cmocka_run_group_tests_name("unwind/code/exit_memo", tests, NULL, NULL);
}
