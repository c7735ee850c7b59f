/*
 * A step finds the CFA, checks that it lies above the frame, reads the return address and restores the registers that the
 * rule names. unwind_step_fast() does so for pc, sp and fp alone, unwind_step_general() for all rules. A failure names
 * the word that is missing, and no_memory() tells a short dump from a wrong CFA.
 */
#include "unwind/unwind_step.h"

/*
 * An address farther above the sampled stack pointer than this is no part of the stack but an accident: stacks are 8 MiB by
 * default, and a register that holds something else (heap, libraries) points gigabytes away.
 */
#define FAR_BYTES ((uint64_t)256 << 20)

/* Leaf functions may use this many bytes below the stack pointer (x86-64 psABI, section 3.2.2). */
enum { RED_ZONE_BYTES = 128 };

static uint64_t bit(uint32_t reg)
{
	return (uint64_t)1 << reg;
}

void unwind_step_init(struct unwind_step *step, const struct unwind_input *input)
{
	const struct unwind_arch *arch = input->arch;

	*step = (struct unwind_step){
		.input = input,
		.regs = input->registers,
		.pc = input->pc,
		.top = input->stack.address,
	};
	/* The linker's PLT expressions call the pc by the number of the return address column. */
	if (!arch->ra_is_register) {
		step->regs.value[arch->ra] = input->pc;
		step->regs.known |= bit(arch->ra);
	}
}

size_t unwind_step_bytes_used(const struct unwind_step *step)
{
	uint64_t used = step->top - step->input->stack.address;

	return used < step->input->stack.size ? (size_t)used : step->input->stack.size;
}

static enum unwind_end fail(struct unwind_step *step, enum unwind_end end, uint64_t value)
{
	step->value = value;
	return end;
}

/* Tells why a word of the stack could not be read. */
static enum unwind_end no_memory(struct unwind_step *step, uint64_t address)
{
	const bool near = address - step->input->stack.address < FAR_BYTES;

	if (!near && step->regs.value[step->input->arch->sp] - address <= RED_ZONE_BYTES)
		return fail(step, UNWIND_END_BELOW_STACK, address);
	return fail(step, near || step->crossed_signal ? UNWIND_END_STACK_EXHAUSTED : UNWIND_END_BAD_CFA,
		    address);
}

static void needed(struct unwind_step *step, uint64_t end)
{
	if (end > step->top)
		step->top = end;
}

/*
 * The caller's frame must lie above this one. A leaf may have no frame, if its return address is in a register: by its own choice
 * (vfork), or because all calls of the machine put it there.
 */
static bool is_bad_cfa(const struct unwind_step *step, const struct unwind_rule *rule, uint64_t cfa)
{
	uint64_t sp = step->regs.value[step->input->arch->sp];

	if (cfa & (step->input->arch->word_bytes - 1u))
		return true;
	if (rule->jumps)
		return cfa < sp;
	if (cfa != sp)
		return cfa < sp;
	return step->is_return_address ||
	       (!step->input->arch->ra_is_register && rule->ra.kind != RULE_REGISTER_PLUS);
}

/*
 * Compilers do not say in an epilogue that a register has been popped: its value stays below the stack pointer, which was not
 * recorded. But the register itself has its value from before again.
 */
static bool is_popped(const struct unwind_step *step, uint64_t address)
{
	return address < step->regs.value[step->input->arch->sp];
}

static void arrive(struct unwind_step *step, uint64_t pc, uint64_t sp)
{
	const struct unwind_arch *arch = step->input->arch;

	step->pc = pc & ~step->input->pac_mask;
	step->regs.value[arch->sp] = sp;
	step->regs.known |= bit(arch->sp);
	if (!arch->ra_is_register) {
		step->regs.value[arch->ra] = step->pc;
		step->regs.known |= bit(arch->ra);
	}
}

void unwind_step_to(struct unwind_step *step, uint64_t pc, uint64_t sp, uint64_t fp)
{
	const struct unwind_arch *arch = step->input->arch;

	step->regs.value[arch->fp] = fp;
	step->regs.known &= bit(arch->fp);
	needed(step, sp);
	arrive(step, pc, sp);
}

