#include "symbol/swift_demangler.h"

#include <stdlib.h>

#include "support/cmocka.h"

static void names_of_swift_are_told_by_their_beginnings(void **state)
{
	(void)state;
	assert_true(swift_demangler_is_swift("$s4main3fooyyF"));
	assert_true(swift_demangler_is_swift("_$s4main3fooyyF"));
	assert_true(swift_demangler_is_swift("$S4main3fooyyF"));
	assert_true(swift_demangler_is_swift("_T04main3fooyyF"));
	assert_false(swift_demangler_is_swift("_ZN3foo3barEv"));
	assert_false(swift_demangler_is_swift("$x"));
	assert_false(swift_demangler_is_swift("_"));
	assert_false(swift_demangler_is_swift(""));
	assert_false(swift_demangler_is_swift("main"));
}

/* Holds with or without Swift installed; test/e2e/swift_names.t has its own library. */
static void what_is_no_name_is_left_alone(void **state)
{
	struct swift_demangler *demangler = swift_demangler_create();

	(void)state;
	assert_null(swift_demangler_name(demangler, "$s?", false));
	assert_null(swift_demangler_name(demangler, "$s?", true));
	swift_demangler_destroy(demangler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_swift_are_told_by_their_beginnings),
		cmocka_unit_test(what_is_no_name_is_left_alone),
	};

	return cmocka_run_group_tests_name("symbol/swift_demangler", tests, NULL, NULL);
}
