#ifndef XPROF_SYMBOL_DEMANGLE_H
#define XPROF_SYMBOL_DEMANGLE_H

/*
 * C++ (Itanium ABI), Rust (legacy and v0) and D names as their authors wrote
 * them, by libiberty; without libiberty every name is taken as it stands.
 */

#include <stdbool.h>

/*
 * malloc()ed, or NULL when the name is not mangled or reads absurdly long. A
 * suffix "@plt" is kept. Without parameters "ns::f", with them "ns::f(int)".
 */
char *demangle_name(const char *name, bool parameters);

#endif
