#include "archive/libarchive.h"

#include <dlfcn.h>
#include <string.h>

#include "support/cmocka.h"

#ifdef HAVE_LIBARCHIVE

static void every_function_is_the_one_of_its_name(void **state)
{
	void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
	struct libarchive library;
	struct error err;

	(void)state;
	if (!handle)
		skip();
	memset(&library, 0, sizeof(library));
	assert_int_equal(libarchive_load(&library, &err), 0);
#define ASSERT_FUNCTION(name)                                                    \
	do {                                                                     \
		void *function = dlsym(handle, #name);                           \
                                                                                 \
		assert_non_null(function);                                       \
		assert_memory_equal(&library.name, &function, sizeof(function)); \
	} while (0);
	LIBARCHIVE_FUNCTIONS(ASSERT_FUNCTION)
#undef ASSERT_FUNCTION
	dlclose(handle);
}

static void a_library_that_is_missing_is_named_with_its_packages(void **state)
{
	static const char expected[] =
		"libnone.so.13 cannot be loaded: install libarchive13 or libarchive13t64 (Debian, "
		"Ubuntu), or libarchive (Fedora) [";
	struct libarchive library;
	struct error err;

	(void)state;
	assert_int_equal(libarchive_load_named(&library, "libnone.so.13", &err), -1);
	err.message[sizeof(expected) - 1] = '\0'; /* the rest is the dynamic linker's */
	assert_string_equal(err.message, expected);
}

static void a_library_without_a_function_is_too_old(void **state)
{
	struct libarchive library;
	struct error err;

	(void)state;
	assert_int_equal(libarchive_load_named(&library, "libc.so.6", &err), -1);
	assert_string_equal(err.message,
			    "libc.so.6 has no archive_entry_filetype(): libarchive 3.3.3 or later is needed");
}

#else

static void xprof_without_it_says_so(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(libarchive_load(NULL, &err), -1);
	assert_string_equal(err.message,
			    "this xprof was built without libarchive, see 'xprof version --build-options'");
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_LIBARCHIVE
		cmocka_unit_test(every_function_is_the_one_of_its_name),
		cmocka_unit_test(a_library_that_is_missing_is_named_with_its_packages),
		cmocka_unit_test(a_library_without_a_function_is_too_old),
#else
		cmocka_unit_test(xprof_without_it_says_so),
#endif
	};

	return cmocka_run_group_tests_name("archive/libarchive", tests, NULL, NULL);
}
