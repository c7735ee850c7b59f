#include "symbol/symbol_lists.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/named_address.h"

static struct symbol_lists *make_lists(void)
{
	struct symbol_lists *lists = symbol_lists_create();

	symbol_lists_add_symbol(lists, "of no file", 10, 0x1000, 16);
	symbol_lists_add_file(lists, &(struct symbol_list_file){ .path = "/lib/a.so, and more",
								 .path_size = strlen("/lib/a.so"),
								 .kind = SYMBOL_LIST_ELF,
								 .min_vaddr = 0x2000,
								 .has_place = true,
								 .place = 0x800 });
	symbol_lists_add_symbol(lists, "first", 5, 0x2000, 16);
	symbol_lists_add_symbol(lists, "second, and more", 6, 0x2010, 0);
	symbol_lists_add_symbol(lists, "", 0, 0x2008, 8);
	return lists;
}

static const char *name_at(struct symbol_list *list, uint64_t vaddr)
{
	return named_address_of(symbol_list_map(list, NULL, NULL), vaddr);
}

static void symbols_are_found_by_file_and_address(void **state)
{
	struct symbol_lists *lists = make_lists();
	struct symbol_list *list = symbol_lists_find(lists, "/lib/a.so");

	(void)state;
	assert_non_null(list);
	assert_string_equal(name_at(list, 0x2009), "first");
	assert_string_equal(name_at(list, 0x2010), "second");
	assert_string_equal(name_at(list, 0x1000), "nothing");
	assert_null(symbol_lists_find(lists, "/lib/b.so"));
	symbol_lists_destroy(lists);
}

static void the_first_of_two_lists_of_a_file_counts(void **state)
{
	struct symbol_lists *lists = make_lists();

	(void)state;
	symbol_lists_add_file(lists, &(struct symbol_list_file){ .path = "/lib/a.so", .path_size = 9 });
	symbol_lists_add_symbol(lists, "other", 5, 0x2000, 16);
	assert_string_equal(name_at(symbol_lists_find(lists, "/lib/a.so"), 0x2000), "first");
	symbol_lists_destroy(lists);
}

static void a_file_without_symbols_has_no_list(void **state)
{
	struct symbol_lists *lists = symbol_lists_create();

	(void)state;
	symbol_lists_add_file(lists, &(struct symbol_list_file){ .path = "/lib/a.so", .path_size = 9 });
	assert_null(symbol_lists_find(lists, "/lib/a.so"));
	symbol_lists_destroy(lists);
}

/* Distance between addresses in an object and vaddrs in its list. */
static uint64_t relocation(enum symbol_list_kind kind, bool has_place, uint64_t code_start)
{
	struct symbol_lists *lists = symbol_lists_create();
	uint64_t distance;

	symbol_lists_add_file(lists, &(struct symbol_list_file){ .path = "x",
								 .path_size = 1,
								 .kind = kind,
								 .min_vaddr = 0x2000,
								 .has_place = has_place,
								 .place = 0x800 });
	symbol_lists_add_symbol(lists, "f", 1, 0x2000, 16);
	distance = symbol_list_relocation(symbol_lists_find(lists, "x"), code_start);
	symbol_lists_destroy(lists);
	return distance;
}

static void addresses_are_those_of_the_object(void **state)
{
	(void)state;
	/* min_vaddr is at file offset 0x800 or, in older versions, which do not say so, where the mapping begins. */
	assert_true(relocation(SYMBOL_LIST_ELF, true, 0x1000) == (uint64_t)0x800 - 0x2000);
	assert_true(relocation(SYMBOL_LIST_ELF, false, 0x1000) == (uint64_t)0x1000 - 0x2000);
	assert_true(relocation(SYMBOL_LIST_MODULE, true, 0xffffffffc0000000) == 0xffffffffc0000800 - 0x2000);
	assert_true(relocation(SYMBOL_LIST_PLAIN, true, 0x1000) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_found_by_file_and_address),
		cmocka_unit_test(the_first_of_two_lists_of_a_file_counts),
		cmocka_unit_test(a_file_without_symbols_has_no_list),
		cmocka_unit_test(addresses_are_those_of_the_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
