#ifndef XPROF_REPORT_LOAD_STACK_RESOLVER_H
#define XPROF_REPORT_LOAD_STACK_RESOLVER_H

/*
 * Turns a sample's instruction pointer, callchain and stack dump into a stack of the profile.
 *
 * The stack is root first and ends with the sample's own instruction pointer. The chain's first entry is that
 * same frame when the two are equal, and one more caller when they differ, as perf counts it.
 *
 * It fills a raw profile: locations have DSO numbers of the process table, recorded addresses, and no
 * functions. The origin of a node tells what its address means (a return address lies behind its call):
 *
 *   origin FRAME_SAMPLED        from registers: the instruction pointer, and
 *                               the place where user code entered the kernel
 *   origin FRAME_KERNEL_CHAIN   from memory: in user space a return address,
 *                               in the kernel that or an interrupted instruction
 *   origin FRAME_CONTINUED      a return address behind a second marker of user space: above the dump, read in the process
 *                               before and after the sample
 *   origin FRAME_ASSUMED        a return address that is likely, but not proved (format/callchain.h)
 *   origin FRAME_ELIDED         stands for frames that the recorder left out (format/elided_frames.h)
 *   origin FRAME_CFI, _POINTER, _CODE  unwound from the dump: a return address
 *   origin FRAME_GUESSED        likewise, but guessed
 *   origin FRAME_JOINED         a return address from another stack of the thread
 *   origin FRAME_LBR            a call instruction, from the CPU's call stack (format/lbr_stack.h)
 *   origin FRAME_BRANCH         target, then source of a branch, next to the leaf (--branch-history)
 *   origin FRAME_SIGNAL         unwound from the dump: the instruction interrupted by a signal, and the
 *                               trampoline that the handler returns to
 *
 * In a sample with a dump the unwound frames follow the kernel's part of the callchain. (perf's --call-graph
 * dwarf records no user part. simpleperf and --call-graph auto record one, which is used if it reaches
 * further than unwinding.) In a sample with a call stack of the CPU, that is the innermost part; the outer
 * frames come from the chain or the dump.
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
	uint32_t max_stack;  /* entries of a callchain to use, counted from the root, as perf's --max-stack */
	uint32_t max_frames; /* frames of an unwound stack to use, counted from the leaf */
	enum unwind_choice unwind;
	size_t stitched_registers;      /* --stitch-lbr: number of calls that the CPU records; 0: off */
	bool branch_history;            /* the branches of samples become frames */
	bool no_roots;                  /* does not look whether a call chain ends where a thread begins */
	struct dump_unwinder *unwinder; /* borrowed; NULL: dumps are not unwound */
};

/* Borrows everything but the options. */
struct stack_resolver *stack_resolver_create(struct process_table *processes, struct raw_profile *profile,
					     const struct stack_resolver_options *options);
void stack_resolver_destroy(struct stack_resolver *resolver);

/*
 * The stack of a sample of file event number `event` is found in steps, for callers with many samples at
 * hand: the memory for each step is prefetched while the step before runs for the other samples. With many
 * distinct stacks, waiting for memory takes most of the time. The sample's bytes, and what the process table
 * says of its time, must not change in between. `end` of the result is STACK_END_CHAIN for every chain that
 * ended by itself, because its outermost function can be judged only when it has a name.
 */
struct stack_question {
	struct stack_key key;
	uint64_t hash;
	const struct unwind_stack *unwound; /* set by the caller: see dump_unwinder_choose() */
};
struct stack_question stack_resolver_ask(struct stack_resolver *resolver, const struct sample *sample,
					 uint32_t event, uint64_t time_ns);
void stack_resolver_prefetch(const struct stack_resolver *resolver, const struct stack_question *question);

/* A stack whose frames are known; stack_resolver_finish() puts all begun stacks into the profile. */
struct stack_begun {
	struct stack_result result; /* its node is set only if is_known */
	bool is_known;
	bool is_memorable; /* put it into the stack_memo later */
	uint32_t number;   /* its number in the stack_interner */
};
struct stack_begun stack_resolver_begin(struct stack_resolver *resolver, const struct sample *sample,
					const struct stack_question *question, const struct perf_attr *attr,
					uint64_t time_ns);
void stack_resolver_finish(struct stack_resolver *resolver);

/* The result of a finished stack. Call it before the next stack is begun. */
struct stack_result stack_resolver_result(struct stack_resolver *resolver,
					  const struct stack_question *question,
					  const struct stack_begun *begun);

/*
 * Notes a sample that is not kept: its stack may continue other stacks of the thread (--join-stacks). So
 * stacks do not depend on the choice of samples.
 */
void stack_resolver_learn(struct stack_resolver *resolver, const struct sample *sample,
			  const struct stack_question *question, uint64_t time_ns);

/* Converts a sample's cpumode (PERF_RECORD_MISC_*). */
enum frame_mode stack_resolver_mode(uint16_t misc);

#endif
