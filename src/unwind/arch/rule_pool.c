/*
 * Rules live in chunks of doubling size that never move; a hash table finds an equal rule before one is added. path_of()
 * decides once per rule how fast a step by it can be, from the registers that it reads. Lists of saved registers are
 * shared between neighbouring rules.
 */
#include "unwind/arch/rule_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/xalloc.h"

/*
 * Chunk k holds the items [FIRST_CHUNK * (2^k - 1), FIRST_CHUNK * (2^(k+1) - 1)): items never move, and few chunks are enough for
 * any number.
 */
enum { FIRST_CHUNK = 64, MAX_CHUNKS = 24 };

struct rule_pool {
	struct unwind_rule *rules[MAX_CHUNKS];
	struct dwarf_expr *expressions[MAX_CHUNKS];
	uint32_t rule_count;
	uint32_t expression_count;
	struct hash_table by_content;
	struct arena arena; /* the rules' `others` */
	size_t chunk_bytes;
};

struct place {
	uint32_t chunk;
	uint32_t index;
	size_t capacity; /* of that chunk */
};

static struct place place_of(uint32_t number)
{
	uint64_t from_first = (uint64_t)number + FIRST_CHUNK;
	uint32_t chunk = (uint32_t)(63 - __builtin_clzll(from_first)) - 6;
	uint64_t capacity = (uint64_t)FIRST_CHUNK << chunk;

	return (struct place){ chunk, (uint32_t)(from_first - capacity), (size_t)capacity };
}

static_assert(FIRST_CHUNK == 1 << 6, "place_of() takes the logarithm");

struct rule_pool *rule_pool_create(void)
{
	static const struct unwind_rule no_cfi = { .path = PATH_NO_CFI };
	struct rule_pool *pool = xcalloc(1, sizeof(*pool));

	pool->rules[0] = xcalloc(FIRST_CHUNK, sizeof(*pool->rules[0]));
	pool->rules[0][pool->rule_count++] = no_cfi;
	return pool;
}

void rule_pool_destroy(struct rule_pool *pool)
{
	if (!pool)
		return;
	for (size_t i = 0; i < MAX_CHUNKS; i++) {
		free(pool->rules[i]);
		free(pool->expressions[i]);
	}
	hash_table_fini(&pool->by_content);
	arena_fini(&pool->arena);
	free(pool);
}

const struct unwind_rule *rule_pool_rule(const struct rule_pool *pool, uint32_t number)
{
	struct place place = place_of(number);

	return &pool->rules[place.chunk][place.index];
}

uint32_t rule_pool_count(const struct rule_pool *pool)
{
	return pool->rule_count;
}

static bool same_others(const struct unwind_rule *a, const struct unwind_rule *b)
{
	return a->other_count == b->other_count &&
	       (a->other_count == 0 ||
		memcmp(a->others, b->others, a->other_count * sizeof(*a->others)) == 0);
}

static bool same_rule(const void *items, uint32_t item, const void *key)
{
	const struct unwind_rule *a = rule_pool_rule(items, item), *b = key;

	return memcmp(&a->cfa, &b->cfa, sizeof(a->cfa)) == 0 && memcmp(&a->ra, &b->ra, sizeof(a->ra)) == 0 &&
	       memcmp(&a->fp, &b->fp, sizeof(a->fp)) == 0 && a->signal_frame == b->signal_frame &&
	       a->unproved == b->unproved && a->by_code == b->by_code && a->assumed == b->assumed &&
	       a->tail == b->tail && a->jumps == b->jumps && a->not_called == b->not_called &&
	       a->changes_stack == b->changes_stack && a->begins_stack == b->begins_stack &&
	       same_others(a, b);
}

static uint64_t bit(uint8_t reg)
{
	return (uint64_t)1 << reg;
}

static uint64_t expression_registers(const struct rule_pool *pool, int32_t number)
{
	const struct dwarf_expr *expr = rule_pool_expression(pool, (uint32_t)number);

	return expr ? dwarf_expr_registers(expr) : UINT64_MAX;
}

/* The registers that a rule reads in addition to the CFA. */
static uint64_t registers_of(const struct rule_pool *pool, const struct register_rule *rule)
{
	switch (rule->kind) {
	case RULE_SAME_VALUE: return bit(rule->column);
	case RULE_REGISTER_PLUS:
	case RULE_AT_REGISTER: return bit(rule->reg);
	case RULE_AT_EXPRESSION:
	case RULE_EXPRESSION: return expression_registers(pool, rule->value);
	default: return 0;
	}
}

static uint64_t registers_of_cfa(const struct rule_pool *pool, const struct cfa_rule *cfa)
{
	return cfa->kind == CFA_EXPRESSION ? expression_registers(pool, cfa->value) : bit(cfa->reg);
}

