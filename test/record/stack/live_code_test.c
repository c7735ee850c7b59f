/* Reads code of this very process. */

#include "record/stack/live_code.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/cmocka.h"

enum { PAGE_BYTES = 4096, CHUNK_BYTES = 32 * 1024, MEMORY_BYTES = 4 * CHUNK_BYTES };

static struct live_code *code;
static uint8_t *memory; /* more than one chunk */

static int set_up(void **state)
{
	(void)state;
	code = live_code_create(&unwind_arch_x86_64);
	memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	live_code_destroy(code);
	return munmap(memory, MEMORY_BYTES);
}

static struct live_range whole(void)
{
	return (struct live_range){ (uintptr_t)memory, (uintptr_t)memory + MEMORY_BYTES };
}

/* Returns the chunk with this address, of a mapping. */
static struct live_piece find_in(struct live_range mapping, const uint8_t *at)
{
	struct live_piece piece = { .module = NULL };

	if (!live_code_find(code, (uint32_t)getpid(), (uintptr_t)at, &mapping, &piece))
		skip(); /* reading memory needs the permission to trace */
	assert_in_range((uintptr_t)at, piece.range.start, piece.range.end - 1);
	return piece;
}

static struct live_piece find(const uint8_t *at)
{
	return find_in(whole(), at);
}

static uint8_t byte_at(const struct live_piece *piece, const uint8_t *at)
{
	const struct code_bytes bytes = module_code(piece->module, (uintptr_t)at - piece->base);

	assert_non_null(bytes.at);
	return *bytes.at;
}

static void a_chunk_has_the_bytes_of_the_process_and_those_around_it(void **state)
{
	const uintptr_t start = ((uintptr_t)memory + CHUNK_BYTES - 1) & ~(uintptr_t)(CHUNK_BYTES - 1);
	uint8_t *const chunk = memory + (start - (uintptr_t)memory) + CHUNK_BYTES;
	struct live_piece piece;

	(void)state;
	chunk[-100] = 0x55;
	chunk[100] = 0xc3;
	chunk[CHUNK_BYTES + 100] = 0x90;
	piece = find(chunk + 100);
	assert_int_equal(piece.range.start, (uintptr_t)chunk);
	assert_int_equal(piece.range.end, (uintptr_t)chunk + CHUNK_BYTES);
	assert_int_equal(byte_at(&piece, chunk - 100), 0x55); /* loops go back there */
	assert_int_equal(byte_at(&piece, chunk + 100), 0xc3);
	assert_int_equal(byte_at(&piece, chunk + CHUNK_BYTES + 100), 0x90); /* functions go on here */
	piece = find(chunk - 100);
	assert_int_equal(piece.range.end, (uintptr_t)chunk);
}

static void nothing_is_read_outside_the_mapping(void **state)
{
	const uint64_t start = (uintptr_t)memory + PAGE_BYTES;
	const struct live_piece piece =
		find_in((struct live_range){ start, start + PAGE_BYTES }, memory + PAGE_BYTES);

	(void)state;
	assert_int_equal(piece.base, start);
	assert_int_equal(piece.range.end, start + PAGE_BYTES);
	assert_int_equal(module_code(piece.module, 0).after, PAGE_BYTES);
}

