/*
 * Start at dump_unwinder_choose(), which decides between the stack dump and the recorded chain. prepare() turns a sample
 * into input for the unwinder; unwind_place answers the unwinder's questions about addresses.
 */
#include "report/load/dump_unwinder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/callchain.h"
#include "unwind/engine_libunwind.h"
#include "unwind/process/sample_registers.h"
#include "unwind/process/unwind_place.h"
#include "unwind/stack_joiner.h"
#include "unwind/stack_splice.h"

enum {
	MAX_FRAMES = 4096, /* the largest dump, 64 KiB, has room for so many frames of 16 bytes */
	/* The last stacks of about as many threads as run at a time: a few KiB. */
	RECENT_THREADS = 16, /* a power of two */
	RECENT_FRAMES = 40,
	LINE_BYTES = 64,
};

struct recent_stack {
	uint32_t tid, count;
	uint64_t frames[RECENT_FRAMES]; /* where its frames begin, leaf first */
};

struct dump_unwinder {
	struct dump_unwinder_source source;
	const struct unwind_arch *arch; /* NULL: not known yet, or a machine whose stacks cannot be unwound */
	struct unwinder *unwinder;
	struct engine_libunwind *libunwind; /* replaces `unwinder`; NULL: not requested */
	struct stack_joiner *joiner;        /* NULL: not wanted, or not needed yet */
	unsigned int sp;                    /* see sample_registers_sp(); set with arch */
	struct recent_stack recent[RECENT_THREADS];
	struct unwind_stack stack;
	struct unwind_frame frames[MAX_FRAMES];
	uint64_t chain[MAX_FRAMES]; /* user part of the sample's callchain */
};

struct dump_unwinder *dump_unwinder_create(const struct dump_unwinder_source *source, struct error *err)
{
	struct dump_unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	unwinder->source = *source;
	unwinder->unwinder = unwinder_create();
	unwinder->stack = (struct unwind_stack){ .frames = unwinder->frames, .capacity = MAX_FRAMES };
	if (source->options.unwinder == ENGINE_LIBUNWIND) {
		unwinder->libunwind = engine_libunwind_create(err);
		if (!unwinder->libunwind) {
			dump_unwinder_destroy(unwinder);
			return NULL;
		}
	}
	return unwinder;
}

struct dump_unwinder *dump_unwinder_create_another(const struct dump_unwinder *unwinder)
{
	return dump_unwinder_create(&unwinder->source, NULL);
}

void dump_unwinder_destroy(struct dump_unwinder *unwinder)
{
	if (!unwinder)
		return;
	unwinder_destroy(unwinder->unwinder);
	engine_libunwind_destroy(unwinder->libunwind);
	stack_joiner_destroy(unwinder->joiner);
	free(unwinder);
}

static void find_jit_code(const struct unwind_place *place, const struct mapping *mapping, uint64_t address,
			  struct unwind_mapping *found)
{
	const struct dump_unwinder *unwinder = place->context;

	(void)address;
	jit_dumps_find_module(unwinder->source.dumps, unwinder->source.modules, unwinder->arch, mapping,
			      found);
}

/* libunwind reads files, so it cannot unwind JIT code. */
static struct unwind_place place_of(struct dump_unwinder *unwinder, uint32_t pid, uint64_t time_ns)
{
	return (struct unwind_place){ .processes = unwinder->source.processes,
				      .modules = unwinder->source.modules,
				      .lock = unwinder->source.lock,
				      .find_code = unwinder->source.dumps && !unwinder->libunwind ?
							   find_jit_code :
							   NULL,
				      .context = unwinder,
				      .pid = pid,
				      .time_ns = time_ns };
}

static void find_arch(struct dump_unwinder *unwinder)
{
	if (unwinder->arch)
		return;
	unwinder->arch = sample_registers_arch(unwinder->source.features->arch);
	if (unwinder->arch)
		unwinder->sp = sample_registers_sp(unwinder->arch);
}

bool dump_unwinder_dump_failed(const struct sample *sample)
{
	return sample->user_regs_abi && sample->present & PERF_SAMPLE_STACK_USER && !sample->user_stack_size;
}

