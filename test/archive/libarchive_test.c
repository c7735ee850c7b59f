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
#else
		cmocka_unit_test(xprof_without_it_says_so),
#endif
	};

	return cmocka_run_group_tests_name("archive/libarchive", tests, NULL, NULL);
}
