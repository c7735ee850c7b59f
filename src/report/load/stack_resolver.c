/*
 * Start at find_frames(): it takes the chain, cuts it to --max-stack, replaces the chain's user part by the unwound dump if
 * that gets farther, and adds the leaf. The other functions look into the memo before, and pass frames to the interner
 * afterwards. The model is perf 6.1's thread__resolve_callchain_sample().
 */
#include "report/load/stack_resolver.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/branch_entry.h"
#include "format/branch_history.h"
#include "format/callchain.h"
#include "format/elided_frames.h"
#include "format/lbr_stack.h"
#include "format/lbr_stitch.h"
#include "format/perf_abi.h"
#include "process/process_state_memo.h"
#include "report/load/branch_samples.h"
#include "report/load/deferred_chains.h"

enum {
	KERNEL_MAX_STACK = 127, /* PERF_MAX_STACK_DEPTH: the default of kernel.perf_event_max_stack */
};

struct stack_resolver {
	struct process_table *processes;
	struct stack_interner *interner;
	struct stack_memo *memo;
	struct process_state_memo states;
	struct stack_resolver_options options;
	struct lbr_stitch *stitch;  /* NULL: does not continue stacks with calls of earlier samples */
	struct stack_frame *frames; /* of the present sample, leaf first */
	size_t frame_count, frame_capacity;
};

struct stack_resolver *stack_resolver_create(struct process_table *processes, struct raw_profile *profile,
					     const struct stack_resolver_options *options)
{
	struct stack_resolver *resolver = xcalloc(1, sizeof(*resolver));

	resolver->processes = processes;
	resolver->interner = stack_interner_create(processes, profile);
	resolver->memo = stack_memo_create();
	resolver->options = *options;
	if (options->stitched_registers)
		resolver->stitch = lbr_stitch_create(options->stitched_registers);
	return resolver;
}

void stack_resolver_destroy(struct stack_resolver *resolver)
{
	if (!resolver)
		return;
	stack_interner_destroy(resolver->interner);
	stack_memo_destroy(resolver->memo);
	lbr_stitch_destroy(resolver->stitch);
	free(resolver->frames);
	free(resolver);
}

enum frame_mode stack_resolver_mode(uint16_t misc)
{
	switch (misc & RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL: return FRAME_KERNEL;
	case PERF_RECORD_MISC_USER: return FRAME_USER;
	case PERF_RECORD_MISC_GUEST_KERNEL: return FRAME_GUEST_KERNEL;
	case PERF_RECORD_MISC_GUEST_USER: return FRAME_GUEST_USER;
	default: return FRAME_HYPERVISOR; /* perf prints this for PERF_RECORD_MISC_CPUMODE_UNKNOWN, too */
	}
}

/* --- the frames of a chain --------------------------------------------------- */

static void push(struct stack_resolver *resolver, uint64_t address, enum frame_mode mode,
		 enum frame_origin origin)
{
	*ARRAY_ADD(resolver->frames, resolver->frame_count, resolver->frame_capacity) =
		(struct stack_frame){ .address = address, .mode = mode, .origin = origin };
}

static bool is_elision(uint64_t entry, enum frame_mode mode)
{
	return mode == FRAME_USER && elided_frames_count(entry);
}

static enum frame_origin chain_origin(const struct callchain *chain, enum frame_mode mode)
{
	return is_elision(chain->address, mode) ? FRAME_ELIDED :
	       chain->is_assumed                ? FRAME_ASSUMED :
	       chain->is_continued              ? FRAME_CONTINUED :
	       chain->is_first                  ? FRAME_SAMPLED :
						  FRAME_KERNEL_CHAIN;
}

/* Leaf first. As perf, returns -1 and no frames after an unknown marker, since the mode of what follows is unknown. */
static int collect_chain(struct stack_resolver *resolver, const struct sample *sample)
{
	struct callchain chain = callchain_of(sample);
	int result;

	while ((result = callchain_next(&chain)) == 1) {
		const enum frame_mode mode = stack_resolver_mode((uint16_t)chain.cpumode);

		push(resolver, chain.address, mode, chain_origin(&chain, mode));
	}
	if (result < 0)
		resolver->frame_count = 0;
	return result;
}

/* perf reads chains root first and stops after max_stack entries, so a longer one lacks the frames next to the leaf. */
static void cut(struct stack_resolver *resolver)
{
	size_t excess;

	if (resolver->frame_count <= resolver->options.max_stack)
		return;
	excess = resolver->frame_count - resolver->options.max_stack;
	memmove(resolver->frames, resolver->frames + excess,
		(resolver->frame_count - excess) * sizeof(*resolver->frames));
	resolver->frame_count -= excess;
}

