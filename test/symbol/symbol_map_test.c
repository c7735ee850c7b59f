#include "symbol/symbol_map.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/named_address.h"

struct row {
	uint64_t start;
	uint64_t size;
	const char *name;
	uint8_t binding;
	uint16_t group;
};

#define ROWS(array) array, sizeof(array) / sizeof((array)[0])

static struct symbol_map *build(const struct row *rows, size_t count, enum symbol_map_overlap overlap)
{
	struct symbol_map *map = symbol_map_create();

	for (size_t i = 0; i < count; i++)
		symbol_map_add(map, rows[i].start, rows[i].size, rows[i].name, rows[i].binding, rows[i].group,
			       0);
	symbol_map_seal(map, overlap, NULL, NULL);
	return map;
}

/* Checks the name shown for address 0x100. */
static void assert_chosen(const struct row *rows, size_t count, const char *name)
{
	struct symbol_map *map = build(rows, count, SYMBOL_MAP_INNERMOST_FUNCTION);

	assert_named_address(map, 0x100, name);
	symbol_map_destroy(map);
}

static void symbols_cover_their_bytes_and_no_others(void **state)
{
	static const struct row rows[] = {
		{ 0x200, 0x10, "b", STB_GLOBAL, 0 },
		{ 0x100, 0x10, "a", STB_GLOBAL, 0 },
		{ 0x110, 0x10, "next", STB_GLOBAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST_FUNCTION);

	(void)state;
	assert_named_address(map, 0xff, "nothing");
	assert_named_address(map, 0x100, "a");
	assert_named_address(map, 0x10f, "a");
	assert_named_address(map, 0x110, "next");
	assert_named_address(map, 0x120, "nothing");
	assert_named_address(map, 0x1ff, "nothing");
	assert_named_address(map, 0x20f, "b");
	assert_named_address(map, 0x210, "nothing");
	assert_named_address(map, UINT64_MAX, "nothing");
	symbol_map_destroy(map);
}

static void empty_map_finds_nothing(void **state)
{
	struct symbol_map *map = build(NULL, 0, SYMBOL_MAP_INNERMOST_FUNCTION);

	(void)state;
	assert_named_address(map, 0, "nothing");
	assert_named_address(map, UINT64_MAX, "nothing");
	symbol_map_destroy(map);
}

static void missing_size_reaches_to_the_next_symbol(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 0, "a", STB_GLOBAL, 0 },
		{ 0x180, 4, "b", STB_GLOBAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST_FUNCTION);

	(void)state;
	assert_named_address(map, 0x17f, "a");
	assert_int_equal(symbol_map_find(map, 0x100)->end, 0x180);
	assert_named_address(map, 0x184, "nothing");
	symbol_map_destroy(map);
}

/* perf: roundup(end + 4096, 4096) */
static void last_symbol_without_size_reaches_behind_the_next_page(void **state)
{
	static const struct row rows[] = {
		{ 0x1000, 0, "of the kernel", STB_GLOBAL, 0 },
		{ 0x9008, 0, "of module 1", STB_GLOBAL, 1 },
		{ 0x20000, 0, "last of all", STB_GLOBAL, 2 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST);

	(void)state;
	assert_int_equal(symbol_map_find(map, 0x1000)->end, 0x2000);
	assert_int_equal(symbol_map_find(map, 0x9008)->end, 0xb000);
	assert_int_equal(symbol_map_find(map, 0x20000)->end, 0x21000);
	assert_named_address(map, 0x2000, "nothing");
	symbol_map_destroy(map);
}

static void size_that_wraps_ends_with_the_address_space(void **state)
{
	static const struct row rows[] = {
		{ 0x100, UINT64_MAX, "a", STB_GLOBAL, 0 },
		{ UINT64_MAX - 1, 0, "b", STB_GLOBAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST);

	(void)state;
	assert_named_address(map, 0xff, "nothing");
	assert_named_address(map, 0x8000000000000000, "a");
	assert_named_address(map, UINT64_MAX - 1, "b");
	symbol_map_destroy(map);
}

static void symbol_with_a_size_wins(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 0, "label", STB_GLOBAL, 0 },
		{ 0x100, 8, "sized", STB_WEAK, 0 },
	};

	(void)state;
	assert_chosen(ROWS(rows), "sized");
}

static void strong_symbol_wins_over_weak_one(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 8, "weak_with_long_name", STB_WEAK, 0 },
		{ 0x100, 8, "__f", STB_LOCAL, 0 },
	};

	(void)state;
	assert_chosen(ROWS(rows), "__f");
}

