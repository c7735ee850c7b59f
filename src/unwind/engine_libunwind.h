#ifndef XPROF_UNWIND_ENGINE_LIBUNWIND_H
#define XPROF_UNWIND_ENGINE_LIBUNWIND_H

/*
 * A second opinion: the same walk by libunwind's remote unwinder, which shares
 * with the engine of unwinder.h nothing but the bytes. It knows .eh_frame with a
 * table alone, follows no frame pointer without proof and does not say how a
 * frame was found. For one thread at a time.
 */

#include "unwind/unwinder.h"

struct engine_libunwind;

/* NULL when xprof was built without libunwind, or for another machine than this one (err). */
struct engine_libunwind *engine_libunwind_create(struct error *err);
void engine_libunwind_destroy(struct engine_libunwind *engine);

/* As unwinder_walk(). Frames are UNWIND_HOW_CFI, or UNWIND_HOW_SIGNAL. */
void engine_libunwind_walk(struct engine_libunwind *engine, const struct unwind_input *input,
			   struct unwind_stack *stack);

#endif
