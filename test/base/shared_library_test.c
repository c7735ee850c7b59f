#include "base/shared_library.h"

#include <string.h>

#include "support/cmocka.h"

struct pointers {
	size_t (*length)(const char *text);
	int (*compare)(const char *a, const char *b);
};

/* Loads the C library, which exists wherever this runs; one function can be given another name. */
static int load(const char *library_name, const char *compare_name, bool optional, struct pointers *pointers,
		struct error *err)
{
	const struct shared_library_function functions[] = {
		{ "strlen", offsetof(struct pointers, length), false },
		{ compare_name, offsetof(struct pointers, compare), optional },
	};
	const struct shared_library library = {
		.name = library_name,
		.remedy = "install libc6 (Debian)",
		.version = "glibc 9.9",
		.functions = functions,
		.n_functions = sizeof(functions) / sizeof(*functions),
	};

	memset(pointers, 0xff, sizeof(*pointers));
	return shared_library_load(&library, pointers, err);
}

static void every_pointer_is_the_function_of_its_name(void **state)
{
	struct pointers pointers;
	struct error err;

	(void)state;
	assert_int_equal(load("libc.so.6", "strcmp", false, &pointers, &err), 0);
	assert_int_equal(pointers.length("four"), 4);
	assert_int_equal(pointers.compare("same", "same"), 0);
}

static void a_library_that_is_missing_is_named_with_what_brings_it(void **state)
{
	static const char expected[] = "libnone.so.6 cannot be loaded: install libc6 (Debian) [";
	struct pointers pointers;
	struct error err;

	(void)state;
	assert_int_equal(load("libnone.so.6", "strcmp", false, &pointers, &err), -1);
	err.message[sizeof(expected) - 1] = '\0'; /* the dynamic linker writes the rest */
	assert_string_equal(err.message, expected);
}

static void a_library_without_a_function_is_too_old(void **state)
{
	struct pointers pointers;
	struct error err;

	(void)state;
	assert_int_equal(load("libc.so.6", "strcmp_of_tomorrow", false, &pointers, &err), -1);
	assert_string_equal(err.message,
			    "libc.so.6 has no strcmp_of_tomorrow(): glibc 9.9 or later is needed");
	assert_int_equal(pointers.length("four"), 4); /* filled in before the failure */
}

static void an_optional_function_that_is_missing_is_null(void **state)
{
	struct pointers pointers;
	struct error err;

	(void)state;
	assert_int_equal(load("libc.so.6", "strcmp_of_tomorrow", true, &pointers, &err), 0);
	assert_int_equal(pointers.length("four"), 4);
	assert_null(pointers.compare);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pointer_is_the_function_of_its_name),
		cmocka_unit_test(a_library_that_is_missing_is_named_with_what_brings_it),
		cmocka_unit_test(a_library_without_a_function_is_too_old),
		cmocka_unit_test(an_optional_function_that_is_missing_is_null),
	};

	return cmocka_run_group_tests_name("base/shared_library", tests, NULL, NULL);
}
