/*
 * Loads the first of two libraries that is installed, by dlopen(), and calls the functions that it exports. The lengths
 * of input and output are bounded; without either library every name stays as it is.
 */
#include "symbol/swift_demangler.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/shared_library.h"
#include "base/xalloc.h"

enum {
	MAX_MANGLED_BYTES = 64 * 1024,
	MAX_SHOWN_BYTES = 64 * 1024,
};

/* SwiftDemangle.h: returns the length of the whole text and writes as much as fits; 0: not a Swift name. */
typedef size_t demangle_into(const char *mangled, char *out, size_t size_bytes);

/* swift/Demangling/Demangle.h: the text is malloc()ed if no buffer is given; NULL: not a Swift name. */
typedef char *demangle_new(const char *mangled, size_t length, char *out, size_t *size_bytes, uint32_t flags);

struct swift_demangler {
	demangle_into *whole, *simplified; /* from libswiftDemangle */
	demangle_new *of_run_time;         /* from libswiftCore */
};

static const struct shared_library_function of_tool_chain[] = {
	{ "swift_demangle_getDemangledName", offsetof(struct swift_demangler, whole), false },
	{ "swift_demangle_getSimplifiedDemangledName", offsetof(struct swift_demangler, simplified), true },
};

static const struct shared_library_function of_run_time[] = {
	{ "swift_demangle", offsetof(struct swift_demangler, of_run_time), false },
};

/* Best first. */
static const struct shared_library libraries[] = {
	{ "libswiftDemangle.so", "install Swift's tool chain", "Swift 5", of_tool_chain,
	  sizeof(of_tool_chain) / sizeof(*of_tool_chain) },
	{ "libswiftCore.so", "install Swift's run time", "Swift 5", of_run_time,
	  sizeof(of_run_time) / sizeof(*of_run_time) },
};

struct swift_demangler *swift_demangler_create(void)
{
	struct swift_demangler *demangler = xcalloc(1, sizeof(*demangler));
	struct error unsaid; /* ignored: without either library, names stay as they are */
	bool loaded = false;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries) && !loaded; i++)
		loaded = shared_library_load(&libraries[i], demangler, &unsaid) == 0;
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

	/* Some versions return a name unchanged if they cannot demangle it. */
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
