/*
 * walk_up() alternates between walk_fast(), a tight loop over remembered rules that need pc, sp and fp alone, and step_or_guess()
 * for everything else. If such a walk ends for lack of a register, unwinder_walk() repeats it with all registers. If CFI is
 * missing or wrong, code_step.c continues by reading instructions.
 */
#include "unwind/unwinder.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "unwind/bare_step.h"
#include "unwind/code_step.h"
#include "unwind/unwind_walk.h"

/* The registers that most rules need. */
struct fast_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
};

struct unwinder *unwinder_create(void)
{
	struct unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	rule_memo_init(&unwinder->memo);
	return unwinder;
}

void unwinder_destroy(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	rule_memo_fini(&unwinder->memo);
	free(unwinder);
}

const struct unwinder_counts *unwinder_counts(const struct unwinder *unwinder)
{
	return &unwinder->counts;
}

/* May steps drop all registers but pc, sp and fp? */
static bool is_light(const struct unwind_walk *walk)
{
	const struct unwind_arch *arch = walk->input->arch;

	return !walk->full && !walk->input->frame_pointers_only && walk->step.regs.known >> arch->fp & 1;
}

static void add_frame(struct unwind_walk *walk, enum unwind_how how)
{
	struct unwind_stack *stack = walk->stack;

	stack->frames[stack->count++] =
		(struct unwind_frame){ .address = walk->step.pc,
				       .how = (uint8_t)how,
				       .is_return_address = walk->step.is_return_address,
				       .sp = walk->step.regs.value[walk->input->arch->sp] };
}

static bool is_sampled_or_interrupted(const struct unwind_walk *walk)
{
	const uint8_t how = walk->stack->frames[walk->stack->count - 1].how;

	return how == UNWIND_HOW_REGISTERS || how == UNWIND_HOW_SIGNAL;
}

/*
 * Did the caller's pc, by CFI, come out of a register that held neither a return address nor a signal trampoline? glibc's
 * swapcontext for aarch64 puts other addresses there, while its CFI still describes a return address.
 */
static bool is_odd_link(struct unwind_walk *walk, const struct unwind_rule *rule, bool was_return_address)
{
	const struct unwind_arch *arch = walk->input->arch;
	const struct known_mapping *mapping;
	struct code_bytes code;

	if (!arch->ra_is_register || was_return_address || rule->signal_frame ||
	    (rule->ra.kind != RULE_UNSPECIFIED && rule->ra.kind != RULE_SAME_VALUE))
		return false;
	mapping = walk->step.pc ? unwind_walk_code_at(walk, walk->step.pc) : NULL;
	if (!mapping)
		return false;
	code = known_mapping_code(mapping, walk->step.pc);
	return code.at && !arch->follows_call(&code) && !arch->signal_trampoline(&code);
}

static enum unwind_end step_by_rule(struct unwind_walk *walk, const struct unwind_rule *rule,
				    enum unwind_how *how)
{
	const bool was_return_address = walk->step.is_return_address;
	enum unwind_end end;
	uint64_t pc;

	if (rule->by_code)
		return code_step_by_rule(walk, rule, how);
	if (!walk->full && rule->path <= PATH_FP)
		return unwind_step_fast(&walk->step, rule);
	pc = walk->step.pc;
	end = unwind_step_general(&walk->step, rule, walk->mapping->mapping.module);
	if (rule->begins_stack && end != UNWIND_END_STACK_EXHAUSTED &&
	    (end != UNWIND_STEPPED || !code_step_is_caller(walk, rule, pc)))
		return UNWIND_END_ROOT;
	/* The CFI of longjmp and setcontext describes the frame they go to long before they are there. */
	if ((end == UNWIND_END_BAD_CFA &&
	     bare_step_by_link_register(&walk->step, &walk->unwinder->mappings)) ||
	    (end == UNWIND_STEPPED && (rule->unproved || is_odd_link(walk, rule, was_return_address)))) {
		*how = UNWIND_HOW_UNPROVED_FP;
		return UNWIND_STEPPED;
	}
	return end;
}

static enum unwind_end step_once(struct unwind_walk *walk, enum unwind_how *how)
{
	const struct unwind_rule *rule = unwind_walk_rule(walk);