static void global_symbol_wins_over_local_one(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 8, "local_with_long_name", STB_LOCAL, 0 },
		{ 0x100, 8, "__f", STB_GLOBAL, 0 },
	};

	(void)state;
	assert_chosen(ROWS(rows), "__f");
}

static void fewer_underscores_in_front_win_then_the_longer_name(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 8, "__libc_malloc", STB_GLOBAL, 0 },
		{ 0x100, 8, "malloc", STB_GLOBAL, 0 },
		{ 0x100, 8, "malloc_alias", STB_GLOBAL, 0 },
	};

	(void)state;
	assert_chosen(rows, 2, "malloc");
	assert_chosen(ROWS(rows), "malloc_alias");
}

static void system_call_aliases_lose_against_names_as_long(void **state)
{
	static const struct row first[] = {
		{ 0x100, 8, "SyS_read", STB_GLOBAL, 0 },
		{ 0x100, 8, "sys_read", STB_GLOBAL, 0 },
	};
	static const struct row second[] = {
		{ 0x100, 8, "sys_read", STB_GLOBAL, 0 },
		{ 0x100, 8, "SyS_read", STB_GLOBAL, 0 },
	};

	(void)state;
	assert_chosen(ROWS(first), "sys_read");
	assert_chosen(ROWS(second), "sys_read");
}

static void of_kallsyms_aliases_the_last_one_is_shown(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 0, "common_interrupt_return", STB_LOCAL, 0 },
		{ 0x100, 0, "swapgs_restore_regs_and_return_to_usermode", STB_GLOBAL, 0 },
		{ 0x100, 0, "__irqentry_text_end", STB_GLOBAL, 0 },
		{ 0x200, 0, "next", STB_GLOBAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST);

	(void)state;
	assert_named_address(map, 0x100, "__irqentry_text_end");
	assert_named_address(map, 0x1ff, "__irqentry_text_end");
	symbol_map_destroy(map);
}

static const char *read_backwards(const char *name, void *context)
{
	(*(int *)context)++;
	return strcmp(name, "_Zlong") == 0 ? "f" : "function";
}

static void aliases_are_chosen_by_how_they_read(void **state)
{
	struct symbol_map *map = symbol_map_create();
	int asked = 0;

	(void)state;
	symbol_map_add(map, 0x100, 8, "_Zlong", STB_GLOBAL, 0, 0);
	symbol_map_add(map, 0x100, 8, "_Zf", STB_GLOBAL, 0, 0);
	symbol_map_seal(map, SYMBOL_MAP_INNERMOST_FUNCTION, read_backwards, &asked);
	assert_named_address(map, 0x100, "_Zf");
	assert_int_equal(asked, 2);
	symbol_map_destroy(map);
}

static void pairs_of_constructors_are_not_demangled_to_be_told_apart(void **state)
{
	struct symbol_map *map = symbol_map_create();
	int asked = 0;

	(void)state;
	symbol_map_add(map, 0x100, 8, "_ZN1AC2Ev", STB_GLOBAL, 0, 0);
	symbol_map_add(map, 0x100, 8, "_ZN1AC1Ev", STB_GLOBAL, 0, 0);
	symbol_map_seal(map, SYMBOL_MAP_INNERMOST_FUNCTION, read_backwards, &asked);
	assert_named_address(map, 0x100, "_ZN1AC2Ev");
	assert_int_equal(asked, 0);
	symbol_map_destroy(map);
}

static void innermost_function_owns_what_it_covers(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 0x100, "outer", STB_GLOBAL, 0 },
		{ 0x120, 0x20, "inner", STB_LOCAL, 0 },
		{ 0x130, 0x8, "innermost", STB_LOCAL, 0 },
		{ 0x1f0, 0x20, "reaches_out", STB_LOCAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST_FUNCTION);

	(void)state;
	assert_named_address(map, 0x11f, "outer");
	assert_named_address(map, 0x120, "inner");
	assert_named_address(map, 0x130, "innermost");
	assert_named_address(map, 0x138, "inner");
	assert_named_address(map, 0x140, "outer");
	assert_named_address(map, 0x1f0, "reaches_out");
	assert_named_address(map, 0x20f, "reaches_out");
	assert_named_address(map, 0x210, "nothing");
	symbol_map_destroy(map);
}

