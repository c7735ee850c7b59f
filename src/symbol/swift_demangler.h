#ifndef XPROF_SYMBOL_SWIFT_DEMANGLER_H
#define XPROF_SYMBOL_SWIFT_DEMANGLER_H

/*
 * Demangles Swift names (https://github.com/apple/swift/blob/main/docs/ABI/Mangling.rst) with a library of Swift:
 * libswiftDemangle from its tool chain, or else libswiftCore from its run time. Distributions do not package them
 * for linking, so one is loaded at the first Swift name.
 */

#include <stdbool.h>

struct swift_demangler; /* not thread-safe */

/* If neither library is installed, creates a demangler that demangles nothing. */
struct swift_demangler *swift_demangler_create(void);
void swift_demangler_destroy(struct swift_demangler *demangler);

/* Is the name mangled by Swift: "$s…", "_$s…", or a prefix from before version 5? */
bool swift_demangler_is_swift(const char *name);

/*
 * Returns a malloc()ed name; NULL if the library is missing or does not know the name. Without `parameters`, the
 * shortest form that the library can give.
 */
char *swift_demangler_name(struct swift_demangler *demangler, const char *name, bool parameters);

#endif
