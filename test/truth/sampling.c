#include "truth/sampling.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum {
	SAMPLE_ONE_IN = 16, /* instructions that were seen before */
	SWEEP_ONE_IN = 8,   /* samples */
};

void sampling_init(struct sampling *sampling, const struct follow_options *options,
		   struct follow_result *result, struct unwinder *unwinder)
{
	sampling->options = options;
	sampling->result = result;
	sampling->unwinder = unwinder;
	sampling->random = options->seed * 2 + 1;
	sampling->stack = xmalloc(SAMPLING_MAX_STACK_BYTES);
}

void sampling_fini(struct sampling *sampling)
{
	free(sampling->stack);
}

/* xorshift64 */
uint64_t sampling_random(struct sampling *sampling)
{
	sampling->random ^= sampling->random << 13;
	sampling->random ^= sampling->random >> 7;
	sampling->random ^= sampling->random << 17;
	return sampling->random;
}

static bool is_new(struct sampling *sampling, uint64_t pc)
{
	uint64_t hash = pc * 0x9e3779b97f4a7c15 >> (64 - SAMPLING_SEEN_BITS);
	bool seen = sampling->seen[hash];

	sampling->seen[hash] = 1;
	return !seen;
}

bool sampling_is_due(struct sampling *sampling, uint64_t pc)
{
	return is_new(sampling, pc) || sampling_random(sampling) % SAMPLE_ONE_IN == 0;
}

bool sampling_find_truth(struct sampling *sampling, const struct shadow_stack *shadow, struct truth *truth)
{
	*truth = (struct truth){ .callers = sampling->callers };
	truth->count = shadow_stack_frames(shadow, sampling->callers, SAMPLING_MAX_FRAMES, &truth->complete,
					   &truth->readable);
	return truth->count < SAMPLING_MAX_FRAMES;
}

void sampling_fill_input(struct sampling *sampling, struct unwind_input *input, uint64_t sp,
			 struct shadow_bounds bounds)
{
	input->find_mapping = process_image_find;
	input->context = sampling->image;
	input->space = process_image_space(sampling->image);
	input->stack.bytes = sampling->stack;
	input->stack.address = sp;
	input->stack.size = process_image_read(sampling->image, sp, sampling->stack, bounds.high - sp);
}

static enum place find_place(const struct sampling *sampling, uint64_t pc, const struct truth *truth,
			     enum instruction_kind kind)
{
	const char *path = process_image_path(sampling->image, pc);

	for (size_t i = 0; i < truth->count; i++)
		if (!truth->callers[i].is_return_address)
			return PLACE_SIGNAL;
	if (strstr(path, "libgcc_s"))
		return PLACE_THROW;
	if (strstr(path, "/ld-"))
		return PLACE_LOADER;
	if (process_image_is_plt(sampling->image, pc))
		return PLACE_PLT;
	if (kind == INSTRUCTION_RETURN)
		return PLACE_RETURN;
	return sampling->since_call < SAMPLING_ENTRY_STEPS ? PLACE_ENTRY : PLACE_BODY;
}

/* --- printing differences --- */

static void print_address(struct sampling *sampling, uint64_t address, bool is_return_address)
{
	FILE *out = sampling->options->differences;
	const char *path = process_image_path(sampling->image, address);
	const char *name = strrchr(path, '/');
	struct unwind_mapping mapping;
	uint64_t vaddr;
	char *symbol;

	if (!process_image_find(sampling->image, address, &mapping) || !mapping.module) {
		fprintf(out, "0x%" PRIx64 " (%s)", address, path);
		return;
	}
	vaddr = address - mapping.bias;
	symbol = module_symbol(mapping.module, path, vaddr - is_return_address);
	fprintf(out, "%s (%s 0x%" PRIx64 ")", symbol, name ? name + 1 : path, vaddr);
	free(symbol);
}

