#ifndef XPROF_UNWIND_STACK_SPLICE_H
#define XPROF_UNWIND_STACK_SPLICE_H

/*
 * Continues a stack whose dump was too short with the chain of frame pointers that the kernel followed at the
 * same moment, which is not limited to the dump.
 *
 *   kernel's chain   pc   c1     c2     c3 …         c[i] was read at fp[i] + 8
 *   frame pointers     fp1 -> fp2 -> fp3 …           as far as they lie in the dump
 *   unwound          pc  f1 f2 f3 .. ?               the return address behind ? is missing
 *
 * If the kernel read an entry at the address of the missing word, that entry is exactly the caller. The next
 * entry is the caller's caller if the CFI of both says that frames are linked by their frame pointers, and so
 * on.
 */

#include "unwind/unwinder.h"

/*
 * `chain` is the user part of the kernel's chain, leaf first, beginning with the sampled pc; `stack` is the
 * result of unwinder_walk() for the same input. Returns the number of added frames (UNWIND_HOW_KERNEL_CHAIN);
 * the end becomes UNWIND_END_ROOT if the last one is a root.
 */
size_t stack_splice(struct unwinder *unwinder, const struct unwind_input *input, const uint64_t *chain,
		    size_t chain_count, struct unwind_stack *stack);

#endif
