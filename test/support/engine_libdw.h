#ifndef XPROF_TEST_SUPPORT_ENGINE_LIBDW_H
#define XPROF_TEST_SUPPORT_ENGINE_LIBDW_H

/*
 * A second opinion: the same walk by libdw's unwinder (libdwfl). It reads the files of modules by path, replays an FDE's
 * program for every frame, and follows a frame pointer if nothing else is left; elfutils 0.188 was seen to do so behind
 * glibc's signal trampoline, which loses the interrupted function. For one thread at a time.
 */

#include "unwind/unwinder.h"

struct engine_libdw;

struct engine_libdw *engine_libdw_create(void);
void engine_libdw_destroy(struct engine_libdw *engine);

/* As unwinder_walk(). Frames are UNWIND_HOW_CFI or UNWIND_HOW_SIGNAL. Modules without a file are unknown to it. */
void engine_libdw_walk(struct engine_libdw *engine, const struct unwind_input *input,
		       struct unwind_stack *stack);

#endif