static bool prepare(struct dump_unwinder *unwinder, const struct sample *sample,
		    const struct process_state *state, struct unwind_place *place, struct unwind_input *input)
{
	find_arch(unwinder);
	*input = (struct unwind_input){ .find_mapping = unwind_place_find,
					.context = place,
					.space = process_state_space(state) };
	if ((!sample->user_stack_size && !dump_unwinder_dump_failed(sample)) ||
	    !sample_registers_get(sample, unwinder->arch, input))
		return false;
	input->stack = (struct stack_memory){ .bytes = sample->user_stack,
					      .size = sample->user_stack_size,
					      .address = input->registers.value[input->arch->sp],
					      .swap = sample->swap,
					      .is_32bit = input->arch->word_bytes == 4 };
	return true;
}

static void walk(struct dump_unwinder *unwinder, const struct unwind_input *input)
{
	if (unwinder->libunwind && !input->frame_pointers_only)
		engine_libunwind_walk(unwinder->libunwind, input, &unwinder->stack);
	else
		unwinder_walk(unwinder->unwinder, input, &unwinder->stack);
}

static void remember(struct dump_unwinder *unwinder, uint32_t tid)
{
	struct recent_stack *recent = &unwinder->recent[tid & (RECENT_THREADS - 1)];

	recent->tid = tid;
	recent->count =
		unwinder->stack.count < RECENT_FRAMES ? (uint32_t)unwinder->stack.count : RECENT_FRAMES;
	for (uint32_t i = 0; i < recent->count; i++)
		recent->frames[i] = unwinder->stack.frames[i].sp;
}

void dump_unwinder_prefetch_registers(const struct sample *sample)
{
	enum { REGISTER_BYTES = 192, LEAF_BYTES = 1024 };

	for (size_t at = 0; at < REGISTER_BYTES; at += LINE_BYTES)
		__builtin_prefetch(sample->user_regs + at);
	for (size_t at = 0; at < LEAF_BYTES && at < sample->user_stack_size; at += LINE_BYTES)
		__builtin_prefetch(sample->user_stack + at);
}

void dump_unwinder_prefetch_stack(const struct dump_unwinder *unwinder, const struct sample *sample)
{
	const struct recent_stack *recent = &unwinder->recent[sample->tid & (RECENT_THREADS - 1)];
	uint64_t sp;

	if (!unwinder->arch || recent->tid != sample->tid || sample_user_reg(sample, unwinder->sp, &sp) < 0)
		return;
	/* A return address is right below the beginning of the caller's frame. */
	for (uint32_t i = 1; i < recent->count; i++) {
		const uint64_t offset = recent->frames[i] - sizeof(uint64_t) - sp;

		if (offset < sample->user_stack_size)
			__builtin_prefetch(sample->user_stack + offset);
	}
}

const struct unwind_stack *dump_unwinder_walk(struct dump_unwinder *unwinder, const struct sample *sample,
					      const struct process_state *state, uint64_t time_ns,
					      bool frame_pointers_only)
{
	struct unwind_place place = place_of(unwinder, sample->pid, time_ns);
	struct unwind_input input;

	if (!prepare(unwinder, sample, state, &place, &input))
		return NULL;
	input.frame_pointers_only = frame_pointers_only;
	input.guess = unwinder->source.options.guess && !frame_pointers_only;
	walk(unwinder, &input);
	remember(unwinder, sample->tid);
	return unwinder->stack.count ? &unwinder->stack : NULL;
}

/* --- stacks that the dump is too short for ------------------------------------ */

/* Copies the user part of a sample's callchain to unwinder->chain; returns its length. */
static size_t collect_chain(struct dump_unwinder *unwinder, const struct sample *sample)
{
	return callchain_user_frames(sample, unwinder->chain, MAX_FRAMES);
}

