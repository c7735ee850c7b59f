/*
 * Expands the list of functions in the header into the table that shared_library_load() wants or, in a static program, into
 * their addresses.
 */
#include "archive/libarchive.h"

#if defined(HAVE_LIBARCHIVE) && defined(XPROF_STATIC)

int libarchive_load(struct libarchive *library, struct error *err)
{
	(void)err;
#define FUNCTION(name) library->name = name;
	LIBARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
	return 0;
}

#elif defined(HAVE_LIBARCHIVE)

#include <stddef.h>

#include "base/shared_library.h"

int libarchive_load(struct libarchive *library, struct error *err)
{
	static const struct shared_library_function functions[] = {
#define FUNCTION(name) { #name, offsetof(struct libarchive, name), false },
		LIBARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
	};
	static const struct shared_library libarchive = {
		.name = "libarchive.so.13", /* its ABI since libarchive 3.0 */
		.remedy = "install libarchive13 or libarchive13t64 (Debian, Ubuntu), or libarchive (Fedora)",
		.version = "libarchive 3.3.3", /* the newest functions of the list are those for zstd */
		.functions = functions,
		.n_functions = sizeof(functions) / sizeof(*functions),
	};

	return shared_library_load(&libarchive, library, err);
}

#else /* no libarchive */

int libarchive_load(struct libarchive *library, struct error *err)
{
	(void)library;
	return error_set(err, "this xprof was built without libarchive, see 'xprof version --build-options'");
}

#endif