	if (rule->not_called)
		walk->stack->frames[walk->stack->count - 1].is_return_address = false;
	if (rule->path == PATH_ROOT)
		return UNWIND_END_ROOT;
	if (rule->path == PATH_NO_CFI || walk->input->frame_pointers_only)
		return code_step_without_cfi(walk, how);
	*how = rule->signal_frame  ? UNWIND_HOW_SIGNAL :
	       rule->frame_pointer ? UNWIND_HOW_FRAME_POINTER :
				     UNWIND_HOW_CFI;
	return step_by_rule(walk, rule, how);
}

static bool is_entry(const struct known_mapping *known, uint64_t pc)
{
	return known && known->mapping.module &&
	       module_is_entry(known->mapping.module, pc - known->mapping.bias);
}

/* Did exact rules find both the current frame, which is not the sampled one, and its caller? */
static bool is_exact(const struct unwind_walk *walk, enum unwind_how how)
{
	const struct unwind_stack *stack = walk->stack;
	const uint8_t found = stack->frames[stack->count - 1].how;

	return (how == UNWIND_HOW_CFI || how == UNWIND_HOW_FRAME_POINTER) &&
	       (found == UNWIND_HOW_CFI || found == UNWIND_HOW_FRAME_POINTER || found == UNWIND_HOW_SIGNAL);
}

/*
 * Does the stack begin here without a mark? It does if the return address is 0 and one of these holds: exact rules found it
 * (gccgo's goroutines), the frame pointer is 0 as well (kernels and C libraries hand that to new threads), or the frame pointer
 * points to the very end of the frame, where the stack itself ends (D's fibers). And it does above the function at the program's
 * entry point.
 */
static bool is_unmarked_root(struct unwind_walk *walk, uint64_t callee_pc, enum unwind_how how)
{
	const struct unwind_step *step = &walk->step;
	const struct known_mapping *callee =
		mapping_cache_find(&walk->unwinder->mappings, walk->input, callee_pc);
	const uint64_t fp = step->regs.value[walk->input->arch->fp];

	if (step->pc == 0 &&
	    (is_exact(walk, how) || fp == 0 || fp == step->regs.value[walk->input->arch->sp]))
		return true;
	return is_entry(callee, callee_pc);
}

/* Takes a step whose rule needs pc, sp and fp alone. Returns false if the step is not that simple. */
static inline bool try_fast_step(const struct unwind_input *input, const struct unwind_rule *rule,
				 struct fast_frame *frame)
{
	const uint64_t alignment_mask = input->arch->word_bytes - 1u;
	uint64_t cfa = (rule->path == PATH_SP ? frame->sp : frame->fp) + (uint64_t)(int64_t)rule->cfa.value;

	if ((rule->path != PATH_SP && rule->path != PATH_FP) || (cfa & alignment_mask) || cfa <= frame->sp ||
	    !stack_memory_word(&input->stack, cfa + (uint64_t)(int64_t)rule->ra.value, &frame->pc))
		return false;
	frame->pc &= ~input->pac_mask;
	frame->sp = cfa;
	return rule->fp.kind != RULE_AT_CFA ||
	       stack_memory_word(&input->stack, cfa + (uint64_t)(int64_t)rule->fp.value, &frame->fp);
}

/*
 * Takes the common steps in one tight loop: remembered rules that need pc, sp and fp alone and lead into
 * known mappings. All other steps are left to walk_up(), which begins where this loop stopped.
 */