static void splice(struct dump_unwinder *unwinder, const struct sample *sample,
		   const struct process_state *state, uint64_t time_ns)
{
	struct unwind_place place = place_of(unwinder, sample->pid, time_ns);
	struct unwind_input input;

	if (prepare(unwinder, sample, state, &place, &input))
		stack_splice(unwinder->unwinder, &input, unwinder->chain, collect_chain(unwinder, sample),
			     &unwinder->stack);
}

/* A key for the thread: only stacks with the same key may continue each other. */
static uint64_t thread_of(const struct dump_unwinder *unwinder, const struct sample *sample,
			  const struct process_state *state, uint64_t time_ns)
{
	return hash_combine(process_table_life(unwinder->source.processes, sample->tid, time_ns),
			    state->process);
}

/* NULL if stacks are not joined. libunwind does not report stack pointers. */
static struct stack_joiner *joiner_of(struct dump_unwinder *unwinder)
{
	if (!unwinder->source.options.join_stacks || unwinder->libunwind)
		return NULL;
	if (!unwinder->joiner)
		unwinder->joiner = stack_joiner_create();
	return unwinder->joiner;
}

/* Keeps a complete stack, which may continue others. */
static void learn(struct dump_unwinder *unwinder, const struct sample *sample,
		  const struct process_state *state, uint64_t time_ns, const struct unwind_stack *stack)
{
	struct stack_joiner *joiner = joiner_of(unwinder);

	if (joiner)
		stack_joiner_learn(joiner, thread_of(unwinder, sample, state, time_ns), stack);
}

static void join(struct dump_unwinder *unwinder, const struct sample *sample,
		 const struct process_state *state, uint64_t time_ns, struct unwind_stack *stack)
{
	struct stack_joiner *joiner = joiner_of(unwinder);

	if (stack->end == UNWIND_END_ROOT)
		learn(unwinder, sample, state, time_ns, stack);
	else if (joiner)
		stack_joiner_join(joiner, thread_of(unwinder, sample, state, time_ns), stack);
}

static bool is_executable(const struct dump_unwinder *unwinder, const struct sample *sample, uint64_t time_ns,
			  uint64_t address)
{
	struct mapping mapping;

	return process_table_find(unwinder->source.processes, sample->pid, time_ns, ADDRESS_USER, address,
				  &mapping) &&
	       mapping_may_have_code(&mapping);
}

/*
 * Whether the recorded chain contains the unwound stack and continues it through code. Only if unwinding ended for lack of
 * unwind information, or for that and a short dump: otherwise the unwinder knew that the register is no frame pointer, or
 * what follows.
 */
static bool chain_gets_farther(struct dump_unwinder *unwinder, const struct sample *sample, uint64_t time_ns)
{
	const struct unwind_stack *stack = &unwinder->stack;
	size_t count = collect_chain(unwinder, sample);

	if ((stack->end != UNWIND_END_NO_CFI && !stack->by_frame_pointer) || count <= stack->count)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t address = unwinder->chain[i];

		if (i < stack->count ? address != stack->frames[i].address :
				       !is_executable(unwinder, sample, time_ns, address - 1))
			return false;
	}
	return true;
}

/* Whether the recorded chain leads only through code, to where threads begin. Then at most the leaf's caller is missing. */
static bool chain_is_rooted(struct dump_unwinder *unwinder, const struct sample *sample,
			    const struct process_state *state, uint64_t time_ns)
{
	const size_t count = collect_chain(unwinder, sample);

	for (size_t i = 1; i < count; i++)
		if (!is_executable(unwinder, sample, time_ns, unwinder->chain[i] - 1))
			return false;
	return count > 1 &&
	       dump_unwinder_is_root(unwinder, sample->pid, state, time_ns, unwinder->chain[count - 1], true);
}

bool dump_unwinder_chain_is_exact(struct dump_unwinder *unwinder, const struct sample *sample,
				  const struct process_state *state, uint64_t time_ns)
{
	const size_t count = collect_chain(unwinder, sample);
	struct unwind_place place = place_of(unwinder, sample->pid, time_ns);
	struct unwind_input input;

	if (count == 0 || !prepare(unwinder, sample, state, &place, &input))
		return false;
	for (size_t i = 0; i + 1 < count; i++) {
		const struct unwind_frame frame = { .address = unwinder->chain[i],
						    .is_return_address = i > 0 };

		if (unwinder_row(unwinder->unwinder, &input, &frame) != UNWIND_ROW_FRAME_POINTER)
			return false;
	}
	return true;
}

