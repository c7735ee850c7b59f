#ifndef XPROF_TEST_TRUTH_FOLLOW_EMULATED_H
#define XPROF_TEST_TRUTH_FOLLOW_EMULATED_H

/* As follow(), for a program of aarch64 in an emulator, from its entry point on. */

#include "truth/follow.h"

int follow_emulated(char *const arguments[], const struct follow_options *options, struct module_cache *cache,
		    struct unwinder *unwinder, struct follow_result *result, struct error *err);

#endif