/* --- the frames of a stack dump ----------------------------------------------- */

static enum frame_origin origin_of(const struct unwind_stack *stack, size_t number)
{
	const struct unwind_frame *frame = &stack->frames[number];

	if (frame->is_return_address && !dump_unwinder_frame_returns(stack, number))
		return FRAME_SIGNAL; /* the trampoline, which is also looked up at its exact address */
	if (!frame->is_return_address && number > 0)
		return FRAME_SIGNAL;
	if (frame->joined && frame->is_return_address)
		return FRAME_JOINED;
	switch (frame->how) {
	case UNWIND_HOW_REGISTERS: return FRAME_SAMPLED;
	case UNWIND_HOW_SIGNAL: return FRAME_SIGNAL;
	case UNWIND_HOW_UNPROVED_FP: return FRAME_POINTER;
	case UNWIND_HOW_CODE: return FRAME_CODE;
	case UNWIND_HOW_ASSUMED: return FRAME_ASSUMED;
	case UNWIND_HOW_GUESSED: return FRAME_GUESSED;
	case UNWIND_HOW_KERNEL_CHAIN: return FRAME_KERNEL_CHAIN;
	default: return FRAME_CFI; /* also a frame pointer that unwind information confirms */
	}
}

/*
 * Whether a larger dump would not help, either: unwinding led to another stack, as below a handler with sigaltstack, or
 * beyond a page that was never touched, as in the large frames of Ada's tasks.
 */
static bool is_out_of_reach(const struct sample *sample, const struct unwind_stack *stack)
{
	enum { LARGEST_DUMP_BYTES = 65528 }; /* the most that fits into a record */
	const uint64_t sp = stack->frames[stack->count - 1].sp;

	return sample->user_stack_ended || (sp && sp - stack->frames[0].sp > LARGEST_DUMP_BYTES);
}

static enum stack_end end_of_unwound(const struct sample *sample, const struct unwind_stack *stack)
{
	const struct unwind_frame *outermost = &stack->frames[stack->count - 1];

	switch (stack->end) {
	case UNWIND_END_ROOT: return outermost->joined ? STACK_END_JOINED : STACK_END_ROOT;
	case UNWIND_END_STACK_EXHAUSTED:
		return is_out_of_reach(sample, stack) ? STACK_END_OUT_OF_REACH : STACK_END_DUMP;
	case UNWIND_END_BELOW_STACK: return STACK_END_OUT_OF_REACH;
	case UNWIND_END_NO_CFI: return STACK_END_NO_CFI;
	case UNWIND_END_BAD_RETURN_ADDRESS: return STACK_END_BAD_RETURN;
	case UNWIND_END_BAD_CFA:
	case UNWIND_END_UNKNOWN_REGISTER:
	case UNWIND_END_BAD_EXPRESSION: return STACK_END_BAD_CFI;
	case UNWIND_END_DEPTH_LIMIT: return STACK_END_DEPTH;
	case UNWIND_END_NO_REGISTERS: break;
	}
	return STACK_END_UNKNOWN;
}

/* Number of frames of the chain before its user part. */
static size_t kernel_frames(const struct stack_resolver *resolver)
{
	size_t count = 0;

	while (count < resolver->frame_count && resolver->frames[count].mode != FRAME_USER)
		count++;
	return count;
}

/*
 * The end of a stack whose dump is empty, with that many kernel frames. The page of the stack pointer is in memory while a
 * program runs; in the kernel it is missing after exec has removed the program's memory.
 */
static enum stack_end end_without_stack(size_t kernel_count)
{
	return kernel_count ? STACK_END_REPLACED : STACK_END_NO_CHAIN;
}

/* Replaces the user part by the unwound stack dump, if there is one and it gets farther. True if it did; sets *end then. */
static bool unwind(struct stack_resolver *resolver, const struct sample *sample,
		   const struct stack_question *question, uint64_t time_ns, enum stack_end *end)
{
	size_t kernel_count = kernel_frames(resolver);
	const struct unwind_stack *stack;
	bool guessed = false;
	size_t count;

	if (!resolver->options.unwinder)
		return false;
	stack = dump_unwinder_choose(resolver->options.unwinder, sample, &question->key.state, time_ns,
				     resolver->options.unwind, resolver->frame_count - kernel_count,
				     question->unwound);
	if (!stack)
		return false;
	count = stack->count < resolver->options.max_frames ? stack->count : resolver->options.max_frames;
	resolver->frames = array_grow(resolver->frames, &resolver->frame_capacity, kernel_count + count,
				      sizeof(*resolver->frames));
	resolver->frame_count = kernel_count + count;
	for (size_t i = 0; i < count; i++) {
		enum frame_origin origin = origin_of(stack, i);

		/* Frames outside of a guessed one are no better than the guess. */
		guessed |= origin == FRAME_GUESSED;
		resolver->frames[kernel_count + i] = (struct stack_frame){
			.address = stack->frames[i].address,
			.mode = FRAME_USER,
			.origin = guessed && origin != FRAME_SIGNAL ? FRAME_GUESSED : origin,
		};
	}
	*end = stack->count > resolver->options.max_frames ? STACK_END_DEPTH : end_of_unwound(sample, stack);
	/* The dump is empty: a larger one would not have helped. */
	if (*end != STACK_END_ROOT && dump_unwinder_dump_failed(sample))
		*end = stack->count > 1 ? STACK_END_CHAIN : end_without_stack(kernel_count);
	return true;
}

