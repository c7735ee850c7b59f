/*
 * walk_up() alternates between walk_fast(), a tight loop over remembered rules that need pc, sp and fp alone, and
 * step_or_guess() for everything else. If such a walk ends for lack of a register, unwinder_walk() repeats it with all
 * registers. Rules made from instructions are believed only if they lead to a plausible caller; if not, other methods are
 * tried from the same frame.
 */
#include "unwind/unwinder.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "unwind/bare_step.h"
#include "unwind/code/code_switch.h"
#include "unwind/code_proof.h"
#include "unwind/mapping_cache.h"
#include "unwind/rule_memo.h"
#include "unwind/unwind_step.h"

struct unwinder {
	struct rule_memo memo;
	struct mapping_cache mappings;
	struct code_proof proof;
	struct unwinder_counts counts;
};

/* The registers that most rules need. */
struct fast_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t fp;
};

/* One walk up one stack. */
struct walk {
	struct unwinder *unwinder;
	const struct unwind_input *input;
	struct unwind_stack *stack;
	struct unwind_step step;
	const struct known_mapping *mapping; /* of the current pc; NULL: nothing is known to be there */
	bool full;                           /* follow all registers, not pc, sp and fp alone */
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

static const struct known_mapping *executable_at(const struct walk *walk, uint64_t address)
{
	return mapping_cache_find_code(&walk->unwinder->mappings, walk->input, address);
}

/*
 * Where the current pc lies, NULL if that is not executable. A return address
 * belongs to the call before it, but a signal trampoline may begin a mapping.
 */
static const struct known_mapping *mapping_of_pc(struct walk *walk)
{
	const struct unwind_step *step = &walk->step;
	const struct known_mapping *mapping;

	if (step->pc == 0)
		return NULL;
	mapping = executable_at(walk, step->pc - step->is_return_address);
	return mapping ? mapping : executable_at(walk, step->pc);
}

/* May steps drop all registers but pc, sp and fp? */
static bool is_light(const struct walk *walk)
{
	const struct unwind_arch *arch = walk->input->arch;

	return !walk->full && !walk->input->frame_pointers_only && walk->step.regs.known >> arch->fp & 1;
}

static const struct unwind_rule *ask_module(struct walk *walk, uint64_t vaddr)
{
	walk->unwinder->counts.rule_misses++;
	return module_rule(walk->mapping->mapping.module, vaddr, walk->step.is_return_address);
}

/* The rule for the current frame. */
static const struct unwind_rule *find_rule(struct walk *walk)
{
	static const struct unwind_rule no_cfi = { .path = PATH_NO_CFI };
	const struct unwind_rule *rule;
	uint64_t vaddr, key;

	if (!walk->mapping || !walk->mapping->mapping.module)
		return &no_cfi;
	vaddr = walk->step.pc - walk->mapping->mapping.bias;
	if (!rule_memo_takes(vaddr))
		return ask_module(walk, vaddr);
	key = rule_memo_key(walk->mapping->key_base, vaddr, rule_memo_kind_of(walk->step.is_return_address));
	rule = rule_memo_find(&walk->unwinder->memo, key);
	if (!rule) {
		rule = ask_module(walk, vaddr);
		rule_memo_put(&walk->unwinder->memo, key, rule);
	}
	return rule;
}

static void add_frame(struct walk *walk, enum unwind_how how)
{
	struct unwind_stack *stack = walk->stack;

	stack->frames[stack->count++] =
		(struct unwind_frame){ .address = walk->step.pc,
				       .how = (uint8_t)how,
				       .is_return_address = walk->step.is_return_address,
				       .sp = walk->step.regs.value[walk->input->arch->sp] };
}

/* The caller is where the frame pointer says, of which nothing was recorded. */
static enum unwind_end end_beyond_bytes(struct walk *walk)
{
	struct unwind_step *step = &walk->step;

