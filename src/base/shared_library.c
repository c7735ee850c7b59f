/* A loop of dlsym() over the caller's list; each pointer is copied to its offset in the caller's struct. */
#include "base/shared_library.h"

#ifndef XPROF_STATIC

#include <dlfcn.h>
#include <string.h>

int shared_library_load(const struct shared_library *library, void *pointers, struct error *err)
{
	/*
	 * Never closed: some libraries react to the end of threads and of the process, and libraries that they need, for TLS, do
	 * not survive unloading on all systems.
	 */
	void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return error_set(err, "%s cannot be loaded: %s [%s]", library->name, library->remedy,
				 dlerror());
	for (size_t i = 0; i < library->n_functions; i++) {
		const struct shared_library_function *wanted = &library->functions[i];
		void *function = dlsym(handle, wanted->name);

		if (!function && !wanted->optional)
			return error_set(err, "%s has no %s(): %s or later is needed", library->name,
					 wanted->name, library->version);
		/* POSIX, dlsym(): it is a function pointer, but ISO C has no conversion for that. */
		memcpy((char *)pointers + wanted->offset, &function, sizeof(function));
	}
	return 0;
}

#else /* a static program's C library may differ from the system's, which the system's libraries need */

int shared_library_load(const struct shared_library *library, void *pointers, struct error *err)
{
	(void)pointers;
	return error_set(err,
			 "%s cannot be loaded: this xprof is statically linked and cannot load libraries",
			 library->name);
}

#endif