static void label_inside_of_a_function_splits_it_in_the_kernel_only(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 0x100, "entry_SYSCALL_64", STB_GLOBAL, 0 },
		{ 0x120, 0, "entry_SYSCALL_64_after_hwframe", STB_GLOBAL, 0 },
		{ 0x200, 0x10, "next", STB_GLOBAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_INNERMOST);

	(void)state;
	assert_named_address(map, 0x11f, "entry_SYSCALL_64");
	assert_named_address(map, 0x1ff, "entry_SYSCALL_64_after_hwframe");
	symbol_map_destroy(map);
	map = build(ROWS(rows), SYMBOL_MAP_INNERMOST_FUNCTION);
	assert_named_address(map, 0x1ff, "entry_SYSCALL_64");
	symbol_map_destroy(map);
}

static void youngest_code_replaces_what_was_at_its_addresses(void **state)
{
	static const struct row rows[] = {
		{ 0x140, 0x10, "old_inner", STB_GLOBAL, 0 },
		{ 0x100, 0x80, "compiled", STB_GLOBAL, 0 },
		{ 0x170, 0x20, "compiled_later", STB_GLOBAL, 0 },
		{ 0x100, 0x10, "recompiled", STB_GLOBAL, 0 },
	};
	struct symbol_map *map = build(ROWS(rows), SYMBOL_MAP_YOUNGEST);

	(void)state;
	assert_named_address(map, 0x100, "recompiled");
	assert_named_address(map, 0x110, "compiled");
	assert_named_address(map, 0x145, "compiled");
	assert_named_address(map, 0x170, "compiled_later");
	assert_named_address(map, 0x18f, "compiled_later");
	assert_named_address(map, 0x190, "nothing");
	symbol_map_destroy(map);
}

/* The rule itself, symbol by symbol, for comparison: of those that cover the address, the one added last. */
static const char *youngest_by_hand(const struct row *rows, size_t count, uint64_t address)
{
	const char *name = "nothing";

	for (size_t i = 0; i < count; i++)
		if (address >= rows[i].start && address - rows[i].start < rows[i].size)
			name = rows[i].name;
	return name;
}

static void every_address_agrees_with_a_plain_search(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct row rows[8];
		struct symbol_map *map;

		for (size_t i = 0; i < 8; i++) {
			rows[i] = (struct row){ .start = (uint64_t)(rand_r(&seed) % 32),
						.size = (uint64_t)(1 + rand_r(&seed) % 16),
						.name = names[i],
						.binding = STB_GLOBAL };
		}
		map = build(rows, 8, SYMBOL_MAP_YOUNGEST);
		for (uint64_t address = 0; address < 64; address++)
			assert_named_address(map, address, youngest_by_hand(rows, 8, address));
		symbol_map_destroy(map);
	}
}

/*
 * Each symbol is nested in the one before: a search that climbs out from the innermost one would not finish in reasonable
 * time.
 */
static void deep_nesting_is_searched_at_once(void **state)
{
	enum { DEPTH = 200000 };
	struct symbol_map *map = symbol_map_create();

	(void)state;
	for (uint64_t i = 0; i < DEPTH; i++)
		symbol_map_add(map, i, 2 * (DEPTH - i), i == 0 ? "outermost" : "inner", STB_GLOBAL, 0, 0);
	symbol_map_seal(map, SYMBOL_MAP_INNERMOST, NULL, NULL);
	for (int i = 0; i < 100000; i++)
		assert_named_address(map, 2 * DEPTH - 1, "outermost");
	symbol_map_destroy(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_cover_their_bytes_and_no_others),
		cmocka_unit_test(empty_map_finds_nothing),
		cmocka_unit_test(missing_size_reaches_to_the_next_symbol),
		cmocka_unit_test(last_symbol_without_size_reaches_behind_the_next_page),
		cmocka_unit_test(size_that_wraps_ends_with_the_address_space),
		cmocka_unit_test(symbol_with_a_size_wins),
		cmocka_unit_test(strong_symbol_wins_over_weak_one),
		cmocka_unit_test(global_symbol_wins_over_local_one),
		cmocka_unit_test(fewer_underscores_in_front_win_then_the_longer_name),
		cmocka_unit_test(system_call_aliases_lose_against_names_as_long),
		cmocka_unit_test(of_kallsyms_aliases_the_last_one_is_shown),
		cmocka_unit_test(aliases_are_chosen_by_how_they_read),
		cmocka_unit_test(pairs_of_constructors_are_not_demangled_to_be_told_apart),
		cmocka_unit_test(innermost_function_owns_what_it_covers),
		cmocka_unit_test(label_inside_of_a_function_splits_it_in_the_kernel_only),
		cmocka_unit_test(youngest_code_replaces_what_was_at_its_addresses),
		cmocka_unit_test(every_address_agrees_with_a_plain_search),
		cmocka_unit_test(deep_nesting_is_searched_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
