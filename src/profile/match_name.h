#ifndef XPROF_PROFILE_MATCH_NAME_H
#define XPROF_PROFILE_MATCH_NAME_H

/*
 * Finds the part of a name that does not change between builds and runs: compilers append suffixes to copies
 * of a function, and names of JIT files contain the pid.
 */

#include <stddef.h>

/*
 * The length of the name without suffixes of compilers: GCC's .constprop.0 .isra.0 .part.0 .cold .lto_priv.0, also
 * as demanglers write it (" [clone .cold]"), LLVM's .llvm.1234 .__uniq.1234 and outlined functions, Rust's hash
 * ("::h0123456789abcdef"). At least 1.
 */
size_t match_function_length(const char *name);

/*
 * Writes the name of a DSO without pids and the like to `buffer` of `size` bytes, cut if it is longer:
 * "perf-1234.map" -> "perf-*.map", "jitted-12-3.so" -> "jitted-*.so", "[JIT] tid 12" -> "[JIT]". Returns
 * `buffer`, or `name` itself if there is nothing to remove.
 */
const char *match_dso_name(const char *name, char *buffer, size_t size);

#endif
