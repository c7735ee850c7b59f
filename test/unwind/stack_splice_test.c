#include "unwind/stack_splice.h"

#include <dwarf.h>
#include <elf.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"

/*
 * A stack with frames of 32 bytes; the first frame pointer is STACK + 16:
 *
 *   function 1   links its frames by %rbp
 *   function 2   has a frame of 32 bytes and leaves %rbp alone
 *   function 3   is where threads begin
 */
enum {
	BIAS = 0x400000,
	STACK = 0x7000,
	WORDS = 64,
	MAX_FRAMES = 32,
	FRAME_BYTES = 32,
	CUT = 3 * FRAME_BYTES
};

struct made {
	struct cfi_builder builder;
	struct module *module;
	struct unwinder *unwinder;
	uint64_t words[WORDS];
	uint64_t chain[MAX_FRAMES]; /* as the kernel reads it from the whole stack */
	size_t chain_count;
	struct unwind_input input;
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
};

static bool find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	const struct made *made = context;

	*mapping = (struct unwind_mapping){ .start = BIAS + CFI_CODE,
					    .end = BIAS + CFI_CODE + CFI_CODE_BYTES,
					    .bias = BIAS,
					    .module = made->module,
					    .executable = true };
	return address >= mapping->start && address < mapping->end;
}

static uint64_t function(uint64_t n)
{
	return CFI_CODE + n * 0x100;
}

/* Returns a distinct return address for each call. */
static uint64_t address(uint64_t n, uint64_t call)
{
	return BIAS + function(n) + 0x10 * (call + 1);
}

static void add_functions(struct made *made)
{
	static const uint8_t links[] = { DW_CFA_def_cfa, 6, 16, DW_CFA_offset + 6, 2 };
	static const uint8_t frameless[] = { DW_CFA_def_cfa_offset, FRAME_BYTES };
	static const uint8_t root[] = { DW_CFA_undefined, 16 };
	uint64_t cie = cfi_builder_usual_cie(&made->builder);

	cfi_builder_fde(&made->builder, cie, function(1), function(2), links, sizeof(links));
	cfi_builder_fde(&made->builder, cie, function(2), function(3), frameless, sizeof(frameless));
	cfi_builder_fde(&made->builder, cie, function(3), function(4), root, sizeof(root));
}

/* callers[]: the function of each caller, the leaf's first. The leaf is in function 1. */
static void make(struct made *made, const uint64_t *callers, size_t count)
{
	uint64_t link = STACK + 16;

	*made = (struct made){ .unwinder = unwinder_create() };
	cfi_builder_init(&made->builder, EM_X86_64);
	add_functions(made);
	made->module = module_create(0, cfi_builder_file(&made->builder), NULL, NULL);
	made->input = (struct unwind_input){
		.arch = unwind_arch_find(EM_X86_64),
		.pc = address(1, 0),
		.stack = { .bytes = (const uint8_t *)made->words, .size = CUT, .address = STACK },
		.find_mapping = find,
		.context = made,
		.space = 1
	};
	made->input.registers.known = 1 << X86_64_RSP | 1 << X86_64_RBP;
	made->input.registers.value[X86_64_RSP] = STACK;
	made->input.registers.value[X86_64_RBP] = link;
	made->stack = (struct unwind_stack){ .frames = made->frames, .capacity = MAX_FRAMES };
	made->chain[made->chain_count++] = made->input.pc;
	for (size_t i = 0; i < count; i++) {
		uint64_t here = STACK + 16 + i * FRAME_BYTES;

		made->words[(here + 8 - STACK) / 8] = address(callers[i], i + 1);
		if (i > 0 && callers[i - 1] == 2)
			continue;                       /* its frame is not in the chain */
		made->words[(link - STACK) / 8] = here; /* links the frame before to this one */
		made->words[(here - STACK) / 8] = here + FRAME_BYTES;
		link = here;
		made->chain[made->chain_count++] = address(callers[i], i + 1);
	}
}

