#ifndef XPROF_UNWIND_STACK_SPLICE_H
#define XPROF_UNWIND_STACK_SPLICE_H

/*
 * A stack that its dump was too short for, continued by the chain of frame
 * pointers that the kernel followed in the same moment, which is not bound to
 * what was dumped.
 *
 *   kernel's chain   pc   c1     c2     c3 …         c[i] was read at fp[i] + 8
 *   frame pointers     fp1 -> fp2 -> fp3 …           as far as they lie in the dump
 *   unwound          pc  f1 f2 f3 .. ?               the return address behind ? is missing
 *
 * When the missing word is the very one that the kernel read an entry from, the
 * entry is the caller, exactly. The next one is the caller's caller if both rows
 * say that frames are linked by their frame pointers, and so on.
 */

#include "unwind/unwinder.h"

/*
 * `chain` is the user part of the kernel's chain, leaf first and beginning with the sampled pc; `stack` what
 * unwinder_walk() made of the same input. How many frames were added (UNWIND_HOW_KERNEL_CHAIN); the end becomes
 * UNWIND_END_ROOT if the last one is one.
 */
size_t stack_splice(struct unwinder *unwinder, const struct unwind_input *input, const uint64_t *chain,
		    size_t chain_count, struct unwind_stack *stack);

#endif
