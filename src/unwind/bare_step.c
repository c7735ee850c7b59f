/*
 * Every step proposes a caller and checks the code there. Mostly an address counts only if it is preceded by a call, or if known
 * code such as a signal trampoline begins at it. A failed proof leaves the step as it was. Limits on distances (NEAR_BYTES,
 * MAX_WORDS) keep stray values from passing.
 */
#include "unwind/bare_step.h"

#include "unwind/code/code_switch.h"
#include "unwind/code_proof.h"

/* Is the address preceded by a call? True if the code is unknown (JIT). */
static bool follows_call(const struct unwind_arch *arch, const struct known_mapping *mapping,
			 uint64_t address)
{
	const struct code_bytes code = known_mapping_code(mapping, address);

	return !mapping->mapping.module || (code.at && arch->follows_call(&code));
}

/* Is the address executable and behind a call? With `needs_module`, a module must have it as well. */
static bool is_return_address(const struct unwind_step *step, struct mapping_cache *mappings,
			      uint64_t address, bool needs_module)
{
	const struct known_mapping *mapping =
		address ? mapping_cache_find_code(mappings, step->input, address - 1) : NULL;

	return mapping && (!needs_module || mapping->mapping.module) &&
	       follows_call(step->input->arch, mapping, address);
}

bool bare_step_may_lead_to(const struct unwind_step *step, struct mapping_cache *mappings, uint64_t address)
{
	const struct unwind_arch *arch = step->input->arch;
	const struct known_mapping *mapping;
	struct code_bytes code;

	if (is_return_address(step, mappings, address, false))
		return true;
	mapping = address ? mapping_cache_find_code(mappings, step->input, address) : NULL;
	if (!mapping)
		return false;
	code = known_mapping_code(mapping, address);
	if (!code.at)
		return false;
	return arch->signal_trampoline(&code) ||
	       (arch->resumes_interpreter && known_mapping_is_live(mapping) &&
		arch->resumes_interpreter(&code));
}

static bool is_haskell_runner(const struct unwind_step *step, struct mapping_cache *mappings,
			      uint64_t address)
{
	const struct known_mapping *mapping =
		address ? mapping_cache_find_code(mappings, step->input, address) : NULL;
	struct code_bytes code;

	if (!mapping)
		return false;
	code = known_mapping_code(mapping, address);
	return code.at && step->input->arch->is_haskell_runner(&code);
}

/* Steps out of StgRun, whose stack pointer lies `bytes` above that of the frame. Leaves the step unchanged on failure. */
static bool step_out_of_haskell_at(struct unwind_step *step, struct mapping_cache *mappings, int32_t bytes)
{
	const struct unwind_arch *arch = step->input->arch;
	const struct unwind_step before = *step;

	step->regs.value[arch->sp] += (uint64_t)bytes;
	if (unwind_step_general(step, arch->haskell_rule, NULL) == UNWIND_STEPPED &&
	    is_haskell_runner(step, mappings, code_proof_callee(step->input, mappings, step->pc)))
		return true;
	*step = before;
	return false;
}

/*
 * The stack pointer is where StgRun left it, except around calls of C: before the call it may be lowered by a word for alignment,
 * and the instruction behind the call releases that word.
 */
bool bare_step_out_of_haskell(struct unwind_step *step, struct mapping_cache *mappings)
{
	const struct unwind_arch *arch = step->input->arch;
	const struct known_mapping *mapping;
	struct code_bytes code;
	size_t distance;
	int32_t bytes;

	if (!arch->haskell_rule)
		return false;
	if (step_out_of_haskell_at(step, mappings, 0) ||
	    step_out_of_haskell_at(step, mappings, arch->word_bytes))
		return true;
	mapping = step->is_return_address ? mapping_cache_find_code(mappings, step->input, step->pc) : NULL;
	if (!mapping)
		return false;
	code = known_mapping_code(mapping, step->pc);
	return code_switch_release(&code, arch, &distance, &bytes) &&
	       step_out_of_haskell_at(step, mappings, bytes);
}

bool bare_step_is_call_of(const struct unwind_step *step, struct mapping_cache *mappings,
			  uint64_t return_address, uint64_t pc)
{
	enum { NEAR_BYTES = 1024 };
	const uint64_t callee = code_proof_callee(step->input, mappings, return_address);

	return callee && pc - callee < NEAR_BYTES;
}

/*
 * OpenJDK's AdapterGenerator::gen_i2c_adapter() lowers the stack pointer by multiples of 16 bytes, from below the return address.
 */