static void fini(struct made *made)
{
	unwinder_destroy(made->unwinder);
	module_destroy(made->module);
	cfi_builder_fini(&made->builder);
}

/* Walks the dump, which ends behind the first three frames, and splices. */
static size_t splice(struct made *made)
{
	unwinder_walk(made->unwinder, &made->input, &made->stack);
	assert_string_equal(unwind_end_name(made->stack.end), "stack exhausted");
	assert_int_equal(made->stack.count, 4);
	return stack_splice(made->unwinder, &made->input, made->chain, made->chain_count, &made->stack);
}

static void the_chain_goes_on_where_the_dump_ends(void **state)
{
	static const uint64_t callers[] = { 1, 1, 1, 1, 1, 3 };
	struct made made;

	(void)state;
	make(&made, callers, 6);
	assert_int_equal(splice(&made), 3);
	assert_string_equal(unwind_end_name(made.stack.end), "root");
	assert_int_equal(made.stack.count, 7);
	for (size_t i = 1; i < 7; i++) {
		assert_int_equal(made.frames[i].address, address(callers[i - 1], i));
		assert_int_equal(made.frames[i].how,
				 i < 4 ? UNWIND_HOW_FRAME_POINTER : UNWIND_HOW_KERNEL_CHAIN);
	}
	fini(&made);
}

/* The chain lacks the fifth caller's frame and has the sixth in its place. */
static void it_stops_at_code_that_keeps_no_frame_pointer(void **state)
{
	static const uint64_t callers[] = { 1, 1, 1, 1, 2, 1, 3 };
	struct made made;

	(void)state;
	make(&made, callers, 7);
	assert_int_equal(splice(&made), 2);
	assert_string_equal(unwind_end_name(made.stack.end), "stack exhausted");
	assert_int_equal(made.frames[5].address, address(2, 5));
	assert_int_equal(made.stack.at, address(2, 5));
	fini(&made);
}

/* Function 2's return address is missing in the dump, and the chain skips that frame. */
static void a_frame_that_the_chain_skips_is_no_place_to_go_on(void **state)
{
	static const uint64_t callers[] = { 1, 1, 2, 1, 3 };
	struct made made;

	(void)state;
	make(&made, callers, 5);
	assert_int_equal(splice(&made), 0);
	assert_int_equal(made.stack.count, 4);
	fini(&made);
}

static void a_chain_of_another_stack_is_not_believed(void **state)
{
	static const uint64_t callers[] = { 1, 1, 1, 1, 1, 3 };
	struct made made;

	(void)state;
	make(&made, callers, 6);
	made.chain[2]++;
	assert_int_equal(splice(&made), 0);
	made.chain[2]--;
	made.chain[0]++;
	assert_int_equal(splice(&made), 0);
	made.chain[0]--;
	made.chain_count = 4;
	assert_int_equal(splice(&made), 0);
	made.chain_count = 0;
	assert_int_equal(splice(&made), 0);
	fini(&made);
}

static void a_complete_stack_needs_nothing(void **state)
{
	static const uint64_t callers[] = { 1, 1, 1, 3 };
	struct made made;

	(void)state;
	make(&made, callers, 4);
	made.input.stack.size = sizeof(made.words);
	unwinder_walk(made.unwinder, &made.input, &made.stack);
	assert_string_equal(unwind_end_name(made.stack.end), "root");
	assert_int_equal(stack_splice(made.unwinder, &made.input, made.chain, made.chain_count, &made.stack),
			 0);
	fini(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chain_goes_on_where_the_dump_ends),
		cmocka_unit_test(it_stops_at_code_that_keeps_no_frame_pointer),
		cmocka_unit_test(a_frame_that_the_chain_skips_is_no_place_to_go_on),
		cmocka_unit_test(a_chain_of_another_stack_is_not_believed),
		cmocka_unit_test(a_complete_stack_needs_nothing),
	};

	return cmocka_run_group_tests_name("unwind/stack_splice", tests, NULL, NULL);
}