static bool kept_or_saved(const struct register_rule *fp)
{
	return fp->kind == RULE_UNSPECIFIED || fp->kind == RULE_SAME_VALUE || fp->kind == RULE_AT_CFA;
}

static enum unwind_path path_of(const struct rule_pool *pool, const struct unwind_arch *arch,
				const struct unwind_rule *rule)
{
	/* The return address column stands for the pc in the linker's PLT expressions. */
	uint64_t light = bit(arch->sp) | bit(arch->fp) | (arch->ra_is_register ? 0 : bit(arch->ra));
	uint64_t needed = registers_of_cfa(pool, &rule->cfa) | registers_of(pool, &rule->ra);
	bool sp_is_cfa = true;

	if (rule->ra.kind == RULE_UNDEFINED)
		return PATH_ROOT;
	if (rule->cfa.kind == CFA_UNSPECIFIED)
		return PATH_NO_CFI;
	if (rule->fp.kind != RULE_UNSPECIFIED)
		needed |= registers_of(pool, &rule->fp);
	if (rule->ra.kind == RULE_UNSPECIFIED)
		needed |= bit(arch->ra);
	for (uint8_t i = 0; i < rule->other_count; i++) {
		const struct register_rule *other = &rule->others[i];

		if (other->column == arch->sp && !(other->kind == RULE_CFA_PLUS && other->value == 0)) {
			needed |= registers_of(pool, other);
			sp_is_cfa = false;
		}
	}
	if (rule->signal_frame || rule->unproved || rule->by_code || rule->not_called || (needed & ~light))
		return PATH_GENERAL;
	if (rule->cfa.kind == CFA_REGISTER && rule->ra.kind == RULE_AT_CFA && rule->ra.value < 0 &&
	    kept_or_saved(&rule->fp) && sp_is_cfa)
		return rule->cfa.reg == arch->sp ? PATH_SP : PATH_FP;
	return PATH_LIGHT;
}

/*
 * Returns a list that equals rule->others. Saved registers stay in place while the stack pointer moves, so rules of neighbouring
 * instructions share their list.
 */
static const struct register_rule *keep_others(struct rule_pool *pool, const struct unwind_rule *rule)
{
	enum { NEAR = 64 };
	const uint32_t first = pool->rule_count > NEAR ? pool->rule_count - NEAR : 0;

	for (uint32_t number = pool->rule_count; number-- > first;)
		if (same_others(rule_pool_rule(pool, number), rule))
			return rule_pool_rule(pool, number)->others;
	return arena_copy(&pool->arena, rule->others, rule->other_count * sizeof(*rule->others));
}

uint32_t rule_pool_add(struct rule_pool *pool, const struct unwind_arch *arch, const struct unwind_rule *rule,
		       uint64_t hash)
{
	uint32_t number = hash_table_find(&pool->by_content, hash, same_rule, pool, rule);
	struct place place;
	struct unwind_rule *added;

	if (number != HASH_TABLE_NONE)
		return number;
	number = pool->rule_count;
	place = place_of(number);
	if (!pool->rules[place.chunk]) {
		pool->rules[place.chunk] = xcalloc(place.capacity, sizeof(*added));
		pool->chunk_bytes += place.capacity * sizeof(*added);
	}
	added = &pool->rules[place.chunk][place.index];
	*added = *rule;
	added->others = rule->other_count ? keep_others(pool, rule) : NULL;
	pool->rule_count++;
	added->path = (uint8_t)path_of(pool, arch, rule);
	added->frame_pointer = added->path == PATH_FP && added->cfa.value == 2 * arch->word_bytes &&
			       added->ra.value == -arch->word_bytes && added->fp.kind == RULE_AT_CFA &&
			       added->fp.value == -2 * arch->word_bytes;
	hash_table_insert(&pool->by_content, hash, number);
	return number;
}

uint32_t rule_pool_add_expression(struct rule_pool *pool, const struct dwarf_expr *expr)
{
	struct place place = place_of(pool->expression_count);

	if (!pool->expressions[place.chunk]) {
		pool->expressions[place.chunk] = xcalloc(place.capacity, sizeof(*expr));
		pool->chunk_bytes += place.capacity * sizeof(*expr);
	}
	pool->expressions[place.chunk][place.index] = *expr;
	return pool->expression_count++;
}

const struct dwarf_expr *rule_pool_expression(const struct rule_pool *pool, uint32_t number)
{
	struct place place = place_of(number);
	const struct dwarf_expr *chunk = place.chunk < MAX_CHUNKS ? pool->expressions[place.chunk] : NULL;

	return chunk && chunk[place.index].bytes ? &chunk[place.index] : NULL;
}

size_t rule_pool_bytes(const struct rule_pool *pool)
{
	return sizeof(*pool) + pool->chunk_bytes + pool->arena.used_bytes +
	       pool->by_content.capacity * sizeof(*pool->by_content.slots);
}
