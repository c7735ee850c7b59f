/*
 * A register's value is the CFA plus a number, or the value that some register had at the entry; slots are where such values were
 * saved. Instructions change them one effect at a time, code_state_meet() keeps what two paths agree on, and code_state_rule()
 * turns the result into a rule.
 */
#include "unwind/code/code_state.h"

#include "base/hash_table.h"

/* Frames are smaller, and sums of such distances do not overflow. */
enum { MAX_DISTANCE = 1 << 28 };

static uint64_t bit(uint32_t reg)
{
	return (uint64_t)1 << reg;
}

static bool is_near(int64_t distance)
{
	return distance >= -MAX_DISTANCE && distance <= MAX_DISTANCE;
}

void code_state_enter(struct code_state *state, const struct unwind_arch *arch)
{
	const int32_t pushed =
		arch->ra_is_register ? 0 : arch->word_bytes; /* by the call: the return address */

	*state = (struct code_state){ .saved = 0 };
	for (uint8_t i = 0; i < arch->register_count; i++)
		state->regs[i] = (struct code_value){ CODE_ENTRY_OF, i, 0 };
	state->regs[arch->sp] = (struct code_value){ CODE_CFA_PLUS, 0, -pushed };
	if (!arch->ra_is_register) {
		state->regs[arch->ra] = (struct code_value){ CODE_UNKNOWN, 0, 0 };
		state->slots[arch->ra] = -pushed;
		state->saved = bit(arch->ra);
	}
}

/* --- effects of instructions ---------------------------------------------------------- */

/* Computes base + value. Returns false if that is no place on the stack. */
static bool find_place(const struct code_state *state, const struct code_effect *effect, int32_t *place)
{
	const struct code_value *base = &state->regs[effect->base];
	const int64_t distance = (int64_t)base->value + effect->value;

	if (base->kind != CODE_CFA_PLUS || !is_near(distance))
		return false;
	*place = (int32_t)distance;
	return true;
}

static struct code_value sum(const struct code_state *state, const struct code_effect *effect)
{
	int32_t place;

	if (effect->value == 0)
		return state->regs[effect->base];
	if (find_place(state, effect, &place))
		return (struct code_value){ CODE_CFA_PLUS, 0, place };
	return (struct code_value){ CODE_UNKNOWN, 0, 0 };
}

/* A popped word is still in memory, but may be overwritten soon. */
static void forget_below(struct code_state *state, int32_t sp)
{
	for (uint64_t left = state->saved; left; left &= left - 1) {
		const uint32_t reg = (uint32_t)__builtin_ctzll(left);

		if (state->slots[reg] < sp)
			state->saved &= ~bit(reg);
	}
}

static void set(struct code_state *state, const struct unwind_arch *arch, uint8_t reg,
		struct code_value value)
{
	state->regs[reg] = value;
	if (reg == arch->sp && value.kind == CODE_CFA_PLUS)
		forget_below(state, value.value);
}

static struct code_value loaded(const struct code_state *state, const struct code_effect *effect)
{
	int32_t place;

	if (find_place(state, effect, &place))
		for (uint64_t left = state->saved; left; left &= left - 1) {
			const uint32_t reg = (uint32_t)__builtin_ctzll(left);

			if (state->slots[reg] == place)
				return (struct code_value){ CODE_ENTRY_OF, (uint8_t)reg, 0 };
		}
	return (struct code_value){ CODE_UNKNOWN, 0, 0 };
}

/* Signal handlers and the kernel may overwrite words below the stack pointer, and no dump has them. */
static bool is_above_sp(const struct code_state *state, const struct unwind_arch *arch, int32_t place)
{
	const struct code_value *sp = &state->regs[arch->sp];

	return sp->kind != CODE_CFA_PLUS || place >= sp->value;
}

static void store(struct code_state *state, const struct unwind_arch *arch, const struct code_effect *effect)
{
	const uint64_t wanted = arch->callee_saved | bit(arch->fp) | bit(arch->ra);
	struct code_value value = { CODE_UNKNOWN, 0, 0 };
	int32_t place;

	if (effect->reg != CODE_NO_REGISTER)
		value = state->regs[effect->reg];
	if (!find_place(state, effect, &place))
		return;
	for (uint64_t left = state->saved; left; left &= left - 1) {
		const uint32_t reg = (uint32_t)__builtin_ctzll(left);
		const int32_t slot = state->slots[reg];
		const bool is_same = slot == place && value.kind == CODE_ENTRY_OF && value.reg == reg;

		if (place < slot + arch->word_bytes && place + effect->size_bytes > slot && !is_same)
			state->saved &= ~bit(reg);
	}
	/* The word at that place is the return address when the function returns, however it got there. */
	if (!arch->ra_is_register && place == -arch->word_bytes && !(state->saved & bit(arch->ra)) &&
	    effect->size_bytes == arch->word_bytes)
		value = (struct code_value){ CODE_ENTRY_OF, arch->ra, 0 };
	if (value.kind == CODE_ENTRY_OF && wanted & bit(value.reg) && !(state->saved & bit(value.reg)) &&
	    is_above_sp(state, arch, place)) {
		state->slots[value.reg] = place;
		state->saved |= bit(value.reg);
	}
}

void code_state_apply(struct code_state *state, const struct unwind_arch *arch,
		      const struct code_effect *effect)
{
	switch (effect->kind) {
	case CODE_SET: set(state, arch, effect->reg, sum(state, effect)); break;
	case CODE_LOAD: set(state, arch, effect->reg, loaded(state, effect)); break;
	case CODE_STORE: store(state, arch, effect); break;
	default: state->regs[effect->reg].kind = CODE_UNKNOWN;
	}
}

