#ifndef XPROF_PROFILE_STACK_NODE_H
#define XPROF_PROFILE_STACK_NODE_H

/* A frame of a stack, as a node of the tree of all stacks; how it was found, and why the stack ends. */

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
 * How the frame was found, in terms of a recording: one walk of the unwinder (enum unwind_how) is one of the ways, beside the
 * kernel's chain, frames taken over from another stack, and frames that the recorder left out.
 */
enum frame_origin {
	FRAME_SAMPLED,      /* the sample's own instruction pointer */
	FRAME_KERNEL_CHAIN, /* in the callchain that the kernel delivered (frame pointers in user space) */
	FRAME_POINTER, /* by our own frame-pointer step, which passed all checks but is proved by nothing */
	FRAME_CFI,     /* by call frame information */
	FRAME_SIGNAL, /* by that of a signal handler's frame: interrupted there, or its trampoline: not behind a call */
	FRAME_GUESSED, /* a word of the stack that follows a call, where nothing else led on; or found from there on */
	FRAME_JOINED, /* by joining: see STACK_END_JOINED */
	FRAME_CONTINUED, /* a return address that was read in the process before and after the sample, above the dump */
	FRAME_ELIDED, /* stands for frames that the recording left out; its function says how many */
	FRAME_CODE, /* without call frame information, by what the instructions of its callee do to the stack */
	FRAME_ASSUMED, /* likewise, if what those call leaves the stack pointer where it was, which is likely but not proved */
	FRAME_LBR,    /* a call that the CPU kept: PERF_SAMPLE_BRANCH_CALL_STACK */
	FRAME_BRANCH, /* no call, but an end of a branch before the sample: see format/branch_history.h */
	/* --wakers: not of the thread itself but of the one that woke it, upside down: its "caller" is what it called. */
	FRAME_WAKER,        /* an instruction, or a text (raw_profile_label()) */
	FRAME_WAKER_CALLER, /* in user space a return address */
};

static inline bool frame_origin_is_waker(enum frame_origin origin)
{
	return origin == FRAME_WAKER || origin == FRAME_WAKER_CALLER;
}

/*
 * Why the stack has no further caller. It is known only when all parts of a stack and the names of its functions are; why a
 * walk through a dump ended (enum unwind_end) is one of the reasons. Reports show reasons that are as
 * frequent in this order.
 */
enum stack_end {
	STACK_END_UNKNOWN,  /* the recording does not say */
	STACK_END_NO_CHAIN, /* only the instruction pointer was recorded */
	STACK_END_ROOT,   /* _start, a thread's start routine, or the kernel's entry for kernel-only tasks */
	STACK_END_NO_CFI, /* nothing describes the code, and its frame pointer is none */
	STACK_END_CHAIN,  /* the kernel's chain just ended, not at a known root */
	STACK_END_DUMP,   /* the stack dump was exhausted */
	/* it goes on where no dump reaches: below a signal handler's own stack, or a page never touched */
	STACK_END_OUT_OF_REACH,
	STACK_END_BAD_CFI,    /* what describes the code leads nowhere */
	STACK_END_BAD_RETURN, /* a return address that points to no code */
	STACK_END_DEPTH,      /* at the kernel's or our depth limit */
	STACK_END_UNNAMED,    /* it ended in the C library, whose symbols are not there: at a root, or not */
	STACK_END_JOINED, /* the dump was exhausted; callers were taken over from another stack of the thread, to its root */
	STACK_END_ASSUMED, /* as STACK_END_ROOT, but a caller on the way was assumed: FRAME_ASSUMED */
	STACK_END_COUNT,
};

#define STACK_PATH_ROOT 0u /* of the caller that a root has not: see profile_stack_path() */

struct profile_stack {   /* one node of the prefix tree: a stack is its leaf node */
	uint32_t parent; /* the caller's node; PROFILE_NONE for a root. parent < own number */
	uint32_t location;
	uint8_t origin; /* enum frame_origin */
	uint16_t depth; /* number of callers; root 0 */
	uint32_t path;  /* see profile_stack_path() */
};

#endif