	step->return_slot = step->value =
		step->regs.value[walk->input->arch->fp] + walk->input->arch->word_bytes;
	walk->stack->by_frame_pointer = true;
	return UNWIND_END_STACK_EXHAUSTED;
}

static bool is_sampled_or_interrupted(const struct walk *walk)
{
	const uint8_t how = walk->stack->frames[walk->stack->count - 1].how;

	return how == UNWIND_HOW_REGISTERS || how == UNWIND_HOW_SIGNAL;
}

/* Does the rule for a frame at `pc` rest on something that what is called cannot prove? */
static bool is_assumed(struct walk *walk, const struct unwind_rule *rule, uint64_t pc)
{
	return rule->assumed && !code_proof_calls_keep_stack(&walk->unwinder->proof, walk->input,
							     &walk->unwinder->mappings, pc);
}

/*
 * How the caller was found that a step by instructions has led to from `pc`. Nothing need be assumed where a direct call of
 * this very code lies in front of what was found, or where HotSpot's interpreter kept the stack pointer that was found.
 */
static enum unwind_how how_by_code(struct walk *walk, bool assumed, uint64_t pc)
{
	struct mapping_cache *mappings = &walk->unwinder->mappings;

	return assumed && !bare_step_resumes_interpreter(&walk->step, mappings) &&
			       !bare_step_is_call_of(&walk->step, mappings, walk->step.pc, pc) &&
			       !code_proof_is_caller(&walk->unwinder->proof, walk->input, mappings,
						     walk->step.pc, pc) ?
		       UNWIND_HOW_ASSUMED :
		       UNWIND_HOW_CODE;
}

/* Of the instruction at `vaddr`, by what follows up to the return, remembered as other rules are. */
static const struct unwind_rule *find_exit_rule(struct walk *walk, const struct known_mapping *known,
						uint64_t vaddr)
{
	const bool is_remembered = rule_memo_takes(vaddr);
	const uint64_t key = rule_memo_key(known->key_base, vaddr, RULE_MEMO_EXIT);
	const struct unwind_rule *rule = is_remembered ? rule_memo_find(&walk->unwinder->memo, key) : NULL;

	if (rule)
		return rule;
	rule = module_exit_rule(known->mapping.module, vaddr);
	if (is_remembered)
		rule_memo_put(&walk->unwinder->memo, key, rule);
	return rule;
}

/*
 * A register that calls may change, and that the stack pointer is kept in: what it was in the sampled frame, if that is the
 * callee, in a file as well, and does not change it up to its return.
 */
static void recall_register(struct walk *walk, uint8_t reg)
{
	const struct unwind_input *input = walk->input;
	const struct known_mapping *known = mapping_cache_find(&walk->unwinder->mappings, input, input->pc);
	const struct unwind_rule *rule;

	if (walk->stack->count != 2 || !known || !known->mapping.module ||
	    !(input->registers.known >> reg & 1))
		return;
	rule = find_exit_rule(walk, known, input->pc - known->mapping.bias);
	for (uint8_t i = 0; i < rule->other_count; i++)
		if (rule->others[i].column == reg && rule->others[i].kind == RULE_SAME_VALUE) {
			walk->step.regs.value[reg] = input->registers.value[reg];
			walk->step.regs.known |= (uint64_t)1 << reg;
		}
}

/* To what follows a call, by the instructions from the frame's pc to the return. False with nothing changed. */
static bool step_by_exit(struct walk *walk, const struct unwind_step *frame, enum unwind_how *how)
{
	const struct known_mapping *known =
		mapping_cache_find(&walk->unwinder->mappings, walk->input, frame->pc);
	const struct unwind_step before = walk->step;
	const struct unwind_rule *rule;

	if (!known || !known->mapping.module)
		return false;
	rule = find_exit_rule(walk, known, frame->pc - known->mapping.bias);
	walk->step = *frame;
	if (rule->cfa.kind == CFA_REGISTER && !(walk->step.regs.known >> rule->cfa.reg & 1))
		recall_register(walk, rule->cfa.reg);
	if (rule->path != PATH_NO_CFI && !rule->tail && !rule->jumps &&
	    unwind_step_general(&walk->step, rule, known->mapping.module) == UNWIND_STEPPED &&
	    bare_step_may_lead_to(&walk->step, &walk->unwinder->mappings, walk->step.pc)) {
		*how = how_by_code(walk, is_assumed(walk, rule, frame->pc), frame->pc);
		return true;
	}
	walk->step = before;
	return false;
}

static enum unwind_end step_without_cfi(struct walk *walk, enum unwind_how *how)
{
	struct mapping_cache *mappings = &walk->unwinder->mappings;
	const struct unwind_step frame = walk->step;