void code_state_call(struct code_state *state, const struct unwind_arch *arch)
{
	const uint64_t kept = arch->callee_saved | bit(arch->fp) | bit(arch->sp);

	for (uint8_t i = 0; i < arch->register_count; i++)
		if (!(kept & bit(i)))
			state->regs[i] = (struct code_value){ CODE_UNKNOWN, 0, 0 };
}

/* --- where paths meet --------------------------------------------------------------- */

bool code_state_differs_in_depth(const struct code_state *a, const struct code_state *b,
				 const struct unwind_arch *arch)
{
	const struct code_value *left = &a->regs[arch->sp], *right = &b->regs[arch->sp];

	return left->kind == CODE_CFA_PLUS && right->kind == CODE_CFA_PLUS && left->value != right->value;
}

static bool same_value(const struct code_value *a, const struct code_value *b)
{
	return a->kind == b->kind && (a->kind == CODE_UNKNOWN ||
				      (a->kind == CODE_ENTRY_OF ? a->reg == b->reg : a->value == b->value));
}

bool code_state_meet(struct code_state *state, const struct code_state *other)
{
	bool less = false;

	for (uint32_t i = 0; i < UNWIND_REGISTER_COUNT; i++) {
		struct code_value *value = &state->regs[i];

		if (value->kind != CODE_UNKNOWN && !same_value(value, &other->regs[i])) {
			value->kind = CODE_UNKNOWN;
			less = true;
		}
	}
	for (uint64_t left = state->saved; left; left &= left - 1) {
		const uint32_t reg = (uint32_t)__builtin_ctzll(left);

		if (!(other->saved & bit(reg)) || other->slots[reg] != state->slots[reg]) {
			state->saved &= ~bit(reg);
			less = true;
		}
	}
	return less;
}

/* --- the rule ------------------------------------------------------------------------ */

/* A register that holds the entry value of `reg`; CODE_NO_REGISTER if none does. */
static uint8_t find_copy(const struct code_state *state, const struct unwind_arch *arch, uint8_t reg)
{
	for (uint8_t i = 0; i < arch->register_count; i++)
		if (state->regs[i].kind == CODE_ENTRY_OF && state->regs[i].reg == reg)
			return i;
	return CODE_NO_REGISTER;
}

static bool is_kept(const struct code_state *state, uint8_t reg)
{
	return state->regs[reg].kind == CODE_ENTRY_OF && state->regs[reg].reg == reg;
}

/* The rule for the caller's value of the register. */
static struct register_rule rule_of(const struct code_state *state, const struct unwind_arch *arch,
				    uint8_t reg)
{
	struct register_rule rule = { .kind = RULE_UNDEFINED, .column = reg };
	uint8_t copy;

	/* Once the call at this instruction has returned, a link register no longer has its old value. */
	if (is_kept(state, reg) && !(reg == arch->ra && state->saved & bit(reg))) {
		rule.kind = RULE_SAME_VALUE;
	} else if (state->saved & bit(reg)) {
		rule.kind = RULE_AT_CFA;
		rule.value = state->slots[reg];
	} else if ((copy = find_copy(state, arch, reg)) != CODE_NO_REGISTER) {
		rule.kind = RULE_REGISTER_PLUS;
		rule.reg = copy;
	}
	return rule;
}

/*
 * The stack pointer gives the CFA. If it is not known, the frame pointer may give it (alloca), or the register in which a
 * compiler keeps the CFA while it aligns the frame.
 */
static bool find_cfa(const struct code_state *state, const struct unwind_arch *arch, struct cfa_rule *cfa)
{
	uint8_t reg = arch->sp;

	if (state->regs[reg].kind != CODE_CFA_PLUS)
		reg = arch->fp;
	for (uint8_t i = 0; i < arch->register_count && state->regs[reg].kind != CODE_CFA_PLUS; i++)
		reg = i;
	if (state->regs[reg].kind != CODE_CFA_PLUS || (reg == arch->sp && state->regs[reg].value > 0))
		return false;
	*cfa = (struct cfa_rule){ .kind = CFA_REGISTER, .reg = reg, .value = -state->regs[reg].value };
	return true;
}

static uint64_t hash_of(const struct unwind_rule *rule)
{
	uint64_t hash = hash_combine(rule->cfa.reg, (uint64_t)rule->cfa.value);

	hash = hash_combine(hash, hash_bytes(&rule->ra, sizeof(rule->ra)));
	hash = hash_combine(hash, hash_bytes(&rule->fp, sizeof(rule->fp)));
	return hash_combine(hash, hash_bytes(rule->others, rule->other_count * sizeof(*rule->others)));
}

uint32_t code_state_rule(const struct code_state *state, const struct unwind_arch *arch,
			 struct rule_pool *pool)
{
	struct register_rule others[UNWIND_REGISTER_COUNT];
	struct unwind_rule rule = {
		.ra = rule_of(state, arch, arch->ra),
		.fp = rule_of(state, arch, arch->fp),
		.others = others,
		.by_code = true,
	};

	if (!find_cfa(state, arch, &rule.cfa) || rule.ra.kind == RULE_UNDEFINED)
		return RULE_POOL_NO_CFI;
	for (uint64_t left = arch->callee_saved & ~bit(arch->fp); left; left &= left - 1) {
		const uint8_t reg = (uint8_t)__builtin_ctzll(left);

		if (reg != arch->sp && !is_kept(state, reg))
			others[rule.other_count++] = rule_of(state, arch, reg);
	}
	return rule_pool_add(pool, arch, &rule, hash_of(&rule));
}
