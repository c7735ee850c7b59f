#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

#include "support/cmocka.h"

static void objects_are_aligned_for_anything_and_do_not_overlap(void **state)
{
	struct arena arena;
	unsigned char *objects[64];
	size_t i, j;

	(void)state;
	arena_init(&arena);
	for (i = 0; i < 64; i++) {
		objects[i] = arena_alloc(&arena, i + 1);
		assert_int_equal((uintptr_t)objects[i] % alignof(max_align_t), 0);
		memset(objects[i], (int)i, i + 1);
	}
	for (i = 0; i < 64; i++)
		for (j = 0; j <= i; j++)
			assert_int_equal(objects[i][j], i);
	arena_fini(&arena);
}

static void objects_stay_where_they_are_while_the_arena_grows(void **state)
{
	struct arena arena;
	char *first;
	int i;

	(void)state;
	arena_init(&arena);
	first = arena_strdup(&arena, "first");
	for (i = 0; i < 10000; i++)
		arena_alloc(&arena, 100);
	assert_string_equal(first, "first");
	assert_true(arena.used_bytes >= 10000 * 100);
	arena_fini(&arena);
}

static void an_object_larger_than_any_block_gets_one_of_its_own(void **state)
{
	struct arena arena;
	unsigned char *small, *large, *next;

	(void)state;
	arena_init(&arena);
	small = arena_alloc(&arena, 1);
	*small = 1;
	large = arena_alloc(&arena, 8 * 1024 * 1024);
	memset(large, 2, 8 * 1024 * 1024);
	next = arena_alloc(&arena, 1);
	assert_int_equal(*small, 1);
	assert_true(next < large || next >= large + 8 * 1024 * 1024);
	assert_true(arena.used_bytes > 8 * 1024 * 1024);
	arena_fini(&arena);
}

static void an_empty_object_has_an_address(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_non_null(arena_alloc(&arena, 0));
	assert_non_null(arena_copy(&arena, NULL, 0));
	arena_fini(&arena);
}

static void reset_keeps_only_the_largest_block(void **state)
{
	struct arena arena;
	void *large;

	(void)state;
	arena_init(&arena);
	arena_alloc(&arena, 10);
	large = arena_alloc(&arena, 3 * 1024 * 1024);
	arena_alloc(&arena, 2 * 1024 * 1024);
	arena_reset(&arena);
	assert_int_equal(arena.used_bytes, 0);
	assert_ptr_equal(arena_alloc(&arena, 3 * 1024 * 1024), large);
	arena_fini(&arena);
}

static void fini_leaves_an_arena_that_can_be_used_again(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	arena_reset(&arena);
	arena_alloc(&arena, 1);
	arena_fini(&arena);
	assert_null(arena.blocks);
	assert_string_equal(arena_strdup(&arena, "again"), "again");
	arena_fini(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_aligned_for_anything_and_do_not_overlap),
		cmocka_unit_test(objects_stay_where_they_are_while_the_arena_grows),
		cmocka_unit_test(an_object_larger_than_any_block_gets_one_of_its_own),
		cmocka_unit_test(an_empty_object_has_an_address),
		cmocka_unit_test(reset_keeps_only_the_largest_block),
		cmocka_unit_test(fini_leaves_an_arena_that_can_be_used_again),
	};

	return cmocka_run_group_tests_name("base/arena", tests, NULL, NULL);
}
