/*
 * Proves, by reading callees, that calls leave the stack pointer unchanged, and that a return address is behind a call of
 * the function that returns there. Each result is computed once for an instruction, then cached.
 */
#include "unwind/code_proof.h"

#include "base/hash_table.h"
#include "unwind/code/code_exit.h"
#include "unwind/rule_memo.h"

enum { MAX_CALLEE_DEPTH = 4, MAX_CALLEES = 24 };

/* One proof: its input, and how many more callees it may visit. */
struct inquiry {
	const struct unwind_input *input;
	struct mapping_cache *mappings;
	int callees_left;
};

static bool find_way(const struct inquiry *inquiry, uint64_t address, struct code_exit_way *way)
{
	const struct known_mapping *mapping =
		mapping_cache_find_code(inquiry->mappings, inquiry->input, address);
	struct code_bytes code;

	if (!mapping || !mapping->mapping.module)
		return false;
	code = known_mapping_code(mapping, address);
	return code_exit_way(&code, inquiry->input->arch, way);
}

/* Code of files follows the psABI: when a function returns, the stack pointer is behind the return address. */
static bool is_of_file(const struct inquiry *inquiry, uint64_t address)
{
	const struct known_mapping *mapping =
		mapping_cache_find_code(inquiry->mappings, inquiry->input, address);

	return mapping && mapping->mapping.module && module_file(mapping->mapping.module);
}

static bool calls_keep_stack(struct inquiry *inquiry, const struct code_exit_way *way, uint64_t address,
			     int depth);

/* NOLINTNEXTLINE(misc-no-recursion): MAX_CALLEE_DEPTH */
static bool callee_keeps_stack(struct inquiry *inquiry, uint64_t callee, int depth)
{
	struct code_exit_way way;

	if (is_of_file(inquiry, callee))
		return true;
	if (depth == MAX_CALLEE_DEPTH || inquiry->callees_left-- == 0 || !find_way(inquiry, callee, &way) ||
	    !way.leaves_stack || (way.is_assumed && !calls_keep_stack(inquiry, &way, callee, depth)))
		return false;
	/* A stub jumps to the function, which finds the stack as the stub found it. */
	return !way.has_jump || callee_keeps_stack(inquiry, callee + (uint64_t)way.jump, depth + 1);
}

/* NOLINTNEXTLINE(misc-no-recursion): MAX_CALLEE_DEPTH */
static bool calls_keep_stack(struct inquiry *inquiry, const struct code_exit_way *way, uint64_t address,
			     int depth)
{
	if (way->has_unknown_call)
		return false;
	for (uint8_t i = 0; i < way->call_count; i++) {
		const uint64_t callee =
			(way->calls[i].is_absolute ? 0 : address) + (uint64_t)way->calls[i].target;

		if (!callee_keeps_stack(inquiry, callee, depth + 1))
			return false;
	}
	return true;
}

static bool ask_calls(const struct unwind_input *input, struct mapping_cache *mappings, uint64_t pc)
{
	struct inquiry inquiry = { .input = input, .mappings = mappings, .callees_left = MAX_CALLEES };
	struct code_exit_way way;

	return find_way(&inquiry, pc, &way) &&
	       (is_of_file(&inquiry, pc) || calls_keep_stack(&inquiry, &way, pc, 0));
}

/* movabs $callee, %reg; call *%reg: the call has 2 or 3 bytes. */
static uint64_t find_indirect_callee(const struct code_bytes *behind, const struct unwind_arch *arch)
{
	for (size_t size = 2; size <= 3 && size <= behind->before; size++) {
		const struct code_bytes call = { .at = behind->at - size,
						 .before = behind->before - size,
						 .after = size };
		uint64_t callee;

		if (arch->indirect_callee(&call, &callee))
			return callee;
	}
	return 0;
}

uint64_t code_proof_callee(const struct unwind_input *input, struct mapping_cache *mappings,
			   uint64_t return_address)
{
	const struct unwind_arch *arch = input->arch;
	const struct known_mapping *mapping =
		return_address ? mapping_cache_find_code(mappings, input, return_address - 1) : NULL;
	struct code_bytes code;
	int64_t distance;

	if (!mapping || !arch->direct_call)
		return 0;
	code = known_mapping_code(mapping, return_address);
	distance = code.at ? arch->direct_call(&code) : 0;
	if (distance)
		return return_address + (uint64_t)distance;
	return code.at && arch->indirect_callee ? find_indirect_callee(&code, arch) : 0;
}

static bool ask_caller(const struct unwind_input *input, struct mapping_cache *mappings,
		       uint64_t return_address, uint64_t pc)
{
	const uint64_t callee = code_proof_callee(input, mappings, return_address);
	const struct known_mapping *mapping = callee ? mapping_cache_find_code(mappings, input, pc) : NULL;
	struct code_bytes code;

	if (!mapping || callee > pc)
		return false;
	code = known_mapping_code(mapping, pc);
	if (!code.at || pc - callee > code.before)
		return false;
	code.at -= pc - callee;
	code.before -= pc - callee;
	code.after += pc - callee;
	return code_exit_reaches(&code, input->arch, pc - callee);
}

/* --- cached results -------------------------------------------------------------------- */

/* The key of an instruction: its module and vaddr, because rewritten run-time code is another module. 0 if no module has it. */
static uint64_t key_of(const struct unwind_input *input, struct mapping_cache *mappings, uint64_t address)
{
	const struct known_mapping *mapping = mapping_cache_find_code(mappings, input, address);

	return mapping && mapping->mapping.module ?
		       hash_u64(rule_memo_key(mapping->key_base, address - mapping->mapping.bias,
					      RULE_MEMO_RETURN_ADDRESS)) :
		       0;
}

static bool remember(struct code_proof *proof, uint64_t key, bool answer)
{
	proof->places[key / 2 % CODE_PROOF_PLACES] = (key & ~(uint64_t)1) | answer;
	return answer;
}

static bool is_remembered(const struct code_proof *proof, uint64_t key, bool *answer)
{
	const uint64_t place = proof->places[key / 2 % CODE_PROOF_PLACES];

	*answer = place & 1;
	return place / 2 == key / 2;
}

bool code_proof_calls_keep_stack(struct code_proof *proof, const struct unwind_input *input,
				 struct mapping_cache *mappings, uint64_t pc)
{
	const uint64_t key = key_of(input, mappings, pc);
	bool answer;

	if (is_remembered(proof, key, &answer))
		return answer;
	return remember(proof, key, ask_calls(input, mappings, pc));
}

bool code_proof_is_caller(struct code_proof *proof, const struct unwind_input *input,
			  struct mapping_cache *mappings, uint64_t return_address, uint64_t pc)
{
	const uint64_t key =
		hash_combine(key_of(input, mappings, pc), key_of(input, mappings, return_address));
	bool answer;

	if (is_remembered(proof, key, &answer))
		return answer;
	return remember(proof, key, ask_caller(input, mappings, return_address, pc));
}
