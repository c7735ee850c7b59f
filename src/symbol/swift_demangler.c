#include "symbol/swift_demangler.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	MAX_MANGLED_BYTES = 64 * 1024,
	MAX_SHOWN_BYTES = 64 * 1024,
};

/* SwiftDemangle.h: the length of the whole text, of which as much as fits is written; 0: no name of Swift's. */
typedef size_t demangle_into(const char *mangled, char *out, size_t size_bytes);

/* swift/Demangling/Demangle.h: malloc()ed where no buffer is given; NULL: no name of Swift's. */
typedef char *demangle_new(const char *mangled, size_t length, char *out, size_t *size_bytes, uint32_t flags);

struct swift_demangler {
	demangle_into *whole, *simplified; /* of libswiftDemangle */
	demangle_new *of_run_time;         /* of libswiftCore */
};

static void take_function(void *library, const char *name, void *member)
{
	void *function = library ? dlsym(library, name) : NULL;

	memcpy(member, &function, sizeof(function));
}

struct swift_demangler *swift_demangler_create(void)
{
	struct swift_demangler *demangler = xcalloc(1, sizeof(*demangler));
	/* Never closed: they have threads' and processes' ends to be told of. */
	void *library = dlopen("libswiftDemangle.so", RTLD_NOW | RTLD_LOCAL);

	take_function(library, "swift_demangle_getDemangledName", &demangler->whole);
	take_function(library, "swift_demangle_getSimplifiedDemangledName", &demangler->simplified);
	if (!demangler->whole)
		take_function(dlopen("libswiftCore.so", RTLD_NOW | RTLD_LOCAL), "swift_demangle",
			      &demangler->of_run_time);
	return demangler;
}

void swift_demangler_destroy(struct swift_demangler *demangler)
{
	free(demangler);
}

bool swift_demangler_is_swift(const char *name)
{
	if (name[0] == '_' && name[1] == 'T')
		return name[2] == '0';
	name += name[0] == '_';
	return name[0] == '$' && (name[1] == 's' || name[1] == 'S');
}

static char *call_into(demangle_into *demangle, const char *name)
{
	char *text = xmalloc(MAX_SHOWN_BYTES);
	const size_t length = demangle(name, text, MAX_SHOWN_BYTES);

	/* Names that it does not know are given back as they are by some versions. */
	if (length == 0 || length >= MAX_SHOWN_BYTES || strcmp(text, name) == 0) {
		free(text);
		return NULL;
	}
	return xrealloc(text, length + 1);
}

char *swift_demangler_name(struct swift_demangler *demangler, const char *name, bool parameters)
{
	const size_t length = strnlen(name, MAX_MANGLED_BYTES);

	if (length == MAX_MANGLED_BYTES)
		return NULL;
	if (demangler->simplified && !parameters)
		return call_into(demangler->simplified, name);
	if (demangler->whole)
		return call_into(demangler->whole, name);
	return demangler->of_run_time ? demangler->of_run_time(name, length, NULL, NULL, 0) : NULL;
}