static void print_rule(struct sampling *sampling, const struct unwind_frame *frame)
{
	FILE *out = sampling->options->differences;
	const struct unwind_rule *rule;
	struct unwind_mapping mapping;

	if (!process_image_find(sampling->image, frame->address, &mapping) || !mapping.module)
		return;
	rule = module_rule(mapping.module, frame->address - mapping.bias, frame->is_return_address);
	fprintf(out, "; rule: path %d, CFA kind %d register %d value %d, return address kind %d value %d",
		rule->path, rule->cfa.kind, rule->cfa.reg, rule->cfa.value, rule->ra.kind, rule->ra.value);
}

/* Is it the first difference near this address? One is enough. */
static bool is_new_place(struct follow_result *result, uint64_t address)
{
	enum { NEAR_BITS = 6 };

	for (size_t i = 0; i < result->printed; i++)
		if (result->printed_near[i] == address >> NEAR_BITS)
			return false;
	result->printed_near[result->printed] = address >> NEAR_BITS;
	return result->printed < FOLLOW_MAX_DIFFERENCES;
}

static void print_difference(struct sampling *sampling, const struct truth *truth,
			     const struct unwind_stack *stack, size_t at, const char *what)
{
	const struct follow_options *options = sampling->options;
	FILE *out = options->differences;
	size_t next = at + 1;

	if (!out || options->max_differences <= sampling->result->printed ||
	    !is_new_place(sampling->result, stack->frames[at].address))
		return;
	sampling->result->printed++;
	fprintf(out, "# step %" PRIu64 " seed %" PRIu64 ", %s, %zu of %zu callers, end: %s\n#   at ",
		sampling->steps, options->seed, what, stack->count - 1, truth->count,
		unwind_end_name(stack->end));
	print_address(sampling, stack->frames[0].address, false);
	if (at > 0) {
		fprintf(out, "\n#   frame %zu ", at);
		print_address(sampling, stack->frames[at].address, stack->frames[at].is_return_address);
	}
	print_rule(sampling, &stack->frames[at]);
	if (next < stack->count) {
		fprintf(out, "\n#   unwound (%s) ", unwind_how_name(stack->frames[next].how));
		print_address(sampling, stack->frames[next].address, stack->frames[next].is_return_address);
	}
	fprintf(out, "\n#   true ");
	if (at < truth->count)
		print_address(sampling, truth->callers[at].address, truth->callers[at].is_return_address);
	else
		fprintf(out, "nobody");
	fprintf(out, "\n");
}

/* --- comparing --- */

static void unwind(struct sampling *sampling, const struct unwind_input *input, struct unwind_stack *stack)
{
	*stack = (struct unwind_stack){ .frames = sampling->frames, .capacity = SAMPLING_MAX_FRAMES };
	unwinder_walk(sampling->unwinder, input, stack);
}

/* Unwinds with less and less of the stack. The result must be the beginning of the truth. */
static void sweep(struct sampling *sampling, struct unwind_input input, const struct truth *truth)
{
	size_t size = input.stack.size;
	struct unwind_stack stack;
	int at;

	for (size_t bytes = 256; bytes <= 65536; bytes *= 2) {
		input.stack.size = bytes < size ? bytes : size;
		unwind(sampling, &input, &stack);
		at = verdict_add(&sampling->result->sweep, truth, &stack, true);
		if (at >= 0)
			print_difference(sampling, truth, &stack, (size_t)at, "stack cut");
	}
}

void sampling_compare(struct sampling *sampling, const struct unwind_input *input, const struct truth *truth,
		      enum instruction_kind kind)
{
	struct unwind_stack stack;
	int at;

	unwind(sampling, input, &stack);
	verdict_add(&sampling->result->places[find_place(sampling, input->pc, truth, kind)], truth, &stack,
		    false);
	at = verdict_add(&sampling->result->whole, truth, &stack, false);
	if (at >= 0)
		print_difference(sampling, truth, &stack, (size_t)at, "whole stack");
	if (sampling->options->sweep && sampling_random(sampling) % SWEEP_ONE_IN == 0)
		sweep(sampling, *input, truth);
}