	/* Video and image libraries spend most of their time in assembly without unwind information. */
	if (!walk->input->frame_pointers_only && step_by_exit(walk, &frame, how))
		return UNWIND_STEPPED;
	*how = UNWIND_HOW_CODE;
	if (!walk->input->frame_pointers_only && bare_step_out_of_haskell(&walk->step, mappings))
		return UNWIND_STEPPED;
	*how = UNWIND_HOW_UNPROVED_FP;
	if ((!walk->input->frame_pointers_only && bare_step_by_link_register(&walk->step, mappings)) ||
	    bare_step_by_frame_pointer(&walk->step, mappings))
		return UNWIND_STEPPED;
	if (bare_step_is_cut_off(&walk->step))
		return end_beyond_bytes(walk);
	*how = UNWIND_HOW_GUESSED;
	return walk->input->guess && bare_step_by_guess(&walk->step, mappings) ? UNWIND_STEPPED :
										 UNWIND_END_NO_CFI;
}

/*
 * Is what the caller's pc came out of a register for, by its CFI, no return address, nor a signal trampoline's? glibc's
 * swapcontext for aarch64 puts other addresses there while its CFI goes on to speak of a return address.
 */
static bool is_odd_link(struct walk *walk, const struct unwind_rule *rule, bool was_return_address)
{
	const struct unwind_arch *arch = walk->input->arch;
	const struct known_mapping *mapping;
	struct code_bytes code;

	if (!arch->ra_is_register || was_return_address || rule->signal_frame ||
	    (rule->ra.kind != RULE_UNSPECIFIED && rule->ra.kind != RULE_SAME_VALUE))
		return false;
	mapping = walk->step.pc ? executable_at(walk, walk->step.pc) : NULL;
	if (!mapping)
		return false;
	code = known_mapping_code(mapping, walk->step.pc);
	return code.at && !arch->follows_call(&code) && !arch->signal_trampoline(&code);
}

/* Is what a rule made from instructions led to, from `pc` on, a return address, or what a thread begins with? */
static bool is_caller(struct walk *walk, const struct unwind_rule *rule, uint64_t pc)
{
	const struct unwind_step *step = &walk->step;

	if (rule->tail)
		return bare_step_is_call_of(step, &walk->unwinder->mappings, step->pc, pc);
	return (step->pc == 0 && step->regs.value[walk->input->arch->fp] == 0) ||
	       bare_step_may_lead_to(step, &walk->unwinder->mappings, step->pc);
}

/*
 * Where code of a file was jumped to that first takes off what was put on the stack for it, which its CFI says nothing of:
 * by the CFI behind that. LuaJIT's traces leave so to its interpreter.
 */
static bool step_behind_release(struct walk *walk, uint64_t from)
{
	struct unwind_step *step = &walk->step;
	const struct unwind_arch *arch = walk->input->arch;
	struct module *module = walk->mapping->mapping.module;
	const struct unwind_rule *rule;
	struct code_bytes code;
	size_t distance;
	int32_t bytes;

	if (!module || module_is_live(module))
		return false;
	code = known_mapping_code(walk->mapping, step->pc);
	if (!code_switch_release(&code, arch, &distance, &bytes))
		return false;
	step->pc += distance;
	step->regs.value[arch->sp] += (uint64_t)bytes;
	rule = find_rule(walk);
	return rule->path != PATH_NO_CFI && rule->path != PATH_ROOT && !rule->by_code &&
	       unwind_step_general(step, rule, module) == UNWIND_STEPPED && is_caller(walk, rule, from);
}

/*
 * The code goes on elsewhere, by jumps that are certain, in the frame that it has: there a rule tells of the caller, which
 * must be one. False, with nothing but the place changed, where it does not.
 */
static bool step_by_jumps(struct walk *walk, const struct unwind_rule *rule, bool *assumed)
{
	enum { MAX_JUMPS = 8 };
	const uint64_t from = walk->step.pc;
	struct unwind_step arrived;

	*assumed = is_assumed(walk, rule, walk->step.pc);
	for (int i = 0; rule->jumps && i < MAX_JUMPS; i++) {
		walk->mapping = executable_at(walk, walk->step.pc - walk->step.is_return_address);
		if (!walk->mapping ||
		    unwind_step_general(&walk->step, rule, walk->mapping->mapping.module) != UNWIND_STEPPED)
			return false;
		walk->step.is_return_address = false;
		walk->mapping = executable_at(walk, walk->step.pc);
		if (!walk->mapping)
			return false;
		rule = find_rule(walk);
		*assumed |= is_assumed(walk, rule, walk->step.pc);
	}
	walk->mapping = executable_at(walk, walk->step.pc);
	if (rule->path == PATH_NO_CFI || rule->path == PATH_ROOT || rule->jumps || rule->tail ||
	    walk->step.pc == from || !walk->mapping)
		return false;
	arrived = walk->step;
	if (unwind_step_general(&walk->step, rule, walk->mapping->mapping.module) == UNWIND_STEPPED &&
	    is_caller(walk, rule, from))
		return true;
	walk->step = arrived;
	return !rule->by_code && step_behind_release(walk, from);
}

/* A stub without a frame, which jumps on: to the call of it. False, with nothing changed, where there is none. */
static bool step_out_of_stub(struct walk *walk)
{
	const struct unwind_arch *arch = walk->input->arch;
	const struct unwind_rule stub = {
		.cfa = { .kind = CFA_REGISTER, .reg = arch->sp, .value = 8 },
		.ra = { .kind = RULE_AT_CFA, .column = arch->ra, .value = -8 },
		.fp = { .kind = RULE_SAME_VALUE, .column = arch->fp },
		.tail = true,
	};
	const struct unwind_step before = walk->step;

	if (unwind_step_general(&walk->step, &stub, NULL) == UNWIND_STEPPED &&
	    is_caller(walk, &stub, before.pc))
		return true;
	walk->step = before;
	return false;
}

/*
 * Out of a function that has given up its frame, restored the frame pointer last, and jumps to another: C2 of HotSpot ends
 * loops that were never seen to end so, on to where exceptions are thrown. The return address is what comes next on the
 * stack. False, with nothing changed, where that is none.
 */
static bool step_by_tail_call(struct walk *walk, const struct unwind_rule *rule)
{
	const struct unwind_arch *arch = walk->input->arch;
	const struct unwind_rule entered = {
		.cfa = { .kind = CFA_REGISTER, .reg = arch->sp, .value = arch->word_bytes },
		.ra = { .kind = RULE_AT_CFA, .column = arch->ra, .value = -arch->word_bytes },
		.fp = { .kind = RULE_SAME_VALUE, .column = arch->fp },
	};
	const struct unwind_step before = walk->step;

	if (rule->fp.kind == RULE_AT_CFA && rule->fp.value == -arch->word_bytes &&
	    unwind_step_general(&walk->step, rule, NULL) == UNWIND_STEPPED &&
	    unwind_step_general(&walk->step, &entered, NULL) == UNWIND_STEPPED &&
	    is_caller(walk, &entered, before.pc))
		return true;
	walk->step = before;
	return false;
}

/* By a rule that was made from instructions, if it leads to a caller. Otherwise the frame pointer is tried. */
static enum unwind_end step_by_code(struct walk *walk, const struct unwind_rule *rule, enum unwind_how *how)
{
	const struct unwind_step before = walk->step;
	enum unwind_end end;
	bool assumed;

