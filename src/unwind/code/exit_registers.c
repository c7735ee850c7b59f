/*
 * Applies each effect of an instruction to registers, which are sums of a starting register and a number. Keeps a list of stores,
 * so that a load knows whether its word was written on the way: a register that was saved there and is loaded again has its old
 * value. Start at exit_registers_apply().
 */
#include "unwind/code/exit_registers.h"

enum { MAX_FRAME_BYTES = 1 << 20 }; /* sums of such offsets do not overflow */

/* The register's value where the search begins. */
static struct exit_value unchanged(const struct unwind_arch *arch, uint8_t reg)
{
	if (reg == arch->sp || reg == arch->fp)
		return (struct exit_value){ .kind = EXIT_PLACE, .base = reg };
	return (struct exit_value){ .kind = EXIT_KEPT };
}

bool exit_value_is_unchanged(const struct exit_value *value, uint8_t reg)
{
	return value->kind == EXIT_KEPT ||
	       (value->kind == EXIT_PLACE && value->base == reg && !value->offset);
}

void exit_registers_begin(struct exit_registers *registers, const struct unwind_arch *arch)
{
	*registers = (struct exit_registers){ .arch = arch };
	for (uint8_t i = 0; i < arch->register_count; i++)
		registers->value[i] = unchanged(arch, i);
}

/* Computes regs[base] + value. Returns false if that is no known place. */
static bool find_place(const struct exit_registers *registers, const struct code_effect *effect,
		       struct exit_value *place)
{
	const int64_t offset = (int64_t)registers->value[effect->base].offset + effect->value;

	*place = registers->value[effect->base];
	place->offset = (int32_t)offset;
	return place->kind == EXIT_PLACE && offset >= -MAX_FRAME_BYTES && offset <= MAX_FRAME_BYTES;
}

/* Compares only places relative to the same register: code without a frame pointer may hold anything in that register. */
static bool overlap(const struct exit_value *store, const struct exit_value *place, int size_bytes)
{
	return store->base == place->base && store->offset < place->offset + size_bytes &&
	       place->offset < store->offset + store->size_bytes;
}

static bool was_stored_to(const struct exit_registers *registers, const struct exit_value *place)
{
	for (size_t i = 0; i < registers->store_count; i++)
		if (overlap(&registers->stores[i], place, 8))
			return true;
	return registers->store_count == EXIT_MAX_STORES;
}

/* Was the register saved there, and the word not overwritten since? */
static bool was_saved_at(const struct exit_registers *registers, uint8_t reg, const struct exit_value *place)
{
	for (size_t i = 0; i < registers->store_count; i++)
		if (registers->stores[i].saved == reg && registers->stores[i].base == place->base &&
		    registers->stores[i].offset == place->offset)
			return true;
	return false;
}

/* Adds a store, which overwrites values saved there before. */
static void add_store(struct exit_registers *registers, struct exit_value place,
		      const struct code_effect *effect)
{
	const bool saves = effect->reg < registers->arch->register_count &&
			   effect->reg != registers->arch->sp &&
			   effect->size_bytes == registers->arch->word_bytes &&
			   exit_value_is_unchanged(&registers->value[effect->reg], effect->reg);
	size_t found = EXIT_MAX_STORES;

	place.size_bytes = effect->size_bytes;
	place.saved = saves ? effect->reg : CODE_NO_REGISTER;
	for (size_t i = 0; i < registers->store_count; i++) {
		struct exit_value *store = &registers->stores[i];

		if (!overlap(store, &place, place.size_bytes))
			continue;
		store->saved = CODE_NO_REGISTER;
		if (store->offset == place.offset && store->size_bytes >= place.size_bytes)
			found = i;
	}
	if (found < EXIT_MAX_STORES)
		registers->stores[found].saved = place.saved;
	else if (registers->store_count < EXIT_MAX_STORES)
		registers->stores[registers->store_count++] = place;
}

/* Code that aligns its frame (x86inc.asm of codecs, libjpeg-turbo) keeps its former stack pointer within the frame. */
static void load_kept_sp(struct exit_registers *registers, const struct exit_value *place)
{
	if (registers->kept_sp.kind != EXIT_UNKNOWN || was_stored_to(registers, place))
		return;
	registers->kept_sp = *place;
	registers->kept_sp.kind = EXIT_LOADED;
	registers->value[registers->arch->sp] =
		(struct exit_value){ .kind = EXIT_PLACE, .base = EXIT_KEPT_SP, .assumed = place->assumed };
}

void exit_registers_apply(struct exit_registers *registers, const struct code_effect *effect)
{
	struct exit_value place;
	const bool known = effect->kind != CODE_LOSE && find_place(registers, effect, &place);

	switch (effect->kind) {
	case CODE_SET:
		if (effect->reg == registers->arch->sp && registers->value[effect->base].kind == EXIT_KEPT)
			registers->value[effect->reg] =
				(struct exit_value){ .kind = EXIT_PLACE,
						     .base = effect->base,
						     .assumed = registers->value[effect->base].assumed,
						     .offset = effect->value };
		else if (known)
			registers->value[effect->reg] = place;
		else if (effect->value || effect->reg != effect->base)
			registers->value[effect->reg].kind = EXIT_UNKNOWN;
		break;
	case CODE_LOAD:
		registers->value[effect->reg].kind = EXIT_UNKNOWN;
		if (effect->reg == registers->arch->sp) {
			if (known)
				load_kept_sp(registers, &place);
			break;
		}
		if (known && was_saved_at(registers, effect->reg, &place)) {
			registers->value[effect->reg] = unchanged(registers->arch, effect->reg);
			registers->value[effect->reg].assumed = place.assumed;
		} else if (known && !was_stored_to(registers, &place)) {
			place.kind = EXIT_LOADED;
			registers->value[effect->reg] = place;
		}
		break;
	case CODE_STORE:
		if (known)
			add_store(registers, place, effect);
		break;
	default: registers->value[effect->reg].kind = EXIT_UNKNOWN;
	}
}

void exit_registers_apply_call(struct exit_registers *registers)
{
	const struct unwind_arch *arch = registers->arch;
	const uint64_t kept = arch->callee_saved | (uint64_t)1 << arch->fp;

	for (uint8_t i = 0; i < arch->register_count; i++) {
		registers->value[i].assumed |= i != arch->fp;
		if (i != arch->sp && !(kept >> i & 1))
			registers->value[i].kind = EXIT_UNKNOWN;
	}
	registers->after_call = true;
}