/* --- the CPU's call stack -------------------------------------------------------- */

/* Number of the user frame at which the frames outside of the calls begin. */
static size_t find_beyond(const struct stack_resolver *resolver, uint64_t outermost, size_t calls,
			  size_t user_start)
{
	const size_t count = resolver->frame_count - user_start;
	uint64_t *addresses = xcalloc(count + 1, sizeof(*addresses));
	size_t beyond;

	for (size_t i = 0; i < count; i++)
		addresses[i] = resolver->frames[user_start + i].address;
	beyond = lbr_stack_beyond(outermost, calls, addresses, count);
	free(addresses);
	return user_start + beyond;
}

/*
 * Puts the calls after the function that runs, or that called the kernel, and keeps the frames outside of them. A stack
 * that was unwound to its root and lacks the outermost call is right: the CPU does not see what longjmp() does.
 */
static void join_calls(struct stack_resolver *resolver, const struct sample *sample, enum stack_end *end)
{
	const size_t user_start = kernel_frames(resolver), own = sample->branch_count;
	const uint64_t *older = NULL;
	const size_t older_count = resolver->stitch ? lbr_stitch_add(resolver->stitch, sample, &older) : 0;
	const size_t calls = own + older_count;
	size_t beyond, outer_count;

	if (user_start == resolver->frame_count && stack_resolver_mode(sample->misc) == FRAME_USER)
		push(resolver, sample->ip, FRAME_USER, FRAME_SAMPLED);
	else if (user_start == resolver->frame_count) /* the instruction that called the kernel is unknown */
		push(resolver, sample_branch(sample, 0).to, FRAME_USER, FRAME_LBR);
	beyond = find_beyond(resolver,
			     older_count ? older[older_count - 1] : sample_branch(sample, own - 1).from,
			     calls, user_start);
	outer_count = resolver->frame_count - beyond;
	if (outer_count == 0 && *end == STACK_END_ROOT)
		return;
	resolver->frames = array_grow(resolver->frames, &resolver->frame_capacity,
				      user_start + 1 + calls + outer_count, sizeof(*resolver->frames));
	memmove(resolver->frames + user_start + 1 + calls, resolver->frames + beyond,
		outer_count * sizeof(*resolver->frames));
	for (size_t i = 0; i < calls; i++)
		resolver->frames[user_start + 1 + i] =
			(struct stack_frame){ .address = i < own ? sample_branch(sample, i).from :
								   older[i - own],
					      .mode = FRAME_USER,
					      .origin = FRAME_LBR };
	resolver->frame_count = user_start + 1 + calls + outer_count;
	if (outer_count == 0)
		*end = STACK_END_CHAIN;
}

/* --- branches as frames ----------------------------------------------------------- */

static bool has_branch_frames(const struct stack_resolver *resolver, const struct sample *sample,
			      const struct perf_attr *attr)
{
	return resolver->options.branch_history && sample->branch_count && !lbr_stack_is_in(sample, attr);
}

static struct stack_frame branch_frame(struct stack_resolver *resolver, const struct sample *sample,
				       uint64_t time_ns, uint64_t address)
{
	const struct branch_place place =
		branch_place_find(resolver->processes, sample->pid, time_ns, address);
	const bool is_kernel = place.dso ? place.is_kernel : (int64_t)address < 0;

	return (struct stack_frame){ .address = address,
				     .mode = is_kernel ? FRAME_KERNEL : FRAME_USER,
				     .origin = FRAME_BRANCH };
}

