/*
 * Looks the function up in Go's own table; its flags say whether it begins or leaves a stack, its frame size gives a
 * rule.
 */
#include "unwind/code/go_rules.h"

#include "base/hash_table.h"

enum go_place go_place_of(const struct go_functions *functions, const struct unwind_arch *arch,
			  uint64_t vaddr, const struct code_bytes *code, bool is_return_address)
{
	struct go_function function;

	if (!go_functions_find(functions, vaddr - is_return_address, &function))
		return GO_ORDINARY;
	if (function.is_top)
		return GO_ROOT;
	if (!is_return_address && function.is_clone)
		return GO_CLONE;
	if (!is_return_address && function.calls_on_other)
		return GO_SWITCH;
	if (!is_return_address)
		return function.moves_to_stack ? GO_UNPROVED : GO_ORDINARY;
	if (function.calls_on_other || (code->at && arch->exits(code)))
		return GO_ROOT;
	return function.moves_to_stack && !function.makes_caller ? GO_NO_CFI : GO_ORDINARY;
}

bool go_place_was_not_called(const struct go_functions *functions, uint64_t vaddr)
{
	struct go_function function;

	return go_functions_find(functions, vaddr, &function) && function.start == vaddr;
}

/* The rule for a Go frame at an instruction where the stack pointer is `size` bytes below its value at the entry. */
static const struct unwind_rule *rule_of_size(const struct unwind_arch *arch, struct rule_pool *pool,
					      int32_t size)
{
	struct unwind_rule rule = {
		.cfa = { .kind = CFA_REGISTER, .reg = arch->sp, .value = size },
		.ra = { .kind = RULE_AT_CFA, .column = arch->ra, .value = -size },
		.fp = { .kind = RULE_AT_CFA, .column = arch->fp, .value = -size - 8 },
	};

	if (!arch->ra_is_register) {
		/* The call pushed the return address; the frame pointer lies in the word below it. */
		rule.cfa.value = size + 8;
		rule.ra.value = -8;
		rule.fp.value = -16;
	}
	if (size == 0) {
		rule.fp = (struct register_rule){ .kind = RULE_SAME_VALUE, .column = arch->fp };
		if (arch->ra_is_register)
			rule.ra = (struct register_rule){ .kind = RULE_SAME_VALUE, .column = arch->ra };
	}
	return rule_pool_rule(pool, rule_pool_add(pool, arch, &rule, hash_u64((uint32_t)size)));
}

const struct unwind_rule *go_rule_of(const struct go_functions *functions, const struct unwind_arch *arch,
				     struct rule_pool *pool, uint64_t vaddr)
{
	enum { MAX_FRAME_BYTES = 1 << 28 };
	struct go_function function;
	int32_t size;

	if (!go_functions_find(functions, vaddr, &function) ||
	    !go_functions_frame_size(functions, &function, vaddr, &size) || size < 0 || size & 7 ||
	    size > MAX_FRAME_BYTES)
		return NULL;
	return rule_of_size(arch, pool, size);
}
