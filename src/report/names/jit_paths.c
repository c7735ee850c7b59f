/* Recognises DSOs with code of JIT compilers, for the views that mark it. */
#include "report/names/jit_paths.h"

#include <string.h>

#include "symbol/jitdump.h"

bool jit_paths_contain(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(path, "/tmp/perf-", 10) || !strncmp(path, "[JIT]", 5) || jitdump_is_path(path) ||
	       (slash && !strncmp(slash, "/jitted-", 8));
}
