#ifndef XPROF_REPORT_LOAD_STACK_RESOLVER_H
#define XPROF_REPORT_LOAD_STACK_RESOLVER_H

/*
 * A sample's instruction pointer, callchain and stack dump -> a stack of the
 * profile.
 *
 * The stack is root first and ends with the sample's own instruction pointer.
 * The chain's first entry is that same frame when the two are equal, and one
 * more caller when they differ, as perf counts it.
 *
 * The profile that is filled is an intermediate one: its locations have the process table's DSO numbers, the
 * addresses that were recorded, and no functions. The node tells what an address means (a return address lies
 * behind its call):
 *
 *   origin FRAME_SAMPLED        out of registers: the instruction pointer, and
 *                               where user code was left for the kernel
 *   origin FRAME_KERNEL_CHAIN   out of memory: in user space a return address,
 *                               in the kernel that or where an interrupt hit
 *   origin FRAME_CONTINUED      a return address behind a second marker of user space: above the dump, read in the process
 *                               before and after the sample
 *   origin FRAME_ASSUMED        a return address that was found by what is likely, but not proved (format/callchain.h)
 *   origin FRAME_ELIDED         instead of frames that the recorder left out (format/elided_frames.h)
 *   origin FRAME_CFI, _POINTER, _CODE  unwound from the dump: a return address
 *   origin FRAME_GUESSED        likewise, but guessed
 *   origin FRAME_JOINED         a return address out of another stack of the thread
 *   origin FRAME_LBR            a call instruction, out of the CPU's call stack (format/lbr_stack.h)
 *   origin FRAME_BRANCH         where a branch led to, then where it came from: next to the leaf, with --branch-history
 *   origin FRAME_SIGNAL         unwound from the dump: where a signal hit, and the trampoline that the
 *                               handler returns to
 *
 * Of a sample with a dump the kernel's part of the callchain is followed by
 * what was unwound (perf's --call-graph dwarf records no user part; simpleperf
 * and --call-graph auto record one, which is taken where it goes on where
 * unwinding ends). Of a sample with a call stack of the CPU, that is the innermost part, and what the chain or the dump has
 * beyond it follows.
 */

#include "format/perf_attr.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "profile/raw_profile.h"
#include "report/load/dump_unwinder.h"
#include "report/load/stack_interner.h"
#include "report/load/stack_memo.h"

struct stack_resolver;

struct stack_resolver_options {
	uint32_t max_stack;  /* entries of a callchain that are used, from the root, as perf's --max-stack */
	uint32_t max_frames; /* of an unwound stack, from the leaf */
	enum unwind_choice unwind;
	size_t stitched_registers; /* --stitch-lbr: how many calls the CPU keeps; 0: nothing is stitched */
	bool branch_history;       /* the branches of samples become frames */
	struct dump_unwinder *unwinder; /* outlives the resolver; NULL: dumps are not unwound */
};

/* Both outlive the resolver. */
struct stack_resolver *stack_resolver_create(struct process_table *processes, struct raw_profile *profile,
					     const struct stack_resolver_options *options);
void stack_resolver_destroy(struct stack_resolver *resolver);

/*
 * The stack of a sample of file event number `event` is found in steps, for callers with many samples at hand: the memory
 * for each step is prefetched while the step before runs for the other samples. With many distinct stacks, waiting for
 * memory takes most of the time. The sample's bytes, and what the process table says of its time, must not change in
 * between. `end` of the result is STACK_END_CHAIN for every chain that ended by itself: whether its outermost function is
 * a known root can only be told when it has a name.
 */
struct stack_question {
	struct stack_key key;
	uint64_t hash;
	const struct unwind_stack *unwound; /* set by the caller: see dump_unwinder_choose() */
};
struct stack_question stack_resolver_ask(const struct stack_resolver *resolver, const struct sample *sample,
					 uint32_t event, uint64_t time_ns);
void stack_resolver_prefetch(const struct stack_resolver *resolver, const struct stack_question *question);

/* Its frames are found; those of all that were begun are put into the profile by stack_resolver_finish(). */
struct stack_begun {
	struct stack_result result; /* without its node unless it is known */
	bool is_known;
	bool is_memorable; /* to be remembered when it is known */
	uint32_t number;   /* of the interner */
};
struct stack_begun stack_resolver_begin(struct stack_resolver *resolver, const struct sample *sample,
					const struct stack_question *question, const struct perf_attr *attr,
					uint64_t time_ns);
void stack_resolver_finish(struct stack_resolver *resolver);

/* Of one that is finished, before the next is begun. */
struct stack_result stack_resolver_result(struct stack_resolver *resolver,
					  const struct stack_question *question,
					  const struct stack_begun *begun);

/*
 * A sample that is not asked for, but whose stack dump others of its thread may be continued by (--join-stacks): so that
 * a stack is the same whatever else is chosen.
 */
void stack_resolver_learn(struct stack_resolver *resolver, const struct sample *sample,
			  const struct stack_question *question, uint64_t time_ns);

/* A sample's cpumode (PERF_RECORD_MISC_*) as the profile has it. */
enum frame_mode stack_resolver_mode(uint16_t misc);

#endif
