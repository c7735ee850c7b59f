#include "support/stack_paths.h"

#include "support/cmocka.h"

void assert_stack_paths(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile_stack_count(profile); i++) {
		const struct profile_stack *node = profile_stack_at(profile, i);
		const uint32_t above = node->parent == PROFILE_NONE ?
					       STACK_PATH_ROOT :
					       profile_stack_at(profile, node->parent)->path;

		assert_int_equal(node->path,
				 profile_stack_path(above, node->location, (enum frame_origin)node->origin));
	}
}
