/* The mapping at the current pc of a walk, and the rule for its frame, from the cache or from the module. */
#include "unwind/unwind_walk.h"

const struct known_mapping *unwind_walk_code_at(const struct unwind_walk *walk, uint64_t address)
{
	return mapping_cache_find_code(&walk->unwinder->mappings, walk->input, address);
}

const struct known_mapping *unwind_walk_mapping_of_pc(struct unwind_walk *walk)
{
	const struct unwind_step *step = &walk->step;
	const struct known_mapping *mapping;

	if (step->pc == 0)
		return NULL;
	mapping = unwind_walk_code_at(walk, step->pc - step->is_return_address);
	return mapping ? mapping : unwind_walk_code_at(walk, step->pc);
}

static const struct unwind_rule *ask_module(struct unwind_walk *walk, uint64_t vaddr)
{
	walk->unwinder->counts.rule_misses++;
	return module_rule(walk->mapping->mapping.module, vaddr, walk->step.is_return_address);
}

const struct unwind_rule *unwind_walk_rule(struct unwind_walk *walk)
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
