#ifndef XPROF_PROFILE_MATCH_NAME_H
#define XPROF_PROFILE_MATCH_NAME_H

/*
 * The part of a name that is the same in another build or another run: compilers append suffixes to copies of
 * a function, and the names of files of one process contain its pid.
 */

#include <stddef.h>

/*
 * The length of the name without what compilers add: GCC's .constprop.0 .isra.0 .part.0 .cold .lto_priv.0, also as
 * demanglers write it (" [clone .cold]"), LLVM's .llvm.1234 .__uniq.1234 and outlined functions, Rust's hash
 * ("::h0123456789abcdef"). At least 1.
 */
size_t match_function_length(const char *name);

/*
 * The name of a DSO without what is only one process's, in a buffer of `size` bytes, which may cut it:
 * "perf-1234.map" -> "perf-*.map", "jitted-12-3.so" -> "jitted-*.so", "[JIT] tid 12" -> "[JIT]". Returns `name`
 * itself when there is nothing to leave out.
 */
const char *match_dso_name(const char *name, char *buffer, size_t size);

#endif
