#include "report/view/jit_frame.h"

#include <string.h>

#include "symbol/jitdump.h"

/*
 * perf's maps of JIT compilers name their DSO after themselves: /tmp/perf-PID.map, and [JIT] tid PID; jitdump files and
 * what perf inject --jit makes of them are called jit-PID.dump and jitted-PID-NUMBER.so wherever they lie.
 */
static bool is_path_of_jit_code(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strncmp(path, "/tmp/perf-", 10) || !strncmp(path, "[JIT]", 5) || jitdump_is_path(path) ||
	       (slash && !strncmp(slash, "/jitted-", 8));
}

bool frame_is_jit(const struct profile *profile, const struct profile_stack *node, const struct frame *frame)
{
	if (node->origin == FRAME_JIT)
		return true;
	return frame->dso != PROFILE_NONE &&
	       is_path_of_jit_code(profile_text(profile, profile_dso_at(profile, frame->dso)->path));
}