/* Copies the stack into the unwinder's own memory, where it can be continued. */
static void take_over(struct dump_unwinder *unwinder, const struct unwind_stack *unwound)
{
	memcpy(unwinder->frames, unwound->frames, unwound->count * sizeof(*unwound->frames));
	unwinder->stack = *unwound;
	unwinder->stack.frames = unwinder->frames;
	unwinder->stack.capacity = MAX_FRAMES;
}

/* Continues the unwinder's stack, which does not reach the root. NULL if the recorded chain is better. */
static const struct unwind_stack *continue_stack(struct dump_unwinder *unwinder, const struct sample *sample,
						 const struct process_state *state, uint64_t time_ns,
						 enum unwind_choice choice, size_t chain_frames)
{
	struct unwind_stack *stack = &unwinder->stack;

	if (choice == UNWIND_AUTO && chain_gets_farther(unwinder, sample, time_ns))
		return NULL;
	if (stack->end == UNWIND_END_STACK_EXHAUSTED && chain_frames && choice == UNWIND_AUTO)
		splice(unwinder, sample, state, time_ns);
	join(unwinder, sample, state, time_ns, stack);
	return stack;
}

const struct unwind_stack *dump_unwinder_choose(struct dump_unwinder *unwinder, const struct sample *sample,
						const struct process_state *state, uint64_t time_ns,
						enum unwind_choice choice, size_t chain_frames,
						const struct unwind_stack *unwound)
{
	const bool frame_pointers_only = choice == UNWIND_FP;
	const struct unwind_stack *stack = unwound;

	if ((frame_pointers_only && chain_frames) || (unwound && !unwound->count))
		return NULL;
	if (dump_unwinder_dump_failed(sample) &&
	    (frame_pointers_only || !chain_frames || unwinder->source.options.unwinder != ENGINE_XPROF))
		return NULL;
	if (!unwound)
		stack = dump_unwinder_walk(unwinder, sample, state, time_ns, frame_pointers_only);
	if (!stack || frame_pointers_only)
		return stack;
	if (stack->end == UNWIND_END_ROOT) {
		learn(unwinder, sample, state, time_ns, stack);
		return stack;
	}
	if (dump_unwinder_dump_failed(sample) && choice == UNWIND_AUTO &&
	    chain_is_rooted(unwinder, sample, state, time_ns))
		return NULL;
	if (stack == unwound)
		take_over(unwinder, unwound);
	return continue_stack(unwinder, sample, state, time_ns, choice, chain_frames);
}

bool dump_unwinder_is_root(struct dump_unwinder *unwinder, uint32_t pid, const struct process_state *state,
			   uint64_t time_ns, uint64_t address, bool is_return_address)
{
	const struct unwind_frame frame = { .address = address, .is_return_address = is_return_address };
	struct unwind_place place = place_of(unwinder, pid, time_ns);
	struct unwind_input input = { .find_mapping = unwind_place_find,
				      .context = &place,
				      .space = process_state_space(state) };

	find_arch(unwinder);
	input.arch = unwinder->arch;
	if (!input.arch)
		return false;
	if (unwinder_row(unwinder->unwinder, &input, &frame) == UNWIND_ROW_ROOT)
		return true;
	/* A chain does not tell whether the program is a 32-bit one. */
	input.arch = address >> 32 ? NULL : unwind_arch_32bit(unwinder->arch);
	return input.arch && unwinder_row(unwinder->unwinder, &input, &frame) == UNWIND_ROW_ROOT;
}

bool dump_unwinder_frame_returns(const struct unwind_stack *stack, size_t number)
{
	const bool is_trampoline =
		number + 1 < stack->count && stack->frames[number + 1].how == UNWIND_HOW_SIGNAL;

	return stack->frames[number].is_return_address && !is_trampoline;
}
