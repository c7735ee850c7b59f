#ifndef XPROF_UNWIND_ENGINE_LIBUNWIND_H
#define XPROF_UNWIND_ENGINE_LIBUNWIND_H

/*
 * A second opinion: the same walk by libunwind's remote unwinder, which shares only the input with
 * unwinder.h. It uses only .eh_frame with a lookup table, follows no unproved frame pointers and does not
 * tell how a frame was found. Not thread-safe.
 */

#include "unwind/unwinder.h"

struct engine_libunwind;

/*
 * Returns NULL with err set if xprof was built without libunwind, or libunwind does not support this machine.
 */
struct engine_libunwind *engine_libunwind_create(struct error *err);
void engine_libunwind_destroy(struct engine_libunwind *engine);

/* As unwinder_walk(). Frames are UNWIND_HOW_CFI, or UNWIND_HOW_SIGNAL. */
void engine_libunwind_walk(struct engine_libunwind *engine, const struct unwind_input *input,
			   struct unwind_stack *stack);

#endif