static void walk_fast(struct unwind_walk *walk)
{
	const struct unwind_arch *arch = walk->input->arch;
	struct unwind_step *step = &walk->step;
	struct fast_frame frame = { step->pc, step->regs.value[arch->sp], step->regs.value[arch->fp] };
	size_t before = walk->stack->count;

	while (walk->stack->count < walk->stack->capacity && walk->mapping && walk->mapping->mapping.module) {
		uint64_t vaddr = frame.pc - walk->mapping->mapping.bias;
		uint64_t key = rule_memo_key(walk->mapping->key_base, vaddr,
					     rule_memo_kind_of(step->is_return_address));
		const struct unwind_rule *rule =
			rule_memo_takes(vaddr) ? rule_memo_find(&walk->unwinder->memo, key) : NULL;
		const struct known_mapping *mapping;
		struct fast_frame caller = frame;

		if (!rule || !try_fast_step(walk->input, rule, &caller))
			break;
		mapping = walk->mapping;
		if (!unwind_mapping_has(&mapping->mapping, caller.pc - 1))
			mapping = mapping_cache_known(&walk->unwinder->mappings, caller.pc - 1);
		if (!mapping || !mapping->mapping.executable)
			break;
		frame = caller;
		walk->mapping = mapping;
		step->is_return_address = true;
		walk->stack->frames[walk->stack->count++] = (struct unwind_frame){
			.address = frame.pc,
			.how = rule->frame_pointer ? UNWIND_HOW_FRAME_POINTER : UNWIND_HOW_CFI,
			.is_return_address = true,
			.sp = frame.sp,
		};
	}
	if (walk->stack->count != before)
		unwind_step_to(step, frame.pc, frame.sp, frame.fp);
}

/*
 * Steps from the leaf once more after its CFI led astray. Wrong CFI matters only there: only leaves are sampled, or interrupted
 * by a signal, in epilogues and in assembly that calls nothing. V8's CFI omits that the code pops its return address to remove
 * arguments, that of glibc's memcpy() for i586 omits a push. The instructions up to the return may tell, or the frame pointer.
 */
static bool step_again(struct unwind_walk *walk, const struct unwind_step *leaf, enum unwind_how *how)
{
	const struct unwind_step astray = walk->step;

	if (!code_step_by_exit(walk, leaf, how)) {
		*how = UNWIND_HOW_UNPROVED_FP;
		walk->step = *leaf;
		if (!bare_step_by_frame_pointer(&walk->step, &walk->unwinder->mappings)) {
			walk->step = astray;
			return false;
		}
	}
	walk->step.is_return_address = true;
	walk->mapping = unwind_walk_mapping_of_pc(walk);
	return true;
}

/* Did the leaf's rule find no caller, or only the frame pointer find one? *how is set if there was a step. */
static bool may_switch(enum unwind_end end, const enum unwind_how *how)
{
	return end == UNWIND_END_NO_CFI || end == UNWIND_END_BAD_CFA ||
	       (end == UNWIND_STEPPED && *how == UNWIND_HOW_UNPROVED_FP);
}

/* Steps to the caller, which must be code. */
static enum unwind_end step_to_code(struct unwind_walk *walk, enum unwind_how *how)
{
	struct unwind_step *step = &walk->step, leaf;
	const bool is_leaf = is_sampled_or_interrupted(walk);
	uint64_t callee_pc = step->pc;
	enum unwind_end end;

	if (is_leaf)
		leaf = *step;
	end = step_once(walk, how);
	if (is_leaf && may_switch(end, how) && code_step_by_switch(walk, &leaf)) {
		end = UNWIND_STEPPED;
		*how = UNWIND_HOW_CODE;
	}
	if (end != UNWIND_STEPPED)
		return end;
	step->is_return_address = *how != UNWIND_HOW_SIGNAL;
	walk->mapping = unwind_walk_mapping_of_pc(walk);
	if (walk->mapping)
		return UNWIND_STEPPED;
	if (is_unmarked_root(walk, callee_pc, *how))
		return UNWIND_END_ROOT;
	if (is_leaf && step_again(walk, &leaf, how))
		return UNWIND_STEPPED;
	walk->stack->value = step->pc;
	return UNWIND_END_BAD_RETURN_ADDRESS;
}

/* May a guess follow this end? A walk that ends for lack of a register is first repeated with all registers. */
static bool may_guess(const struct unwind_walk *walk, enum unwind_end end)
{
	switch (end) {
	case UNWIND_END_NO_CFI: /* already guessed */
	case UNWIND_END_ROOT:
	case UNWIND_END_STACK_EXHAUSTED: return false;
	case UNWIND_END_UNKNOWN_REGISTER: return walk->input->guess && walk->full;
	default: return walk->input->guess;
	}
}