enum unwind_end unwind_step_fast(struct unwind_step *step, const struct unwind_rule *rule)
{
	const struct unwind_arch *arch = step->input->arch;
	const struct stack_memory *stack = &step->input->stack;
	uint64_t cfa, ra, saved_fp;

	if (!(step->regs.known >> rule->cfa.reg & 1))
		return fail(step, UNWIND_END_UNKNOWN_REGISTER, rule->cfa.reg);
	cfa = step->regs.value[rule->cfa.reg] + (uint64_t)(int64_t)rule->cfa.value;
	if (is_bad_cfa(step, rule, cfa))
		return fail(step, UNWIND_END_BAD_CFA, cfa);
	if (!stack_memory_word(stack, cfa + (uint64_t)(int64_t)rule->ra.value, &ra)) {
		step->return_slot = cfa + (uint64_t)(int64_t)rule->ra.value;
		return no_memory(step, step->return_slot);
	}
	step->regs.known &= bit(arch->fp);
	saved_fp = cfa + (uint64_t)(int64_t)rule->fp.value;
	if (rule->fp.kind == RULE_AT_CFA && !is_popped(step, saved_fp)) {
		bool known = stack_memory_word(stack, saved_fp, &step->regs.value[arch->fp]);

		step->regs.known = known ? bit(arch->fp) : 0;
	}
	needed(step, cfa);
	arrive(step, ra, cfa);
	return UNWIND_STEPPED;
}

static enum unwind_end read_word(struct unwind_step *step, uint64_t address, uint64_t *word)
{
	if (!stack_memory_word(&step->input->stack, address, word))
		return no_memory(step, address);
	needed(step, address + step->input->arch->word_bytes);
	return UNWIND_STEPPED;
}

static enum unwind_end read_register(struct unwind_step *step, uint32_t reg, uint64_t *value)
{
	if (!(step->regs.known >> reg & 1))
		return fail(step, UNWIND_END_UNKNOWN_REGISTER, reg);
	*value = step->regs.value[reg];
	return UNWIND_STEPPED;
}

static enum unwind_end evaluate(struct unwind_step *step, const struct module *module, int32_t number,
				const uint64_t *cfa, uint64_t *value)
{
	const struct dwarf_expr *expr = module_expression(module, number);

	if (!expr)
		return UNWIND_END_BAD_EXPRESSION;
	switch (dwarf_expr_evaluate(expr, &step->regs, &step->input->stack, cfa, value)) {
	case DWARF_EXPR_OK: return UNWIND_STEPPED;
	case DWARF_EXPR_UNKNOWN_REGISTER: return UNWIND_END_UNKNOWN_REGISTER;
	case DWARF_EXPR_NO_MEMORY: return no_memory(step, *value);
	default: return UNWIND_END_BAD_EXPRESSION;
	}
}

static enum unwind_end find_cfa(struct unwind_step *step, const struct cfa_rule *rule,
				const struct module *module, uint64_t *cfa)
{
	enum unwind_end end;

	if (rule->kind == CFA_EXPRESSION)
		return evaluate(step, module, rule->value, NULL, cfa);
	end = read_register(step, rule->reg, cfa);
	if (end != UNWIND_STEPPED)
		return end;
	*cfa += (uint64_t)(int64_t)rule->value;
	if (rule->kind == CFA_PLT && (step->pc & cfa_plt_mask(rule)) >= cfa_plt_threshold(rule))
		*cfa += (uint64_t)1 << cfa_plt_shift(rule);
	if (rule->kind == CFA_AT_REGISTER) {
		end = read_word(step, *cfa, cfa);
		*cfa += (uint64_t)(int64_t)rule->addend;
	}
	return end;
}