static void memory_that_has_gone_in_front_of_an_address_is_left_out(void **state)
{
	struct live_piece piece;

	(void)state;
	memory[2 * PAGE_BYTES + 100] = 0xc3;
	assert_int_equal(mprotect(memory + PAGE_BYTES, PAGE_BYTES, PROT_NONE), 0);
	piece = find(memory + 2 * PAGE_BYTES + 100);
	assert_int_equal(mprotect(memory + PAGE_BYTES, PAGE_BYTES, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(piece.base, (uintptr_t)memory + 2 * PAGE_BYTES);
	assert_int_equal(byte_at(&piece, memory + 2 * PAGE_BYTES + 100), 0xc3);
}

static void a_mapping_that_has_grown_is_read_again(void **state)
{
	const uint64_t start = (uintptr_t)memory & ~(uint64_t)(CHUNK_BYTES - 1);
	uint8_t *const chunk = memory + (start - (uintptr_t)memory) + CHUNK_BYTES;
	struct live_range mapping = { (uintptr_t)chunk, (uintptr_t)chunk + PAGE_BYTES };

	(void)state;
	chunk[PAGE_BYTES] = 0xc3;
	assert_int_equal(find_in(mapping, chunk).range.end, mapping.end);
	mapping.end += PAGE_BYTES;
	assert_int_equal(find_in(mapping, chunk + PAGE_BYTES).range.end, mapping.end);
}

static void code_that_was_written_over_is_seen_when_it_is_old(void **state)
{
	struct live_piece piece, again;

	(void)state;
	memory[100] = 0xc3;
	piece = find(memory + 100);
	memory[100] = 0x90;
	again = find(memory + 100);
	assert_ptr_equal(again.module, piece.module);
	live_code_age(code);
	assert_int_equal(live_code_generation(code), 1);
	again = find(memory + 100);
	assert_ptr_not_equal(again.module, piece.module);
	assert_int_not_equal(module_number(again.module), module_number(piece.module));
	assert_int_equal(byte_at(&again, memory + 100), 0x90);
	assert_int_equal(byte_at(&piece, memory + 100), 0xc3); /* remembered stacks may still refer to it */
}

static void code_that_stays_keeps_its_rules(void **state)
{
	struct live_piece piece, again;

	(void)state;
	piece = find(memory + 100);
	live_code_age(code);
	again = find(memory + 100);
	assert_ptr_equal(again.module, piece.module);
}

/* --- was it there when a sample was taken? --- */

enum { BEFORE_NS = 100, SAMPLE_NS = 200, AFTER_NS = 300 };

static void map_at(uint64_t time_ns)
{
	const struct logged_mapping mapping = {
		.start = whole().start, .end = whole().end, .time_ns = time_ns, .prot = PROT_READ | PROT_EXEC
	};

	live_code_note_mapping(code, (uint32_t)getpid(), &mapping, true);
}

static enum live_state recheck(const uint8_t *at)
{
	const uint64_t address = (uintptr_t)at;

	return live_code_recheck(code, (uint32_t)getpid(), SAMPLE_NS, &address, 1);
}

static bool was_same(const uint8_t *at, enum live_state state)
{
	return live_code_was_same(code, (uint32_t)getpid(), (uintptr_t)at, SAMPLE_NS, state);
}

static void begin_rounds(int count)
{
	while (count-- > 0)
		live_code_begin_round(code);
}

static void code_that_was_mapped_before_a_sample_was_there(void **state)
{
	(void)state;
	map_at(BEFORE_NS);
	begin_rounds(1);
	(void)find(memory + 100);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	assert_true(was_same(memory + 100, LIVE_SAME));
}

static void code_that_was_mapped_after_a_sample_may_have_been_other_code(void **state)
{
	(void)state;
	map_at(BEFORE_NS);
	begin_rounds(1);
	(void)find(memory + 100);
	map_at(AFTER_NS);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	assert_false(was_same(memory + 100, LIVE_SAME));
}

static void code_that_is_what_it_was_before_the_sample_was_there_whatever_is_mapped(void **state)
{
	(void)state;
	map_at(BEFORE_NS);
	begin_rounds(1);
	(void)find(memory + 100);
	begin_rounds(1);
	map_at(AFTER_NS);
	assert_false(was_same(memory + 100, recheck(memory + 100))); /* a sample may be older */
	begin_rounds(1);
	assert_true(was_same(memory + 100, recheck(memory + 100)));
}

static void code_that_others_took_the_place_of_once_is_not_trusted_when_mapped_again(void **state)
{
	const uint64_t address = (uintptr_t)memory + 100;

	(void)state;
	map_at(BEFORE_NS);
	begin_rounds(1);
	(void)find(memory + 100);
	memory[100] = 0x90;
	map_at(BEFORE_NS + 1);
	assert_int_equal(recheck(memory + 100), LIVE_CHANGED);
	live_code_note_replaced(code, (uint32_t)getpid(), &address, 1);
	begin_rounds(2);
	map_at(AFTER_NS);
	assert_false(was_same(memory + 100, recheck(memory + 100)));
}

static void code_that_was_written_over_once_has_to_be_what_it_was_before_the_sample(void **state)
{
	const uint64_t address = (uintptr_t)memory + 100;
	struct live_piece piece;

	(void)state;
	map_at(BEFORE_NS);
	begin_rounds(1);
	piece = find(memory + 100);
	(void)recheck(memory + 100);
	begin_rounds(1);
	memory[100] = 0x90;
	assert_int_equal(recheck(memory + 100), LIVE_CHANGED);
	assert_int_equal(byte_at(&piece, memory + 100), 0x00);
	piece = find(memory + 100);
	assert_int_equal(byte_at(&piece, memory + 100), 0x90);
	live_code_note_replaced(code, (uint32_t)getpid(), &address, 1);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	assert_false(was_same(memory + 100, LIVE_SAME));
	assert_true(was_same(memory + 2000, recheck(memory + 2000))); /* other code in the same chunk */
	begin_rounds(2);
	assert_true(was_same(memory + 100, recheck(memory + 100)));
}

static void code_that_is_far_from_an_address_may_change(void **state)
{
	(void)state;
	begin_rounds(1);
	(void)find(memory + 100);
	memory[1000] = 0x90;
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	assert_int_equal(recheck(memory + 1000), LIVE_CHANGED);
}

/* All samples of a round were taken before any comparison of that round. */
static void code_is_compared_once_in_a_round(void **state)
{
	(void)state;
	begin_rounds(1);
	(void)find(memory + 100);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	memory[100] = 0x90;
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	memory[1000] = 0x90; /* not compared yet */
	assert_int_equal(recheck(memory + 1000), LIVE_CHANGED);
	assert_int_equal(recheck(memory + 100), LIVE_SAME); /* read again with the rest of its chunk */
	begin_rounds(1);
	memory[100] = 0xc3;
	assert_int_equal(recheck(memory + 100), LIVE_CHANGED);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
}

static void code_that_was_read_again_in_a_round_is_compared_anew(void **state)
{
	(void)state;
	begin_rounds(1);
	(void)find(memory + 100);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	memory[100] = 0x90;
	live_code_age(code);
	(void)find(memory + 100);
	memory[100] = 0xc3;
	assert_int_equal(recheck(memory + 100), LIVE_CHANGED);
}

static void code_that_has_gone_was_there_unless_it_was_mapped_since(void **state)
{
	(void)state;
	map_at(BEFORE_NS);
	begin_rounds(1);
	(void)find(memory + 100);
	(void)recheck(memory + 100);
	begin_rounds(1);
	assert_int_equal(mprotect(memory, PAGE_BYTES, PROT_NONE), 0);
	assert_int_equal(recheck(memory + 100), LIVE_GONE);
	assert_true(was_same(memory + 100, LIVE_GONE));
	map_at(AFTER_NS);
	assert_false(was_same(memory + 100, LIVE_GONE));
}

static void memory_that_is_not_there_is_not_found(void **state)
{
	const struct live_range mapping = { 0x1000, UINT64_MAX };
	struct live_piece piece;

	(void)state;
	assert_false(live_code_find(code, (uint32_t)getpid(), 0x1000, &mapping, &piece));
	assert_false(live_code_find(code, 0x7fffffff, (uintptr_t)memory, &mapping, &piece));
}

static void chunks_are_bounded(void **state)
{
	const struct live_range mapping = whole();
	struct live_piece piece;

	(void)state;
	for (uint64_t i = 0; i < 10000 && !live_code_is_full(code); i++)
		(void)live_code_find(code, 0x7fffffff, i * CHUNK_BYTES, &mapping, &piece);
	assert_true(live_code_is_full(code));
	assert_false(live_code_find(code, (uint32_t)getpid(), (uintptr_t)memory, &mapping, &piece));
}

static void code_that_was_rewritten_is_freed(void **state)
{
	struct live_piece piece;

	(void)state;
	begin_rounds(1);
	for (int i = 0; i < 1000 && !live_code_is_large(code); i++) {
		memory[100] = (uint8_t)i;
		live_code_age(code);
		(void)find(memory + 100);
	}
	assert_true(live_code_is_large(code));
	live_code_shrink(code);
	assert_false(live_code_is_large(code));
	piece = find(memory + 100);
	assert_int_equal(byte_at(&piece, memory + 100), memory[100]);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
}

static void code_that_is_no_longer_used_is_freed(void **state)
{
	(void)state;
	begin_rounds(1);
	(void)find(memory + 100);
	(void)find(memory + (size_t)2 * CHUNK_BYTES);
	for (int i = 0; i < 60; i++)
		live_code_age(code);
	(void)find(memory + 100);
	live_code_shrink(code);
	assert_int_equal(recheck(memory + 100), LIVE_SAME);
	assert_int_equal(recheck(memory + (size_t)2 * CHUNK_BYTES), LIVE_GONE);
}

static void machines_with_a_link_register_are_left_alone(void **state)
{
	(void)state;
	assert_null(live_code_create(&unwind_arch_aarch64));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_chunk_has_the_bytes_of_the_process_and_those_around_it),
		TEST(nothing_is_read_outside_the_mapping),
		TEST(memory_that_has_gone_in_front_of_an_address_is_left_out),
		TEST(a_mapping_that_has_grown_is_read_again),
		TEST(code_that_was_written_over_is_seen_when_it_is_old),
		TEST(code_that_stays_keeps_its_rules),
		TEST(code_that_was_mapped_before_a_sample_was_there),
		TEST(code_that_was_mapped_after_a_sample_may_have_been_other_code),
		TEST(code_that_is_what_it_was_before_the_sample_was_there_whatever_is_mapped),
		TEST(code_that_others_took_the_place_of_once_is_not_trusted_when_mapped_again),
		TEST(code_that_was_written_over_once_has_to_be_what_it_was_before_the_sample),
		TEST(code_that_is_far_from_an_address_may_change),
		TEST(code_is_compared_once_in_a_round),
		TEST(code_that_was_read_again_in_a_round_is_compared_anew),
		TEST(code_that_has_gone_was_there_unless_it_was_mapped_since),
		TEST(memory_that_is_not_there_is_not_found),
		TEST(chunks_are_bounded),
		TEST(code_that_was_rewritten_is_freed),
		TEST(code_that_is_no_longer_used_is_freed),
		TEST(machines_with_a_link_register_are_left_alone),
	};

	return cmocka_run_group_tests_name("record/stack/live_code", tests, NULL, NULL);
}
