#ifndef XPROF_TEST_SUPPORT_ENGINE_LIBDW_H
#define XPROF_TEST_SUPPORT_ENGINE_LIBDW_H

/*
 * A second opinion: the same walk by libdw's unwinder (libdwfl), which reads the
 * files of modules by their paths, replays an FDE's program for every frame and
 * follows a frame pointer where nothing else is left; elfutils 0.188 was seen to
 * do so behind glibc's signal trampoline, which loses the interrupted function. For one thread at a time.
 */

#include "unwind/unwinder.h"

struct engine_libdw;

struct engine_libdw *engine_libdw_create(void);
void engine_libdw_destroy(struct engine_libdw *engine);

/* As unwinder_walk(). Frames are UNWIND_HOW_CFI, or UNWIND_HOW_SIGNAL. Modules that are in no file are not known. */
void engine_libdw_walk(struct engine_libdw *engine, const struct unwind_input *input,
		       struct unwind_stack *stack);

#endif
