#include "symbol/symbol_filter.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/cmocka.h"
#include "symbol/symbol_map.h"

enum { MAX_SYMBOLS = 60, MAX_QUESTIONS = 8, ADDRESSES = 200 };

struct row {
	uint64_t start, size;
	char name[24];
	uint8_t binding;
};

static struct symbol_map *map_of(const struct row *rows, size_t count, struct symbol_filter *filter,
				 enum symbol_map_overlap overlap)
{
	struct symbol_map *map = symbol_map_create();

	for (size_t i = 0; i < count; i++) {
		if (filter && !symbol_filter_passes(filter, rows[i].start, rows[i].size))
			continue;
		if (filter)
			symbol_filter_note(filter, rows[i].start, rows[i].size);
		symbol_map_add(map, rows[i].start, rows[i].size, rows[i].name, rows[i].binding, 0, 0);
	}
	symbol_map_seal(map, overlap, NULL, NULL);
	return map;
}

static struct symbol_filter *survey(const struct row *rows, size_t count, const uint64_t *addresses,
				    size_t address_count)
{
	struct symbol_filter *filter = symbol_filter_create(addresses, address_count);

	for (size_t i = 0; i < count; i++)
		symbol_filter_survey(filter, rows[i].start, rows[i].size);
	symbol_filter_finish(filter);
	return filter;
}

/* If the filter is sound, the symbols that pass give the same names, starts and ends as all symbols. */
static bool assert_same_answers(const struct row *rows, size_t count, const uint64_t *addresses,
				size_t address_count, enum symbol_map_overlap overlap)
{
	struct symbol_filter *filter = survey(rows, count, addresses, address_count);
	struct symbol_map *all = map_of(rows, count, NULL, overlap);
	struct symbol_map *some = map_of(rows, count, filter, overlap);

	const bool sound = symbol_filter_is_sound(filter);

	for (size_t i = 0; sound && i < address_count; i++) {
		const struct symbol_map_entry *expected = symbol_map_find(all, addresses[i]);
		const struct symbol_map_entry *found = symbol_map_find(some, addresses[i]);

		assert_true(symbol_filter_has(filter, addresses[i]));
		assert_int_equal(found != NULL, expected != NULL);
		if (!expected)
			continue;
		assert_string_equal(found->name, expected->name);
		assert_int_equal(found->start, expected->start);
		assert_int_equal(found->end, expected->end);
	}
	symbol_map_destroy(all);
	symbol_map_destroy(some);
	symbol_filter_destroy(filter);
	return sound;
}

static void make_rows(struct row *rows, size_t count)
{
	static const uint8_t bindings[] = { STB_LOCAL, STB_GLOBAL, STB_WEAK };

	for (size_t i = 0; i < count; i++) {
		/* Few addresses, so that symbols overlap, nest and share starts; many labels without a size. */
		rows[i].start = 0x1000 + (uint64_t)(random() % ADDRESSES);
		rows[i].size = random() % 3 ? (uint64_t)(random() % 40) : 0;
		rows[i].binding = bindings[random() % 3];
		snprintf(rows[i].name, sizeof(rows[i].name), "s%zu", i);
	}
}

static void answers_at_its_addresses_are_those_of_all_symbols(void **state)
{
	struct row rows[MAX_SYMBOLS];
	uint64_t addresses[MAX_QUESTIONS];
	int sound = 0;

	(void)state;
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		size_t count = (size_t)(random() % MAX_SYMBOLS);
		size_t address_count = (size_t)(random() % MAX_QUESTIONS);

		make_rows(rows, count);
		for (size_t i = 0; i < address_count; i++)
			addresses[i] = 0x1000 - 5 + (uint64_t)(random() % (ADDRESSES + 50));
		sound += assert_same_answers(rows, count, addresses, address_count,
					     random() % 2 ? SYMBOL_MAP_INNERMOST_FUNCTION :
							    SYMBOL_MAP_INNERMOST);
	}
	assert_true(sound > 5000);
}