/* If the rule led astray, guesses from the frame's beginning. */
static enum unwind_end step_or_guess(struct unwind_walk *walk, enum unwind_how *how)
{
	struct unwind_step *step = &walk->step;
	uint64_t *sp = &step->regs.value[walk->input->arch->sp], before = *sp;
	enum unwind_end end = step_to_code(walk, how);

	if (end == UNWIND_STEPPED || !may_guess(walk, end))
		return end;
	*sp = before;
	*how = UNWIND_HOW_GUESSED;
	if (!bare_step_by_guess(step, &walk->unwinder->mappings))
		return end;
	step->value = walk->stack->value = 0;
	step->is_return_address = true;
	walk->mapping = unwind_walk_mapping_of_pc(walk);
	return UNWIND_STEPPED;
}

static enum unwind_end walk_up(struct unwind_walk *walk)
{
	for (;;) {
		enum unwind_how how;
		enum unwind_end end;

		if (is_light(walk))
			walk_fast(walk);
		end = step_or_guess(walk, &how);
		if (end != UNWIND_STEPPED)
			return end;
		if (walk->stack->count == walk->stack->capacity)
			return UNWIND_END_DEPTH_LIMIT;
		add_frame(walk, how);
	}
}

static enum unwind_end walk_from_start(struct unwind_walk *walk)
{
	const struct unwind_input *input = walk->input;

	walk->stack->count = 0;
	walk->stack->value = 0;
	unwind_step_init(&walk->step, input);
	walk->mapping = mapping_cache_find(&walk->unwinder->mappings, input, input->pc);
	add_frame(walk, UNWIND_HOW_REGISTERS);
	return walk_up(walk);
}

void unwinder_walk(struct unwinder *unwinder, const struct unwind_input *input, struct unwind_stack *stack)
{
	struct unwind_walk walk = { .unwinder = unwinder, .input = input, .stack = stack };

	if (!unwind_stack_begin(stack, input))
		return;
	unwinder->counts.walks++;
	mapping_cache_enter(&unwinder->mappings, input);
	stack->end = walk_from_start(&walk);
	/* A rule needs a register that the fast steps dropped: walk again with all registers. */
	if (stack->end == UNWIND_END_UNKNOWN_REGISTER) {
		unwinder->counts.replays++;
		walk.full = true;
		stack->end = walk_from_start(&walk);
	}
	unwinder->counts.frames += stack->count;
	unwinder->counts.mapping_misses = unwinder->mappings.misses;
	stack->at = stack->frames[stack->count - 1].address;
	if (walk.step.value)
		stack->value = walk.step.value;
	if (stack->end == UNWIND_END_STACK_EXHAUSTED)
		stack->return_slot = walk.step.return_slot;
	stack->stack_bytes_used = unwind_step_bytes_used(&walk.step);
}

/* Does fp point to a frame record: the caller's fp at [fp], the return address in the next word, whatever the CFA is? */
static bool is_frame_record(const struct unwind_rule *rule, const struct unwind_arch *arch)
{
	return !rule->unproved && !rule->by_code && rule->cfa.kind == CFA_REGISTER &&
	       rule->cfa.reg == arch->fp && rule->fp.kind == RULE_AT_CFA && rule->ra.kind == RULE_AT_CFA &&
	       rule->fp.value == -rule->cfa.value && rule->ra.value == arch->word_bytes - rule->cfa.value;
}

enum unwind_row unwinder_row(struct unwinder *unwinder, const struct unwind_input *input,
			     const struct unwind_frame *frame)
{
	struct unwind_walk walk = { .unwinder = unwinder, .input = input };
	const struct unwind_rule *rule;

	mapping_cache_enter(&unwinder->mappings, input);
	walk.step = (struct unwind_step){ .input = input,
					  .pc = frame->address,
					  .is_return_address = frame->is_return_address };
	walk.mapping = unwind_walk_mapping_of_pc(&walk);
	rule = unwind_walk_rule(&walk);
	if (rule->path == PATH_ROOT || (rule->path == PATH_NO_CFI && is_entry(walk.mapping, frame->address)))
		return UNWIND_ROW_ROOT;
	return is_frame_record(rule, input->arch) ? UNWIND_ROW_FRAME_POINTER : UNWIND_ROW_OTHER;
}
