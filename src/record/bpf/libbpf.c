/* Loads libbpf with dlopen(), see libbpf.h. */

#include "record/bpf/libbpf.h"

#ifdef HAVE_LIBBPF

#include <stddef.h>

#include "base/shared_library.h"

int libbpf_load(struct libbpf *library, struct error *err)
{
	static const struct shared_library_function functions[] = {
#define FUNCTION(name) { #name, offsetof(struct libbpf, name), false },
		LIBBPF_FUNCTIONS(FUNCTION)
#undef FUNCTION
	};
	static const struct shared_library libbpf = {
		.name = "libbpf.so.1",
		.remedy = "install libbpf1 (Debian, Ubuntu) or libbpf (Fedora)",
		.version = "libbpf 1.0",
		.functions = functions,
		.n_functions = sizeof(functions) / sizeof(*functions),
	};

	return shared_library_load(&libbpf, library, err);
}

#else /* no libbpf */

int libbpf_load(struct libbpf *library, struct error *err)
{
	(void)library;
	return error_set(err, "this xprof was built without libbpf, see 'xprof version --build-options'");
}

#endif