/* Puts branches in front of the chain, the latest first: where each led to, then where it came from. */
static void add_branches(struct stack_resolver *resolver, const struct sample *sample, uint64_t time_ns)
{
	struct branch_history history;
	size_t covered, chain_count;

	branch_history_of(&history, sample, resolver->options.max_stack);
	covered = history.covered < resolver->frame_count ? history.covered : resolver->frame_count;
	chain_count = resolver->frame_count - covered;
	resolver->frames = array_grow(resolver->frames, &resolver->frame_capacity,
				      2 * history.count + chain_count, sizeof(*resolver->frames));
	memmove(resolver->frames + 2 * history.count, resolver->frames + covered,
		chain_count * sizeof(*resolver->frames));
	for (size_t i = 0; i < history.count; i++) {
		const struct branch_entry *branch = &history.steps[i].branch;

		resolver->frames[2 * i] = branch_frame(resolver, sample, time_ns, branch->to);
		resolver->frames[2 * i + 1] = branch_frame(resolver, sample, time_ns, branch->from);
	}
	resolver->frame_count = 2 * history.count + chain_count;
}

/* --- the end of a chain ------------------------------------------------------ */

/*
 * xprof record leaves out the registers and the stack of a sample whose callers it has followed to the start of the thread
 * (record/stack/evidence.h). So the stack is known to be whole where the files that it runs through are missing, too.
 */
static bool is_followed_to_start(const struct sample *sample, const struct perf_attr *attr,
				 const struct stack_frame *outermost)
{
	return perf_attr_has_copied_stacks(attr) && sample->user_regs_abi == PERF_SAMPLE_REGS_ABI_NONE &&
	       outermost->mode == FRAME_USER;
}

static enum stack_end end_of_chain(const struct stack_resolver *resolver, const struct sample *sample,
				   const struct perf_attr *attr)
{
	size_t chain_frames = resolver->frame_count;
	const struct stack_frame *outermost =
		resolver->frame_count ? &resolver->frames[resolver->frame_count - 1] : NULL;
	size_t limit = attr->sample_max_stack ? attr->sample_max_stack : KERNEL_MAX_STACK;
	uint64_t cookie;

	if (!chain_frames)
		return STACK_END_NO_CHAIN;
	if (deferred_chains_is_awaited(sample, &cookie))
		return STACK_END_NO_CHAIN; /* its user part should have come later, but did not */
	if (sample->user_regs_abi && (!outermost || outermost->mode != FRAME_USER))
		return STACK_END_NO_CHAIN; /* its user part is a stack dump that was not unwound */
	if (sample->user_regs_abi && !sample->user_stack_size && outermost->origin == FRAME_SAMPLED)
		return end_without_stack(kernel_frames(resolver));
	/* Registers were requested, but there were none: the task has left its program, by exit or for another one. */
	if (attr->sample_type & PERF_SAMPLE_REGS_USER && outermost->mode == FRAME_KERNEL)
		return STACK_END_ROOT;
	if (chain_frames == limit || chain_frames > resolver->options.max_stack)
		return STACK_END_DEPTH;
	return is_followed_to_start(sample, attr, outermost) ? STACK_END_ROOT : STACK_END_CHAIN;
}

/* --- stacks ------------------------------------------------------------------- */

/* Whether the outermost frame is where a thread begins, by unwind information: a program without symbols has no name for it. */
static bool chain_is_rooted(struct stack_resolver *resolver, const struct sample *sample,
			    const struct process_state *state, uint64_t time_ns)
{
	const struct stack_frame *outermost =
		resolver->frame_count ? &resolver->frames[resolver->frame_count - 1] : NULL;

	return !resolver->options.no_roots && resolver->options.unwinder && outermost &&
	       outermost->mode == FRAME_USER &&
	       dump_unwinder_is_root(resolver->options.unwinder, sample->pid, state, time_ns,
				     outermost->address, outermost->origin != FRAME_SAMPLED);
}

/* If no byte of the stack could be dumped, the recorded chain replaces it. It is whole only if no caller can be missing. */
static enum stack_end end_of_chain_alone(struct stack_resolver *resolver, const struct sample *sample,
					 const struct stack_question *question, uint64_t time_ns)
{
	const size_t caller = kernel_frames(resolver) + 1;
	const struct process_state *state = &question->key.state;

	if (!resolver->options.unwinder || !dump_unwinder_dump_failed(sample) ||
	    dump_unwinder_chain_is_exact(resolver->options.unwinder, sample, state, time_ns))
		return chain_is_rooted(resolver, sample, state, time_ns) ? STACK_END_ROOT : STACK_END_CHAIN;
	if (caller < resolver->frame_count)
		resolver->frames[caller].origin = FRAME_POINTER;
	return STACK_END_CHAIN;
}

static bool has_assumed(const struct stack_resolver *resolver)
{
	for (size_t i = 0; i < resolver->frame_count; i++)
		if (resolver->frames[i].origin == FRAME_ASSUMED)
			return true;
	return false;
}