/* Finds the caller's value of a register; returns UNWIND_END_UNKNOWN_REGISTER if it is lost. */
static enum unwind_end find_value(struct unwind_step *step, const struct register_rule *rule,
				  const struct module *module, uint64_t cfa, uint64_t *value)
{
	enum unwind_end end;

	switch (rule->kind) {
	case RULE_UNSPECIFIED:
	case RULE_SAME_VALUE: return read_register(step, rule->column, value);
	case RULE_AT_CFA: return read_word(step, cfa + (uint64_t)(int64_t)rule->value, value);
	case RULE_CFA_PLUS: *value = cfa + (uint64_t)(int64_t)rule->value; return UNWIND_STEPPED;
	case RULE_EXPRESSION: return evaluate(step, module, rule->value, &cfa, value);
	case RULE_AT_EXPRESSION:
		end = evaluate(step, module, rule->value, &cfa, value);
		return end == UNWIND_STEPPED ? read_word(step, *value, value) : end;
	case RULE_REGISTER_PLUS:
	case RULE_AT_REGISTER:
		end = read_register(step, rule->reg, value);
		if (end != UNWIND_STEPPED)
			return end;
		*value += (uint64_t)(int64_t)rule->value;
		return rule->kind == RULE_AT_REGISTER ? read_word(step, *value, value) : end;
	default: return fail(step, UNWIND_END_UNKNOWN_REGISTER, rule->column);
	}
}

/* Restores a register other than pc and CFA. If its value is lost, only a rule that reads it later fails. */
static void restore_register(struct unwind_step *step, struct unwind_registers *caller,
			     const struct register_rule *rule, const struct module *module, uint64_t cfa)
{
	const struct register_rule kept = { .kind = RULE_SAME_VALUE, .column = rule->column };
	uint64_t value;

	if (rule->kind == RULE_AT_CFA && is_popped(step, cfa + (uint64_t)(int64_t)rule->value))
		rule = &kept;
	if (find_value(step, rule, module, cfa, &value) == UNWIND_STEPPED) {
		caller->value[rule->column] = value;
		caller->known |= bit(rule->column);
	} else {
		caller->known &= ~bit(rule->column);
	}
}

/*
 * The caller's stack pointer. glibc's trampolines for lazy binding on aarch64 leave the 16 bytes that the PLT has pushed
 * out of their CFA, so that the return address lies above it (sysdeps/aarch64/dl-trampoline.S).
 */
static uint64_t caller_sp(const struct unwind_arch *arch, const struct unwind_rule *rule, uint64_t cfa)
{
	if (!arch->ra_is_register || rule->ra.kind != RULE_AT_CFA || rule->ra.value < 0)
		return cfa;
	return cfa + (uint64_t)rule->ra.value + arch->word_bytes;
}

/* If the return address has a register of its own, that register still has the value that was popped into it. */
static enum unwind_end find_return_address(struct unwind_step *step, const struct unwind_rule *rule,
					   const struct module *module, uint64_t cfa, uint64_t *ra)
{
	const uint64_t slot = cfa + (uint64_t)(int64_t)rule->ra.value;
	enum unwind_end end;

	if (rule->ra.kind == RULE_AT_CFA && step->input->arch->ra_is_register && is_popped(step, slot))
		return read_register(step, step->input->arch->ra, ra);
	end = find_value(step, &rule->ra, module, cfa, ra);
	if (end != UNWIND_STEPPED && rule->ra.kind == RULE_AT_CFA)
		step->return_slot = slot;
	return end;
}

enum unwind_end unwind_step_general(struct unwind_step *step, const struct unwind_rule *rule,
				    const struct module *module)
{
	const struct unwind_arch *arch = step->input->arch;
	struct unwind_registers caller = step->regs;
	uint64_t cfa, ra, sp;
	enum unwind_end end = find_cfa(step, &rule->cfa, module, &cfa);

	if (end != UNWIND_STEPPED)
		return end;
	sp = caller_sp(arch, rule, cfa);
	/* A handler may run on a separate stack, above or below the interrupted one. */
	if (!rule->signal_frame && !rule->changes_stack && is_bad_cfa(step, rule, sp))
		return fail(step, UNWIND_END_BAD_CFA, sp);
	end = find_return_address(step, rule, module, cfa, &ra);
	if (end != UNWIND_STEPPED)
		return end;
	caller.known &= arch->callee_saved;
	caller.value[arch->sp] = sp;
	restore_register(step, &caller, &rule->fp, module, cfa);
	for (uint8_t i = 0; i < rule->other_count; i++)
		restore_register(step, &caller, &rule->others[i], module, cfa);
	step->value = 0; /* forget errors of registers that no rule needed */
	step->regs = caller;
	step->crossed_signal |= rule->signal_frame || rule->changes_stack;
	if (!rule->signal_frame && !rule->changes_stack)
		needed(step, sp);
	arrive(step, ra, caller.value[arch->sp]);
	return UNWIND_STEPPED;
}