static void what_decides_nothing_does_not_pass(void **state)
{
	static const struct row rows[] = {
		{ 0x1000, 0x10, "before", STB_GLOBAL }, { 0x1010, 0x10, "last", STB_GLOBAL },
		{ 0x1020, 0x10, "here", STB_GLOBAL },   { 0x1030, 0x10, "next", STB_GLOBAL },
		{ 0x1040, 0x10, "behind", STB_GLOBAL },
	};
	static const uint64_t address = 0x1028;
	struct symbol_filter *filter = survey(rows, 5, &address, 1);

	(void)state;
	assert_false(symbol_filter_passes(filter, 0x1000, 0x10));
	assert_false(symbol_filter_passes(filter, 0x1010, 0x10));
	assert_true(symbol_filter_passes(filter, 0x1020, 0x10));
	assert_true(symbol_filter_passes(filter, 0x1020, 4)); /* an alias */
	assert_true(symbol_filter_passes(filter, 0x1030, 0x10));
	assert_false(symbol_filter_passes(filter, 0x1040, 0x10));
	assert_false(symbol_filter_has(filter, 0x1020));
	symbol_filter_destroy(filter);
}

static void it_is_sound_when_all_that_counts_was_a_symbol(void **state)
{
	static const struct row rows[] = { { 0x1000, 0x10, "a", STB_GLOBAL },
					   { 0x1010, 0x10, "b", STB_GLOBAL } };
	static const uint64_t address = 0x1008;
	struct symbol_filter *filter = survey(rows, 2, &address, 1);

	(void)state;
	symbol_filter_note(filter, 0x1000, 0x10);
	assert_false(symbol_filter_is_sound(filter));
	symbol_filter_note(filter, 0x5555, 0x10);
	symbol_filter_note(filter, 0x1010, 0);
	assert_true(symbol_filter_is_sound(filter));
	symbol_filter_note(filter, 0x1000, 0); /* a label at the start of a function */
	assert_false(symbol_filter_is_sound(filter));
	symbol_filter_destroy(filter);
}

/* As in handwritten code: the map does not need the other symbols. */
static void labels_are_sound_where_they_cannot_decide(void **state)
{
	static const struct row in_function[] = { { 0x1000, 0x100, "function", STB_GLOBAL },
						  { 0x1010, 0, "label", STB_LOCAL } };
	static const struct row shared_start[] = { { 0x1000, 0x10, "here", STB_GLOBAL },
						   { 0x1010, 0x10, "function", STB_LOCAL },
						   { 0x1010, 0, "label", STB_LOCAL },
						   { 0x1020, 0x10, "behind", STB_GLOBAL } };
	static const uint64_t inside = 0x1018, behind = 0x1100, at_pair = 0x1014, before_pair = 0x1008;

	(void)state;
	assert_true(assert_same_answers(in_function, 2, &inside, 1, SYMBOL_MAP_INNERMOST_FUNCTION));
	assert_false(assert_same_answers(in_function, 2, &behind, 1, SYMBOL_MAP_INNERMOST_FUNCTION));
	assert_true(assert_same_answers(shared_start, 4, &at_pair, 1, SYMBOL_MAP_INNERMOST_FUNCTION));
	assert_true(assert_same_answers(shared_start, 4, &before_pair, 1, SYMBOL_MAP_INNERMOST_FUNCTION));
}

static void the_ends_of_the_address_space_are_addresses_like_others(void **state)
{
	static const struct row rows[] = { { 0, 8, "zero", STB_GLOBAL },
					   { UINT64_MAX - 7, 16, "last", STB_GLOBAL },
					   { 0x1000, 0, "label", STB_GLOBAL } };
	static const uint64_t addresses[] = { 0, 7, 8, 0x1000, 0x1fff, 0x3000, UINT64_MAX - 7, UINT64_MAX };

	(void)state;
	assert_true(assert_same_answers(rows, 3, addresses, 8, SYMBOL_MAP_INNERMOST_FUNCTION));
	assert_true(assert_same_answers(rows, 0, addresses, 8, SYMBOL_MAP_INNERMOST_FUNCTION));
	assert_true(assert_same_answers(rows, 3, NULL, 0, SYMBOL_MAP_INNERMOST_FUNCTION));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_at_its_addresses_are_those_of_all_symbols),
		cmocka_unit_test(what_decides_nothing_does_not_pass),
		cmocka_unit_test(it_is_sound_when_all_that_counts_was_a_symbol),
		cmocka_unit_test(labels_are_sound_where_they_cannot_decide),
		cmocka_unit_test(the_ends_of_the_address_space_are_addresses_like_others),
	};

	return cmocka_run_group_tests_name("symbol/symbol_filter", tests, NULL, NULL);
}
