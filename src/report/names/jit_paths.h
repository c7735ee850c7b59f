#ifndef XPROF_REPORT_NAMES_JIT_PATHS_H
#define XPROF_REPORT_NAMES_JIT_PATHS_H

#include <stdbool.h>

/*
 * Is a DSO with this path code that a JIT compiler made? The DSO of a perf map is called /tmp/perf-PID.map or
 * [JIT] tid PID; jitdump files and what perf inject --jit makes of them are called jit-PID.dump and
 * jitted-PID-NUMBER.so wherever they lie.
 */
bool jit_paths_contain(const char *path);

#endif
