#include "archive/libarchive.h"

#ifdef HAVE_LIBARCHIVE

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset; /* in struct libarchive */
} functions[] = {
#define FUNCTION(name) { #name, offsetof(struct libarchive, name) },
	LIBARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

int libarchive_load_named(struct libarchive *library, const char *name, struct error *err)
{
	/* Never closed: libraries that it needs, for TLS, do not survive being unloaded everywhere. */
	void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(err,
				 "%s cannot be loaded: install libarchive13 or libarchive13t64 (Debian, "
				 "Ubuntu), or libarchive (Fedora) [%s]",
				 name, dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *function = dlsym(handle, functions[i].name);

		/* The youngest of them are those of zstd. */
		if (!function)
			return error_set(err, "%s has no %s(): libarchive 3.3.3 or later is needed", name,
					 functions[i].name);
		memcpy((char *)library + functions[i].offset, &function, sizeof(function));
	}
	return 0;
}

int libarchive_load(struct libarchive *library, struct error *err)
{
	return libarchive_load_named(library, "libarchive.so.13", err); /* its ABI since libarchive 3.0 */
}

#else /* no libarchive */

int libarchive_load(struct libarchive *library, struct error *err)
{
	(void)library;
	return error_set(err, "this xprof was built without libarchive, see 'xprof version --build-options'");
}

#endif
