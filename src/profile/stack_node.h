#ifndef XPROF_PROFILE_STACK_NODE_H
#define XPROF_PROFILE_STACK_NODE_H

/* A frame as a node in the tree of all stacks; how it was found, and why the stack ends. */

#include <stdbool.h>
#include <stdint.h>

#define PROFILE_NONE UINT32_MAX

/* perf prints these as [.] [k] [H] [g] [u]. */
enum frame_mode {
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_HYPERVISOR,
	FRAME_GUEST_KERNEL,
	FRAME_GUEST_USER,
};

/*
 * How the frame was found: by the unwinder (see enum unwind_how), in the kernel's callchain, in another stack of the thread,
 * or otherwise.
 */
enum frame_origin {
	FRAME_SAMPLED,      /* the sample's own instruction pointer */
	FRAME_KERNEL_CHAIN, /* in the callchain that the kernel delivered (frame pointers in user space) */
	FRAME_POINTER,      /* by xprof's own frame-pointer step, which passed all checks but is not proved */
	FRAME_CFI,          /* by call frame information */
	FRAME_SIGNAL, /* by the CFI of a signal frame: the interrupted instruction or the trampoline, not a return
			 address */
	FRAME_GUESSED, /* a word of the stack that points behind a call, because nothing else was found; or a caller of
			  such a frame */
	FRAME_JOINED, /* from another stack of the thread: see STACK_END_JOINED */
	FRAME_CONTINUED, /* above the dump: a return address that the recorder read from the process before and after
			    the sample */
	FRAME_ELIDED, /* stands for frames that the recorder left out; the name of its function tells how many */
	FRAME_CODE, /* without call frame information: by the effect of its callee's instructions on the stack */
	FRAME_ASSUMED, /* likewise, assuming that functions called on the way restore the stack pointer, which is not proved */
	FRAME_LBR,    /* a call that the CPU kept: PERF_SAMPLE_BRANCH_CALL_STACK */
	FRAME_BRANCH, /* not a call, but the source or target of a branch before the sample: see
			 format/branch_history.h */
	/* --wakers: frames of the thread that woke this one, in reverse order: the "caller" of a frame is its callee. */
	FRAME_WAKER,        /* an instruction, or a text (raw_profile_label()) */
	FRAME_WAKER_CALLER, /* a caller: in user space a return address */
};

static inline bool frame_origin_is_waker(enum frame_origin origin)
{
	return origin == FRAME_WAKER || origin == FRAME_WAKER_CALLER;
}

/*
 * Why the stack has no further caller. Determined when all parts of the stack and the names of its functions are known;
 * enum unwind_end is only one source. Reports list equally frequent reasons in this order.
 */
enum stack_end {
	STACK_END_UNKNOWN,  /* the recording does not say */
	STACK_END_NO_CHAIN, /* only the instruction pointer was recorded */
	STACK_END_REPLACED, /* in the kernel, when exec had already removed the program's stack: nothing else was there to record */
	STACK_END_ROOT,   /* _start, a thread's start routine, or the kernel's entry for kernel-only tasks */
	STACK_END_NO_CFI, /* no CFI for the code, and no valid frame pointer */
	STACK_END_CHAIN,  /* the kernel's callchain ended, but not at a known root */
	STACK_END_DUMP,   /* the stack dump was exhausted */
	/*
	 * it continues where no dump can reach: below the alternate stack of a signal handler, or on a page
	 * that is not present
	 */
	STACK_END_OUT_OF_REACH,
	STACK_END_BAD_CFI,    /* the CFI leads to no valid frame */
	STACK_END_BAD_RETURN, /* the return address does not point to code */
	STACK_END_DEPTH,      /* at the kernel's or our depth limit */
	STACK_END_UNNAMED,    /* it ended in the C library, whose symbols are missing: perhaps at a root */
	STACK_END_JOINED, /* the dump was exhausted; the callers up to the root come from another stack of the thread */
	STACK_END_ASSUMED, /* as STACK_END_ROOT, but with a FRAME_ASSUMED */
	STACK_END_COUNT,
};

#define STACK_PATH_ROOT 0u /* the path of a root's missing caller: see profile_stack_path() */

struct profile_stack {   /* one node of the prefix tree; a stack is identified by its leaf node */
	uint32_t parent; /* the caller's node, less than the node's own number; PROFILE_NONE for a root */
	uint32_t location;
	uint8_t origin; /* enum frame_origin */
	uint16_t depth; /* number of callers; root 0 */
};

#endif
