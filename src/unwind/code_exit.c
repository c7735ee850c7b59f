#include "unwind/code_exit.h"

#include "base/hash_table.h"

enum {
	MAX_INSTRUCTIONS = 128,    /* to the return: what goes round a loop is left */
	MAX_STORES = 16,           /* to the stack, on the way */
	MAX_FRAME_BYTES = 1 << 20, /* sums of such numbers do not overflow */
};

enum exit_value_kind {
	EXIT_UNKNOWN,
	EXIT_KEPT,   /* what it is now */
	EXIT_PLACE,  /* base + offset, base being sp or fp as they are now */
	EXIT_LOADED, /* *(base + offset) */
};

struct exit_value {
	uint8_t kind; /* enum exit_value_kind */
	uint8_t base;
	int32_t offset;
};

struct exit_state {
	const struct unwind_arch *arch;
	struct exit_value regs[UNWIND_REGISTER_COUNT];
	struct exit_value stores[MAX_STORES];
	size_t store_count;
};

static void begin(struct exit_state *state, const struct unwind_arch *arch)
{
	*state = (struct exit_state){ .arch = arch };
	for (uint8_t i = 0; i < arch->register_count; i++)
		state->regs[i].kind = EXIT_KEPT;
	state->regs[arch->sp] = (struct exit_value){ EXIT_PLACE, arch->sp, 0 };
	state->regs[arch->fp] = (struct exit_value){ EXIT_PLACE, arch->fp, 0 };
}

/* regs[base] + value, where that is a place that is known. */
static bool find_place(const struct exit_state *state, const struct code_effect *effect,
		       struct exit_value *place)
{
	const int64_t offset = (int64_t)state->regs[effect->base].offset + effect->value;

	*place = state->regs[effect->base];
	place->offset = (int32_t)offset;
	return place->kind == EXIT_PLACE && offset >= -MAX_FRAME_BYTES && offset <= MAX_FRAME_BYTES;
}

static bool was_stored_to(const struct exit_state *state, const struct exit_value *place)
{
	for (size_t i = 0; i < state->store_count; i++)
		if (state->stores[i].base != place->base || (state->stores[i].offset < place->offset + 8 &&
							     place->offset < state->stores[i].offset + 64))
			return true;
	return state->store_count == MAX_STORES;
}

static void apply(struct exit_state *state, const struct code_effect *effect)
{
	struct exit_value place;
	const bool known = effect->kind != CODE_LOSE && find_place(state, effect, &place);

	switch (effect->kind) {
	case CODE_SET:
		if (known)
			state->regs[effect->reg] = place;
		else if (effect->value || effect->reg != effect->base)
			state->regs[effect->reg].kind = EXIT_UNKNOWN;
		break;
	case CODE_LOAD:
		state->regs[effect->reg].kind = EXIT_UNKNOWN;
		if (known && !was_stored_to(state, &place)) {
			place.kind = EXIT_LOADED;
			state->regs[effect->reg] = place;
		}
		break;
	case CODE_STORE:
		if (known && state->store_count < MAX_STORES)
			state->stores[state->store_count++] = place;
		break;
	default: state->regs[effect->reg].kind = EXIT_UNKNOWN;
	}
}

/* What is called keeps what it has to, but its arguments may be gone from the stack when it returns. */
static void apply_call(struct exit_state *state)
{
	const struct unwind_arch *arch = state->arch;
	const uint64_t kept = arch->callee_saved | (uint64_t)1 << arch->fp;

	for (uint8_t i = 0; i < arch->register_count; i++)
		if (i == arch->sp || !(kept >> i & 1))
			state->regs[i].kind = EXIT_UNKNOWN;
}

/* ret, with rep in front of it or not; what takes arguments off the stack as well leaves the caller's frame unknown. */
static bool is_return(const uint8_t *at, size_t size)
{
	return size >= 1 && (at[0] == 0xc3 || (size >= 2 && at[0] == 0xf3 && at[1] == 0xc3));
}

/* Follows the instructions. True when it has come to a return; the state is that in front of it. */
static bool follow(struct exit_state *state, const struct code_bytes *code)
{
	const uint8_t *start = code->at - code->before, *end = code->at + code->after;
	const uint8_t *at = code->at;
	struct code_instruction instruction;

	for (int i = 0; i < MAX_INSTRUCTIONS && at < end; i++) {
		if (!state->arch->read_instruction(at, (size_t)(end - at), &instruction))
			return false;
		if (instruction.flow == CODE_END)
			return is_return(at, (size_t)(end - at));
		if (instruction.flow == CODE_JUMP_UNKNOWN)
			return false;
		for (uint8_t j = 0; j < instruction.effect_count; j++)
			apply(state, &instruction.effects[j]);
		if (instruction.flow == CODE_CALL)
			apply_call(state);
		if (instruction.flow != CODE_JUMP) {
			at += instruction.size_bytes;
			continue;
		}
		if (instruction.target < start - at || instruction.target >= end - at)
			return false;
		at += instruction.target;
	}
	return false;
}

/* The caller's register, counted from the CFA, which lies `cfa_offset` above the base of the stack pointer's place. */
static struct register_rule rule_of(const struct exit_state *state, uint8_t reg, uint8_t base,
				    int32_t cfa_offset)
{
	const struct exit_value *value = &state->regs[reg];
	struct register_rule rule = { .kind = RULE_UNDEFINED, .column = reg };

	if (value->kind == EXIT_KEPT || (value->kind == EXIT_PLACE && value->base == reg && !value->offset)) {
		rule.kind = RULE_SAME_VALUE;
	} else if (value->kind == EXIT_LOADED && value->base == base) {
		rule.kind = RULE_AT_CFA;
		rule.value = value->offset - cfa_offset;
	}
	return rule;
}

static uint64_t hash_of(const struct unwind_rule *rule)
{
	uint64_t hash = hash_combine(rule->cfa.reg, (uint64_t)rule->cfa.value);

	hash = hash_combine(hash, hash_bytes(&rule->fp, sizeof(rule->fp)));
	return hash_combine(hash, hash_bytes(rule->others, rule->other_count * sizeof(*rule->others)));
}

uint32_t code_exit_rule(const struct code_bytes *code, const struct unwind_arch *arch, struct rule_pool *pool)
{
	struct register_rule others[UNWIND_REGISTER_COUNT];
	struct unwind_rule rule = { .others = others, .by_code = true };
	const struct exit_value *sp;
	struct exit_state state;
	int32_t cfa_offset;

	begin(&state, arch);
	sp = &state.regs[arch->sp];
	/* Only where the return address lies on the stack. */
	if (arch->ra_is_register || !code->at || !follow(&state, code) || sp->kind != EXIT_PLACE ||
	    (sp->base == arch->sp && sp->offset < 0))
		return RULE_POOL_NO_CFI;
	cfa_offset = sp->offset + 8;
	rule.cfa = (struct cfa_rule){ .kind = CFA_REGISTER, .reg = sp->base, .value = cfa_offset };
	rule.ra = (struct register_rule){ .kind = RULE_AT_CFA, .column = arch->ra, .value = -8 };
	rule.fp = rule_of(&state, arch->fp, sp->base, cfa_offset);
	for (uint8_t i = 0; i < arch->register_count; i++) {
		if (i == arch->fp || i == arch->sp || !(arch->callee_saved >> i & 1))
			continue;
		others[rule.other_count] = rule_of(&state, i, sp->base, cfa_offset);
		rule.other_count += others[rule.other_count].kind != RULE_SAME_VALUE;
	}
	return rule_pool_add(pool, arch, &rule, hash_of(&rule));
}