	*how = UNWIND_HOW_CODE;
	if (rule->jumps) {
		if (step_by_jumps(walk, rule, &assumed)) {
			*how = how_by_code(walk, assumed, before.pc);
			return UNWIND_STEPPED;
		}
		walk->step = before;
		walk->mapping = mapping_of_pc(walk);
		if (step_by_tail_call(walk, rule)) {
			*how = how_by_code(walk, is_assumed(walk, rule, before.pc), before.pc);
			return UNWIND_STEPPED;
		}
		return rule->tail && step_out_of_stub(walk) ? UNWIND_STEPPED : step_without_cfi(walk, how);
	}
	end = unwind_step_general(&walk->step, rule, walk->mapping->mapping.module);
	if (end == UNWIND_STEPPED && is_caller(walk, rule, before.pc)) {
		*how = how_by_code(walk, is_assumed(walk, rule, before.pc), before.pc);
		return end;
	}
	if (rule->begins_stack)
		return UNWIND_END_ROOT;
	if (end == UNWIND_END_STACK_EXHAUSTED || (end == UNWIND_END_UNKNOWN_REGISTER && !walk->full))
		return end;
	walk->step = before;
	return step_without_cfi(walk, how);
}

static enum unwind_end step_by_rule(struct walk *walk, const struct unwind_rule *rule, enum unwind_how *how)
{
	const bool was_return_address = walk->step.is_return_address;
	enum unwind_end end;
	uint64_t pc;

