/*
 * Start at dump_unwinder_choose(), which decides between the stack dump and the recorded chain. prepare() makes a sample the
 * unwinder's input; find_mapping() answers the unwinder's questions about addresses. It holds the lock for the process table
 * and JIT code only, and opens files after it has released the lock.
 */
#include "report/load/dump_unwinder.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/xalloc.h"
#include "format/callchain.h"
#include "report/load/sample_registers.h"
#include "unwind/engine_libunwind.h"
#include "unwind/stack_joiner.h"
#include "unwind/stack_splice.h"

enum {
	MAX_FRAMES = 4096, /* 64 KiB of stack, the largest dump, have room for frames of 16 bytes */
	/* Last stacks of threads: for about as many threads as run at a time, some KiB. */
	RECENT_THREADS = 16, /* a power of two */
	RECENT_FRAMES = 40,
	LINE_BYTES = 64,
};

struct recent_stack {
	uint32_t tid, count;
	uint64_t frames[RECENT_FRAMES]; /* where its frames began, leaf first */
};

struct dump_unwinder {
	struct process_table *processes;
	struct dso_modules *modules;
	const struct perf_features *features;
	const struct unwind_arch *arch; /* NULL: not known yet, or of no machine that can be unwound */
	struct unwinder *unwinder;
	struct engine_libunwind *libunwind; /* instead of the unwinder; NULL: not asked for */
	struct stack_joiner *joiner;        /* NULL: not wanted, or no stack was yet */
	struct unwind_options options;
	pthread_mutex_t *lock; /* NULL: one thread does it all */
	unsigned int sp;       /* see sample_registers_sp(); when arch is known */
	struct recent_stack recent[RECENT_THREADS];
	struct unwind_stack stack;
	struct unwind_frame frames[MAX_FRAMES];
	uint64_t chain[MAX_FRAMES]; /* the user part of the sample's callchain */
};

struct place { /* whose mappings are asked for */
	struct dump_unwinder *unwinder;
	uint32_t pid;
	uint64_t time_ns;
};

struct dump_unwinder *dump_unwinder_create(struct process_table *processes, struct dso_modules *modules,
					   const struct perf_features *features,
					   const struct unwind_options *options, pthread_mutex_t *lock,
					   struct error *err)
{
	struct dump_unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	unwinder->processes = processes;
	unwinder->modules = modules;
	unwinder->features = features;
	unwinder->unwinder = unwinder_create();
	unwinder->stack = (struct unwind_stack){ .frames = unwinder->frames, .capacity = MAX_FRAMES };
	unwinder->options = *options;
	unwinder->lock = lock;
	if (options->unwinder == ENGINE_LIBUNWIND) {
		unwinder->libunwind = engine_libunwind_create(err);
		if (!unwinder->libunwind) {
			dump_unwinder_destroy(unwinder);
			return NULL;
		}
	}
	return unwinder;
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

/* JIT code of a jitdump file. libunwind reads files, so it knows nothing of it. */
static void find_jit_module(const struct dump_unwinder *unwinder, const struct mapping *mapping,
			    struct unwind_mapping *found)
{
	uint64_t code_offset;