static bool is_adapted(uint64_t interpreter_sp, uint64_t callee_sp)
{
	enum { WORD_BYTES = 8, ALIGNMENT_BYTES = 16, MAX_ARGUMENT_BYTES = 128 };
	const uint64_t aligned = (interpreter_sp - WORD_BYTES) & ~(uint64_t)(ALIGNMENT_BYTES - 1);
	const uint64_t arguments = aligned - callee_sp;

	return arguments <= MAX_ARGUMENT_BYTES && arguments % ALIGNMENT_BYTES == 0;
}

bool bare_step_resumes_interpreter(const struct unwind_step *step, struct mapping_cache *mappings)
{
	enum { KEPT_BYTES = 16 };
	const struct unwind_arch *arch = step->input->arch;
	const uint64_t fp = step->regs.value[arch->fp], sp = step->regs.value[arch->sp];
	const struct known_mapping *mapping = mapping_cache_find_code(mappings, step->input, step->pc);
	struct code_bytes code;
	uint64_t kept, called_at;

	if (!arch->interpreter_sp || !mapping || !known_mapping_is_live(mapping) ||
	    !(step->regs.known >> arch->fp & 1) ||
	    !stack_memory_word(&step->input->stack, fp - KEPT_BYTES, &kept))
		return false;
	code = known_mapping_code(mapping, step->pc);
	return code.at && arch->interpreter_sp(&code, fp, kept, &called_at) && called_at < fp &&
	       (sp == called_at || is_adapted(called_at, sp));
}

/* May the frame pointer register hold a frame pointer? */
static bool may_lead_on(const struct unwind_step *step)
{
	const struct unwind_arch *arch = step->input->arch;
	const uint64_t fp = step->regs.value[arch->fp];

	return step->regs.known >> arch->fp & 1 && fp >= step->regs.value[arch->sp] &&
	       !(fp & (arch->word_bytes - 1u));
}

bool bare_step_by_frame_pointer(struct unwind_step *step, struct mapping_cache *mappings)
{
	const struct unwind_input *input = step->input;
	const struct unwind_arch *arch = input->arch;
	const uint64_t fp = step->regs.value[arch->fp];
	uint64_t saved, ra;

	if (!may_lead_on(step) || !stack_memory_word(&input->stack, fp, &saved) ||
	    !stack_memory_word(&input->stack, fp + arch->word_bytes, &ra))
		return false;
	ra &= ~input->pac_mask;
	if (ra % arch->code_alignment_bytes || !bare_step_may_lead_to(step, mappings, ra))
		return false;
	unwind_step_to(step, ra, fp + 2u * arch->word_bytes, saved);
	return true;
}

bool bare_step_is_cut_off(const struct unwind_step *step)
{
	enum { MAX_FRAME_BYTES = 1 << 18 }; /* Chromium has some of 46 KB */
	const struct unwind_input *input = step->input;
	const uint64_t fp = step->regs.value[input->arch->fp], sp = step->regs.value[input->arch->sp];

	return may_lead_on(step) && fp - sp <= MAX_FRAME_BYTES &&
	       fp + 2u * input->arch->word_bytes > input->stack.address + input->stack.size;
}

bool bare_step_by_link_register(struct unwind_step *step, struct mapping_cache *mappings)
{
	enum { NEAR_BYTES = 4096 };
	const struct unwind_arch *arch = step->input->arch;
	const struct known_mapping *mapping;
	struct code_bytes code;
	uint64_t ra, target;
	int64_t distance;

	if (!arch->call_distance || step->is_return_address || !(step->regs.known >> arch->ra & 1))
		return false;
	ra = step->regs.value[arch->ra] & ~step->input->pac_mask;
	mapping = ra ? mapping_cache_find_code(mappings, step->input, ra - 1) : NULL;
	if (!mapping)
		return false;
	code = known_mapping_code(mapping, ra);
	distance = code.at ? arch->call_distance(&code) : 0;
	target = ra + (uint64_t)distance;
	if (!distance || step->pc - target >= NEAR_BYTES || ra - target < step->pc - target + NEAR_BYTES)
		return false;
	unwind_step_to(step, ra, step->regs.value[arch->sp], step->regs.value[arch->fp]);
	return true;
}

bool bare_step_by_guess(struct unwind_step *step, struct mapping_cache *mappings)
{
	enum { MAX_WORDS = 256 }; /* 2 KiB, or 1 KiB with 32-bit words; most frames are smaller */
	const struct unwind_input *input = step->input;
	const uint64_t word_bytes = input->arch->word_bytes;
	uint64_t at = step->regs.value[input->arch->sp], word;

	for (int i = 0; i < MAX_WORDS && stack_memory_word(&input->stack, at, &word); i++, at += word_bytes) {
		word &= ~input->pac_mask;
		if (is_return_address(step, mappings, word, true)) {
			unwind_step_to(step, word, at + word_bytes, step->regs.value[input->arch->fp]);
			return true;
		}
	}
	return false;
}
