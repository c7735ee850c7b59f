#ifndef XPROF_TEST_SUPPORT_STACK_PATHS_H
#define XPROF_TEST_SUPPORT_STACK_PATHS_H

/* Checks that each node of a profile is where its caller's path says: see profile_stack_path(). */

#include "profile/profile.h"

void assert_stack_paths(const struct profile *profile);

#endif