	if (unwinder->libunwind)
		return;
	found->module = dso_modules_get_jit(unwinder->modules, mapping->dso, unwinder->arch,
					    mapping->file_offset, &code_offset);
	if (found->module)
		found->bias = mapping->start - (mapping->file_offset - code_offset);
}

/* The answer of the process table, with the DSO, whose file a thread opens in the background. */
static bool ask_process(const struct place *place, uint64_t address, struct mapping *mapping, struct dso *dso,
			struct unwind_mapping *found)
{
	if (!process_table_find_range(place->unwinder->processes, place->pid, place->time_ns, address,
				      mapping))
		return false;
	*found = (struct unwind_mapping){
		.start = mapping->start,
		.end = mapping->end,
		.executable = mapping_may_have_code(mapping),
	};
	*dso = *mapping->dso;
	if (dso->kind == DSO_JITDUMP)
		find_jit_module(place->unwinder, mapping, found);
	return true;
}

static bool find_mapping(void *context, uint64_t address, struct unwind_mapping *found)
{
	const struct place *place = context;
	pthread_mutex_t *lock = place->unwinder->lock;
	struct mapping mapping;
	struct dso dso;
	bool is_mapped;

	if (lock)
		pthread_mutex_lock(lock);
	is_mapped = ask_process(place, address, &mapping, &dso, found);
	if (lock)
		pthread_mutex_unlock(lock);
	if (!is_mapped || dso.kind == DSO_JITDUMP)
		return is_mapped;
	found->module = dso_modules_get(place->unwinder->modules, &dso);
	unwind_mapping_place(found, mapping.file_offset);
	return true;
}

static void find_arch(struct dump_unwinder *unwinder)
{
	if (unwinder->arch)
		return;
	unwinder->arch = sample_registers_arch(unwinder->features->arch);
	if (unwinder->arch)
		unwinder->sp = sample_registers_sp(unwinder->arch);
}

bool dump_unwinder_dump_failed(const struct sample *sample)
{
	return sample->user_regs_abi && sample->present & PERF_SAMPLE_STACK_USER && !sample->user_stack_size;
}

static bool prepare(struct dump_unwinder *unwinder, const struct sample *sample,
		    const struct process_state *state, struct place *place, struct unwind_input *input)
{
	find_arch(unwinder);
	*input = (struct unwind_input){ .find_mapping = find_mapping,
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
	/* Right below where a caller's frame begins lies the address that it is returned to. */
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
	struct place place = { .unwinder = unwinder, .pid = sample->pid, .time_ns = time_ns };
	struct unwind_input input;

	if (!prepare(unwinder, sample, state, &place, &input))
		return NULL;
	input.frame_pointers_only = frame_pointers_only;
	input.guess = unwinder->options.guess && !frame_pointers_only;
	walk(unwinder, &input);
	remember(unwinder, sample->tid);
	return unwinder->stack.count ? &unwinder->stack : NULL;
}

/* --- what the dump was too short for ------------------------------------------ */

/* The user part of a sample's callchain. */
static size_t collect_chain(struct dump_unwinder *unwinder, const struct sample *sample)
{
	return callchain_user_frames(sample, unwinder->chain, MAX_FRAMES);
}

static void splice(struct dump_unwinder *unwinder, const struct sample *sample,
		   const struct process_state *state, uint64_t time_ns)
{
	struct place place = { .unwinder = unwinder, .pid = sample->pid, .time_ns = time_ns };
	struct unwind_input input;

	if (prepare(unwinder, sample, state, &place, &input))
		stack_splice(unwinder->unwinder, &input, unwinder->chain, collect_chain(unwinder, sample),
			     &unwinder->stack);
}

/* The threads whose stacks may continue each other. */
static uint64_t thread_of(const struct dump_unwinder *unwinder, const struct sample *sample,
			  const struct process_state *state, uint64_t time_ns)
{
	return hash_combine(process_table_life(unwinder->processes, sample->tid, time_ns), state->process);
}

/* NULL where stacks are not joined: libunwind does not say where the stack pointer was. */
static struct stack_joiner *joiner_of(struct dump_unwinder *unwinder)
{
	if (!unwinder->options.join_stacks || unwinder->libunwind)
		return NULL;
	if (!unwinder->joiner)
		unwinder->joiner = stack_joiner_create();
	return unwinder->joiner;
}

/* A complete stack. */
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

	return process_table_find(unwinder->processes, sample->pid, time_ns, ADDRESS_USER, address,
				  &mapping) &&
	       mapping_may_have_code(&mapping);
}

/*
 * Does the recorded chain have the unwound stack, and lead on from there through code? Only where unwinding ended for
 * want of unwind information, or for that and a dump that is too short: anywhere else it knew that the frame pointer is
 * none, or has said what follows.
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

/* Does the recorded chain lead through code alone up to where threads begin? Then at most a caller of the leaf is missing. */
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
	struct place place = { .unwinder = unwinder, .pid = sample->pid, .time_ns = time_ns };
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

/* Into room of its own, for it may be continued. */
static void take_over(struct dump_unwinder *unwinder, const struct unwind_stack *unwound)
{
	memcpy(unwinder->frames, unwound->frames, unwound->count * sizeof(*unwound->frames));
	unwinder->stack = *unwound;
	unwinder->stack.frames = unwinder->frames;
	unwinder->stack.capacity = MAX_FRAMES;
}

/* A stack that does not reach the root, which is the unwinder's own; NULL where the recorded chain is better. */
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
	    (frame_pointers_only || !chain_frames || unwinder->options.unwinder != ENGINE_XPROF))
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
	struct place place = { .unwinder = unwinder, .pid = pid, .time_ns = time_ns };
	struct unwind_input input = { .find_mapping = find_mapping,
				      .context = &place,
				      .space = process_state_space(state) };

	find_arch(unwinder);
	input.arch = unwinder->arch;
	if (!input.arch)
		return false;
	if (unwinder_row(unwinder->unwinder, &input, &frame) == UNWIND_ROW_ROOT)
		return true;
	/* A chain does not say whether it is a 32-bit program's. */
	input.arch = address >> 32 ? NULL : unwind_arch_32bit(unwinder->arch);
	return input.arch && unwinder_row(unwinder->unwinder, &input, &frame) == UNWIND_ROW_ROOT;
}

bool dump_unwinder_frame_returns(const struct unwind_stack *stack, size_t number)
{
	const bool is_trampoline =
		number + 1 < stack->count && stack->frames[number + 1].how == UNWIND_HOW_SIGNAL;

	return stack->frames[number].is_return_address && !is_trampoline;
}