	if (rule->by_code)
		return step_by_code(walk, rule, how);
	if (!walk->full && rule->path <= PATH_FP)
		return unwind_step_fast(&walk->step, rule);
	pc = walk->step.pc;
	end = unwind_step_general(&walk->step, rule, walk->mapping->mapping.module);
	if (rule->begins_stack && end != UNWIND_END_STACK_EXHAUSTED &&
	    (end != UNWIND_STEPPED || !is_caller(walk, rule, pc)))
		return UNWIND_END_ROOT;
	/* longjmp and setcontext speak of where they go, long before they are there. */
	if ((end == UNWIND_END_BAD_CFA &&
	     bare_step_by_link_register(&walk->step, &walk->unwinder->mappings)) ||
	    (end == UNWIND_STEPPED && (rule->unproved || is_odd_link(walk, rule, was_return_address)))) {
		*how = UNWIND_HOW_UNPROVED_FP;
		return UNWIND_STEPPED;
	}
	return end;
}

static enum unwind_end step_once(struct walk *walk, enum unwind_how *how)
{
	const struct unwind_rule *rule = find_rule(walk);

	if (rule->not_called)
		walk->stack->frames[walk->stack->count - 1].is_return_address = false;
	if (rule->path == PATH_ROOT)
		return UNWIND_END_ROOT;
	if (rule->path == PATH_NO_CFI || walk->input->frame_pointers_only)
		return step_without_cfi(walk, how);
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

/* Was the current frame, which is not the sampled one, and its caller's place found by rules that are exact? */
static bool is_exact(const struct walk *walk, enum unwind_how how)
{
	const struct unwind_stack *stack = walk->stack;
	const uint8_t found = stack->frames[stack->count - 1].how;

	return (how == UNWIND_HOW_CFI || how == UNWIND_HOW_FRAME_POINTER) &&
	       (found == UNWIND_HOW_CFI || found == UNWIND_HOW_FRAME_POINTER || found == UNWIND_HOW_SIGNAL);
}

/*
 * Where stacks begin without saying so: a return address of 0, if there is no doubt that it is one (gccgo's goroutines), or
 * if it comes with a frame pointer of 0 (what kernels and C libraries hand to new threads) or with one that points to the
 * very end of the frame, where the stack itself ends (D's fibers); and whatever lies above the function at the program's
 * entry point.
 */
static bool is_unmarked_root(struct walk *walk, uint64_t callee_pc, enum unwind_how how)
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

/* Takes a step whose rule needs pc, sp and fp only. False if the step is not that simple. */
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
static void walk_fast(struct walk *walk)
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
 * Wrong CFI matters to leaves alone: only they are sampled, or interrupted by a signal, in epilogues and in assembly that
 * calls nothing. V8 says nothing of the return address that it pops to put away arguments, glibc's memcpy() for i586 nothing
 * of a push. The instructions up to the return may know, or the frame pointer.
 */
static bool step_again(struct walk *walk, const struct unwind_step *leaf, enum unwind_how *how)
{
	const struct unwind_step astray = walk->step;

	if (!step_by_exit(walk, leaf, how)) {
		*how = UNWIND_HOW_UNPROVED_FP;
		walk->step = *leaf;
		if (!bare_step_by_frame_pointer(&walk->step, &walk->unwinder->mappings)) {
			walk->step = astray;
			return false;
		}
	}
	walk->step.is_return_address = true;
	walk->mapping = mapping_of_pc(walk);
	return true;
}

/*
 * Out of a function of a file that goes on on another stack, to what follows a call there: nothing describes Boost's, and glibc's
 * CFI of longjmp speaks of a frame at the jmp_buf.
 */
static bool step_by_switch(struct walk *walk, const struct unwind_step *leaf)
{
	const struct unwind_step before = walk->step;
	const struct known_mapping *known =
		mapping_cache_find(&walk->unwinder->mappings, walk->input, leaf->pc);
	struct module *module = known ? known->mapping.module : NULL;
	const struct unwind_rule *rule;

	if (!module || module_is_live(module) || walk->input->frame_pointers_only)
		return false;
	rule = module_switch_rule(module, leaf->pc - known->mapping.bias);
	walk->step = *leaf;
	if (rule->path != PATH_NO_CFI && unwind_step_general(&walk->step, rule, module) == UNWIND_STEPPED &&
	    bare_step_may_lead_to(&walk->step, &walk->unwinder->mappings, walk->step.pc))
		return true;
	walk->step = before;
	return false;
}

/* Does the leaf's rule lead nowhere, or only its frame pointer on? *how is set where there was a step. */
static bool may_switch(enum unwind_end end, const enum unwind_how *how)
{
	return end == UNWIND_END_NO_CFI || end == UNWIND_END_BAD_CFA ||
	       (end == UNWIND_STEPPED && *how == UNWIND_HOW_UNPROVED_FP);
}

/* To the caller, which must be code. */
static enum unwind_end step_to_code(struct walk *walk, enum unwind_how *how)
{
	struct unwind_step *step = &walk->step, leaf;
	const bool is_leaf = is_sampled_or_interrupted(walk);
	uint64_t callee_pc = step->pc;
	enum unwind_end end;

