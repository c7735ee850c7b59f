#ifndef XPROF_SYMBOL_SWIFT_DEMANGLER_H
#define XPROF_SYMBOL_SWIFT_DEMANGLER_H

/*
 * Swift names (https://github.com/apple/swift/blob/main/docs/ABI/Mangling.rst) as their authors wrote them, by the
 * library that Swift itself brings for it: libswiftDemangle of its tool chain, else libswiftCore of its run time. No
 * distribution packages either for others to link with, so they are loaded when a Swift name is met.
 */

#include <stdbool.h>
#include <stddef.h>

struct swift_demangler; /* one thread at a time */

/* Where the dynamic linker finds none, a demangler that knows no name. */
struct swift_demangler *swift_demangler_create(void);
void swift_demangler_destroy(struct swift_demangler *demangler);

/* "$s…", "_$s…" and what Swift had before version 5. */
bool swift_demangler_is_swift(const char *name);

/* malloc()ed; NULL where the library is not there or does not know the name. Without parameters as short as it can. */
char *swift_demangler_name(struct swift_demangler *demangler, const char *name, bool parameters);

#endif
