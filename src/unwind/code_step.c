/*
 * Steps by reading instructions. A rule made from instructions is believed only if it leads to a plausible caller. If not, the
 * frame pointer and other methods are tried from the same frame.
 */
#include "unwind/code_step.h"

#include "unwind/bare_step.h"
#include "unwind/code/code_switch.h"

/* The frame pointer leads to the caller, but the dump does not reach so far. */
static enum unwind_end end_beyond_bytes(struct unwind_walk *walk)
{
	struct unwind_step *step = &walk->step;

	step->return_slot = step->value =
		step->regs.value[walk->input->arch->fp] + walk->input->arch->word_bytes;
	walk->stack->by_frame_pointer = true;
	return UNWIND_END_STACK_EXHAUSTED;
}

/* Does the rule for a frame at `pc` rest on an assumption that reading the callees does not prove? */
static bool is_assumed(struct unwind_walk *walk, const struct unwind_rule *rule, uint64_t pc)
{
	return rule->assumed && !code_proof_calls_keep_stack(&walk->unwinder->proof, walk->input,
							     &walk->unwinder->mappings, pc);
}

/*
 * How a step by instructions from `pc` found its caller. Nothing is assumed if a direct call of this very code precedes the
 * return address, or if HotSpot's interpreter kept the stack pointer that was found.
 */
static enum unwind_how how_by_code(struct unwind_walk *walk, bool assumed, uint64_t pc)
{
	struct mapping_cache *mappings = &walk->unwinder->mappings;

	return assumed && !bare_step_resumes_interpreter(&walk->step, mappings) &&
			       !bare_step_is_call_of(&walk->step, mappings, walk->step.pc, pc) &&
			       !code_proof_is_caller(&walk->unwinder->proof, walk->input, mappings,
						     walk->step.pc, pc) ?
		       UNWIND_HOW_ASSUMED :
		       UNWIND_HOW_CODE;
}

/* The rule for the instruction at `vaddr`, from the instructions up to the return. Remembered as other rules are. */
static const struct unwind_rule *find_exit_rule(struct unwind_walk *walk, const struct known_mapping *known,
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
 * Restores a register that calls may change and that holds the stack pointer. Its value is that of the sampled frame, if that is
 * the callee, is code of a module, and does not change the register up to its return.
 */
static void recall_register(struct unwind_walk *walk, uint8_t reg)
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

bool code_step_by_exit(struct unwind_walk *walk, const struct unwind_step *frame, enum unwind_how *how)
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

enum unwind_end code_step_without_cfi(struct unwind_walk *walk, enum unwind_how *how)
{
	struct mapping_cache *mappings = &walk->unwinder->mappings;
	const struct unwind_step frame = walk->step;

	/* Video and image libraries spend most of their time in assembly without unwind information. */
	if (!walk->input->frame_pointers_only && code_step_by_exit(walk, &frame, how))
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

bool code_step_is_caller(struct unwind_walk *walk, const struct unwind_rule *rule, uint64_t pc)
{
	const struct unwind_step *step = &walk->step;

	if (rule->tail)
		return bare_step_is_call_of(step, &walk->unwinder->mappings, step->pc, pc);
	return (step->pc == 0 && step->regs.value[walk->input->arch->fp] == 0) ||
	       bare_step_may_lead_to(step, &walk->unwinder->mappings, step->pc);
}

/*
 * For code of a file that was jumped to and first releases stack space of which its CFI says nothing: steps by the CFI behind the
 * release. LuaJIT's traces return to its interpreter like this.
 */
static bool step_behind_release(struct unwind_walk *walk, uint64_t from)
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
	rule = unwind_walk_rule(walk);
	return rule->path != PATH_NO_CFI && rule->path != PATH_ROOT && !rule->by_code &&
	       unwind_step_general(step, rule, module) == UNWIND_STEPPED &&
	       code_step_is_caller(walk, rule, from);
}

/*
 * Follows jumps with a known target, within the same frame, to code whose rule leads to a plausible caller. On failure returns
 * false with walk->step and walk->mapping changed.
 */
static bool step_by_jumps(struct unwind_walk *walk, const struct unwind_rule *rule, bool *assumed)
{
	enum { MAX_JUMPS = 8 };
	const uint64_t from = walk->step.pc;
	struct unwind_step arrived;

	*assumed = is_assumed(walk, rule, walk->step.pc);
	for (int i = 0; rule->jumps && i < MAX_JUMPS; i++) {
		walk->mapping = unwind_walk_code_at(walk, walk->step.pc - walk->step.is_return_address);
		if (!walk->mapping ||
		    unwind_step_general(&walk->step, rule, walk->mapping->mapping.module) != UNWIND_STEPPED)
			return false;
		walk->step.is_return_address = false;
		walk->mapping = unwind_walk_code_at(walk, walk->step.pc);
		if (!walk->mapping)
			return false;
		rule = unwind_walk_rule(walk);
		*assumed |= is_assumed(walk, rule, walk->step.pc);
	}
	walk->mapping = unwind_walk_code_at(walk, walk->step.pc);
	if (rule->path == PATH_NO_CFI || rule->path == PATH_ROOT || rule->jumps || rule->tail ||
	    walk->step.pc == from || !walk->mapping)
		return false;
	arrived = walk->step;
	if (unwind_step_general(&walk->step, rule, walk->mapping->mapping.module) == UNWIND_STEPPED &&
	    code_step_is_caller(walk, rule, from))
		return true;
	walk->step = arrived;
	return !rule->by_code && step_behind_release(walk, from);
}

/*
 * Steps out of a stub without a frame, which jumps on, to the call of the stub. Returns false with nothing changed if no call
 * precedes the return address.
 */
static bool step_out_of_stub(struct unwind_walk *walk)
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
	    code_step_is_caller(walk, &stub, before.pc))
		return true;
	walk->step = before;
	return false;
}

/*
 * Steps out of a function that gave up its frame, restored the frame pointer last, and jumped to another. HotSpot's C2 ends loops
 * this way whose end it never saw, with a jump to where exceptions are thrown. The return address is the next word on the stack.
 * Returns false with nothing changed if that is no return address.
 */
static bool step_by_tail_call(struct unwind_walk *walk, const struct unwind_rule *rule)
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
	    code_step_is_caller(walk, &entered, before.pc))
		return true;
	walk->step = before;
	return false;
}

enum unwind_end code_step_by_rule(struct unwind_walk *walk, const struct unwind_rule *rule,
				  enum unwind_how *how)
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
		walk->mapping = unwind_walk_mapping_of_pc(walk);
		if (step_by_tail_call(walk, rule)) {
			*how = how_by_code(walk, is_assumed(walk, rule, before.pc), before.pc);
			return UNWIND_STEPPED;
		}
		return rule->tail && step_out_of_stub(walk) ? UNWIND_STEPPED :
							      code_step_without_cfi(walk, how);
	}
	end = unwind_step_general(&walk->step, rule, walk->mapping->mapping.module);
	if (end == UNWIND_STEPPED && code_step_is_caller(walk, rule, before.pc)) {
		*how = how_by_code(walk, is_assumed(walk, rule, before.pc), before.pc);
		return end;
	}
	if (rule->begins_stack)
		return UNWIND_END_ROOT;
	if (end == UNWIND_END_STACK_EXHAUSTED || (end == UNWIND_END_UNKNOWN_REGISTER && !walk->full))
		return end;
	walk->step = before;
	return code_step_without_cfi(walk, how);
}

bool code_step_by_switch(struct unwind_walk *walk, const struct unwind_step *leaf)
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