/* Collects the frames in the resolver and returns why they end. */
static enum stack_end find_frames(struct stack_resolver *resolver, const struct sample *sample,
				  const struct perf_attr *attr, const struct stack_question *question,
				  uint64_t time_ns)
{
	const struct stack_frame leaf = { .address = sample->ip,
					  .mode = stack_resolver_mode(sample->misc),
					  .origin = FRAME_SAMPLED };
	enum stack_end end = STACK_END_UNKNOWN;
	bool unwound;

	resolver->frame_count = 0;
	if (collect_chain(resolver, sample) == 0)
		end = end_of_chain(resolver, sample, attr);
	cut(resolver);
	unwound = unwind(resolver, sample, question, time_ns, &end);
	if (lbr_stack_is_in(sample, attr))
		join_calls(resolver, sample, &end);
	if (!unwound && end == STACK_END_CHAIN)
		end = end_of_chain_alone(resolver, sample, question, time_ns);
	if (has_branch_frames(resolver, sample, attr))
		add_branches(resolver, sample, time_ns);
	if (!resolver->frame_count || resolver->frames[0].address != leaf.address ||
	    resolver->frames[0].mode != leaf.mode || resolver->frames[0].origin == FRAME_BRANCH) {
		push(resolver, 0, leaf.mode, FRAME_SAMPLED); /* room in front */
		memmove(resolver->frames + 1, resolver->frames,
			(resolver->frame_count - 1) * sizeof(*resolver->frames));
		resolver->frames[0] = leaf;
	}
	return end == STACK_END_ROOT && has_assumed(resolver) ? STACK_END_ASSUMED : end;
}

struct stack_question stack_resolver_ask(struct stack_resolver *resolver, const struct sample *sample,
					 uint32_t event, uint64_t time_ns)
{
	struct stack_question question = { .key = { .ip = sample->ip,
						    .event = event,
						    .cpumode = sample->misc & RECORD_MISC_CPUMODE_MASK,
						    .has_dump = sample->user_regs_abi != 0,
						    .chain = sample->callchain,
						    .chain_bytes =
							    sample->callchain_count * sizeof(uint64_t) } };

	question.key.state =
		process_state_memo_find(&resolver->states, resolver->processes, sample->pid, time_ns);
	question.hash = stack_memo_hash(&question.key);
	stack_memo_prefetch(resolver->memo, question.hash);
	return question;
}

void stack_resolver_prefetch(const struct stack_resolver *resolver, const struct stack_question *question)
{
	stack_memo_prefetch_entry(resolver->memo, question->hash);
}

struct stack_begun stack_resolver_begin(struct stack_resolver *resolver, const struct sample *sample,
					const struct stack_question *question, const struct perf_attr *attr,
					uint64_t time_ns)
{
	struct stack_begun begun = { .is_known = false };

	/* Not part of the key, so not remembered: contents of a dump, registers, the CPU's call stack, branches. */
	begun.is_memorable = !sample->user_stack_size && !dump_unwinder_dump_failed(sample) &&
			     !lbr_stack_is_in(sample, attr) && !has_branch_frames(resolver, sample, attr);
	if (begun.is_memorable &&
	    stack_memo_find(resolver->memo, &question->key, question->hash, &begun.result)) {
		begun.is_known = true;
		return begun;
	}
	begun.result.end = (uint8_t)find_frames(resolver, sample, attr, question, time_ns);
	begun.number = stack_interner_begin(resolver->interner, resolver->frames, resolver->frame_count,
					    &question->key.state, sample->pid, time_ns);
	return begun;
}

void stack_resolver_finish(struct stack_resolver *resolver)
{
	stack_interner_finish(resolver->interner);
}

struct stack_result stack_resolver_result(struct stack_resolver *resolver,
					  const struct stack_question *question,
					  const struct stack_begun *begun)
{
	struct stack_result result = begun->result;

	if (begun->is_known)
		return result;
	result.node = stack_interner_node(resolver->interner, begun->number);
	if (begun->is_memorable)
		stack_memo_add(resolver->memo, &question->key, question->hash, result);
	return result;
}

void stack_resolver_learn(struct stack_resolver *resolver, const struct sample *sample,
			  const struct stack_question *question, uint64_t time_ns)
{
	enum stack_end end;

	if (!sample->user_stack_size || resolver->options.unwind == UNWIND_FP)
		return;
	resolver->frame_count = 0;
	(void)collect_chain(resolver, sample);
	cut(resolver);
	(void)unwind(resolver, sample, question, time_ns, &end);
}