	if (is_leaf)
		leaf = *step;
	end = step_once(walk, how);
	if (is_leaf && may_switch(end, how) && step_by_switch(walk, &leaf)) {
		end = UNWIND_STEPPED;
		*how = UNWIND_HOW_CODE;
	}
	if (end != UNWIND_STEPPED)
		return end;
	step->is_return_address = *how != UNWIND_HOW_SIGNAL;
	walk->mapping = mapping_of_pc(walk);
	if (walk->mapping)
		return UNWIND_STEPPED;
	if (is_unmarked_root(walk, callee_pc, *how))
		return UNWIND_END_ROOT;
	if (is_leaf && step_again(walk, &leaf, how))
		return UNWIND_STEPPED;
	walk->stack->value = step->pc;
	return UNWIND_END_BAD_RETURN_ADDRESS;
}

/*
 * Is a guess wanted after this end? A stack that ends for lack of a register is first walked again with all
 * of them.
 */
static bool may_guess(const struct walk *walk, enum unwind_end end)
{
	switch (end) {
	case UNWIND_END_NO_CFI: /* it was tried */
	case UNWIND_END_ROOT:
	case UNWIND_END_STACK_EXHAUSTED: return false;
	case UNWIND_END_UNKNOWN_REGISTER: return walk->input->guess && walk->full;
	default: return walk->input->guess;
	}
}

/* Where the rule led astray, a guess goes on from where the frame began. */
static enum unwind_end step_or_guess(struct walk *walk, enum unwind_how *how)
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
	walk->mapping = mapping_of_pc(walk);
	return UNWIND_STEPPED;
}

static enum unwind_end walk_up(struct walk *walk)
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

static enum unwind_end walk_from_start(struct walk *walk)
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
	struct walk walk = { .unwinder = unwinder, .input = input, .stack = stack };

	if (!unwind_stack_begin(stack, input))
		return;
	unwinder->counts.walks++;
	mapping_cache_enter(&unwinder->mappings, input);
	stack->end = walk_from_start(&walk);
	/* A rule wants a register that the fast steps dropped: once more, with all of them. */
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

/* fp is where the callee put it: [fp] the caller's fp, the next word the return address, whatever the CFA is called by. */
static bool is_frame_record(const struct unwind_rule *rule, const struct unwind_arch *arch)
{
	return !rule->unproved && !rule->by_code && rule->cfa.kind == CFA_REGISTER &&
	       rule->cfa.reg == arch->fp && rule->fp.kind == RULE_AT_CFA && rule->ra.kind == RULE_AT_CFA &&
	       rule->fp.value == -rule->cfa.value && rule->ra.value == arch->word_bytes - rule->cfa.value;
}

enum unwind_row unwinder_row(struct unwinder *unwinder, const struct unwind_input *input,
			     const struct unwind_frame *frame)
{
	struct walk walk = { .unwinder = unwinder, .input = input };
	const struct unwind_rule *rule;

	mapping_cache_enter(&unwinder->mappings, input);
	walk.step = (struct unwind_step){ .input = input,
					  .pc = frame->address,
					  .is_return_address = frame->is_return_address };
	walk.mapping = mapping_of_pc(&walk);
	rule = find_rule(&walk);
	if (rule->path == PATH_ROOT || (rule->path == PATH_NO_CFI && is_entry(walk.mapping, frame->address)))
		return UNWIND_ROW_ROOT;
	return is_frame_record(rule, input->arch) ? UNWIND_ROW_FRAME_POINTER : UNWIND_ROW_OTHER;
}
