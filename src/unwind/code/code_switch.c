/*
 * A function that switches to another stack loads its registers one by one and jumps. Each register is expressed as a register at
 * the start plus an offset, or as the word at such a place. Only straight code is accepted, and no load after a store, so that
 * nothing is missed.
 */
#include "unwind/code/code_switch.h"

#include <stdbool.h>

#include "base/hash_table.h"

enum {
	MAX_INSTRUCTIONS = 24,
	MAX_OFFSET = 1 << 20, /* sums of such offsets do not overflow */
};

enum switch_value_kind {
	SWITCH_UNKNOWN,
	SWITCH_PLACE,  /* `base` at the start, + offset */
	SWITCH_LOADED, /* the word at (`base` at the start + offset) */
};

struct switch_value {
	uint8_t kind; /* enum switch_value_kind */
	uint8_t base;
	int32_t offset;
};

struct switch_state {
	struct switch_value regs[UNWIND_REGISTER_COUNT];
	bool has_stored;
};

static struct switch_value place_of(const struct switch_state *state, const struct code_effect *effect)
{
	struct switch_value place = state->regs[effect->base];
	const int64_t offset = (int64_t)place.offset + effect->value;

	if (place.kind != SWITCH_PLACE || offset < -MAX_OFFSET || offset > MAX_OFFSET)
		return (struct switch_value){ .kind = SWITCH_UNKNOWN };
	place.offset = (int32_t)offset;
	return place;
}

static void apply(struct switch_state *state, const struct code_effect *effect)
{
	struct switch_value value = { .kind = SWITCH_UNKNOWN };

	switch (effect->kind) {
	case CODE_SET:
		value = place_of(state, effect);
		if (value.kind == SWITCH_UNKNOWN && !effect->value)
			value = state->regs[effect->base]; /* copies a loaded word to another register */
		break;
	case CODE_LOAD:
		value = place_of(state, effect);
		if (value.kind == SWITCH_PLACE)
			value.kind = state->has_stored ? SWITCH_UNKNOWN : SWITCH_LOADED;
		break;
	case CODE_STORE: state->has_stored = true; return;
	default: break;
	}
	state->regs[effect->reg] = value;
}

static struct register_rule rule_of(const struct switch_value *value, uint8_t column)
{
	struct register_rule rule = { .kind = RULE_UNDEFINED, .column = column };

	if (value->kind == SWITCH_PLACE && value->base == column && !value->offset) {
		rule.kind = RULE_SAME_VALUE;
	} else if (value->kind != SWITCH_UNKNOWN) {
		rule.kind = value->kind == SWITCH_PLACE ? RULE_REGISTER_PLUS : RULE_AT_REGISTER;
		rule.reg = value->base;
		rule.value = value->offset;
	}
	return rule;
}

static uint64_t hash_of(const struct unwind_rule *rule)
{
	uint64_t hash = hash_combine(rule->cfa.reg, (uint64_t)rule->cfa.value);

	hash = hash_combine(hash, hash_bytes(&rule->ra, sizeof(rule->ra)));
	hash = hash_combine(hash, hash_bytes(&rule->fp, sizeof(rule->fp)));
	return hash_combine(hash, hash_bytes(rule->others, rule->other_count * sizeof(*rule->others)));
}

static uint32_t make_rule(const struct switch_state *state, const struct unwind_arch *arch,
			  const struct switch_value *target, struct rule_pool *pool)
{
	const struct switch_value *sp = &state->regs[arch->sp];
	struct register_rule others[UNWIND_REGISTER_COUNT];
	struct unwind_rule rule = {
		.cfa = { .kind = CFA_REGISTER, .reg = sp->base, .value = sp->offset },
		.ra = rule_of(target, arch->ra),
		.fp = rule_of(&state->regs[arch->fp], arch->fp),
		.others = others,
		.by_code = true,
	};

	if (sp->kind != SWITCH_PLACE || target->kind == SWITCH_UNKNOWN)
		return RULE_POOL_NO_CFI;
	for (uint8_t i = 0; i < arch->register_count; i++) {
		if (i == arch->fp || i == arch->sp || !(arch->callee_saved >> i & 1))
			continue;
		others[rule.other_count] = rule_of(&state->regs[i], i);
		rule.other_count += others[rule.other_count].kind != RULE_SAME_VALUE;
	}
	return rule_pool_add(pool, arch, &rule, hash_of(&rule));
}

static void begin(struct switch_state *state, const struct unwind_arch *arch)
{
	*state = (struct switch_state){ .has_stored = false };
	for (uint8_t i = 0; i < arch->register_count; i++)
		state->regs[i] = (struct switch_value){ .kind = SWITCH_PLACE, .base = i };
}

/* Applies the next instruction and advances *at behind it. Returns false if control does not simply go on there. */
static bool follow(struct switch_state *state, const struct unwind_arch *arch, const struct code_bytes *rest,
		   size_t *at)
{
	struct code_instruction instruction;

	if (!arch->read_instruction(rest->at, rest->after, &instruction) || instruction.flow != CODE_NEXT)
		return false;
	for (uint8_t i = 0; i < instruction.effect_count; i++)
		apply(state, &instruction.effects[i]);
	*at += instruction.size_bytes;
	return true;
}

uint32_t code_switch_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			  struct rule_pool *pool)
{
	struct switch_state state;
	size_t at = 0;

	if (!code->at || !arch->jump_register)
		return RULE_POOL_NO_CFI;
	begin(&state, arch);
	for (int i = 0; i < MAX_INSTRUCTIONS && at < code->after; i++) {
		const struct code_bytes rest = { .at = code->at + at, .after = code->after - at };
		const uint8_t target = arch->jump_register(&rest);

		if (target < arch->register_count)
			return make_rule(&state, arch, &state.regs[target], pool);
		if (!follow(&state, arch, &rest, &at))
			return RULE_POOL_NO_CFI;
	}
	return RULE_POOL_NO_CFI;
}

bool code_switch_release(const struct code_bytes *code, const struct unwind_arch *arch, size_t *distance,
			 int32_t *bytes)
{
	const struct switch_value *sp;
	struct switch_state state;
	size_t at = 0;

	if (!code->at)
		return false;
	begin(&state, arch);
	sp = &state.regs[arch->sp];
	for (int i = 0; i < MAX_INSTRUCTIONS && at < code->after; i++) {
		const struct code_bytes rest = { .at = code->at + at, .after = code->after - at };

		if (!follow(&state, arch, &rest, &at) || sp->kind != SWITCH_PLACE || sp->base != arch->sp ||
		    sp->offset < 0)
			return false;
		*distance = at;
		*bytes = sp->offset;
		if (sp->offset > 0)
			return true;
	}
	return false;
}
