#ifndef XPROF_SYMBOL_DEMANGLE_H
#define XPROF_SYMBOL_DEMANGLE_H

/*
 * Demangles C++ (Itanium ABI), Rust (legacy and v0) and D names with libiberty. Without libiberty no name is
 * demangled.
 */

#include <stdbool.h>

/*
 * Returns a malloc()ed name, or NULL if `name` is not mangled or its demangled form is too long. A suffix
 * "@plt" is kept. Without parameters "ns::f", with them "ns::f(int)".
 */
char *demangle_name(const char *name, bool parameters);

#endif
