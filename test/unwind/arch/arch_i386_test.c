#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"
#include "unwind/unwinder.h"

/*
 * Handmade stacks of 32-bit programs: one module at BIAS has functions of 0x100 bytes each, and JIT has code without a file. They
 * lie above 2 GiB, like stacks of such programs, where 32-bit numbers are negative.
 */
enum { WORDS = 64, MAX_FRAMES = 16 };
static const uint64_t BIAS = 0xf7000000, JIT = 0xf8000000, STACK = 0xffffc000;

static struct made {
	struct cfi_builder builder;
	uint64_t cie;
	struct module *module;
	struct unwinder *unwinder;
	uint8_t code[CFI_CODE_BYTES];
	uint32_t words[WORDS];
	struct unwind_input input;
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
} made;

static bool find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	(void)context;
	*mapping = (struct unwind_mapping){ .executable = true };
	if (address >= BIAS + CFI_CODE && address < BIAS + CFI_CODE + CFI_CODE_BYTES) {
		mapping->start = BIAS + CFI_CODE;
		mapping->end = BIAS + CFI_CODE + CFI_CODE_BYTES;
		mapping->bias = BIAS;
		mapping->module = made.module;
		return true;
	}
	mapping->start = JIT;
	mapping->end = JIT + 0x1000;
	return address - JIT < 0x1000;
}

/* The vaddr of function number n. */
static uint64_t function(uint64_t n)
{
	return CFI_CODE + n * 0x100;
}

/* The address of an instruction behind a call in function n. */
static uint32_t address(uint64_t n)
{
	return (uint32_t)(BIAS + function(n) + 0x10);
}

static void add_function(uint64_t n, const uint8_t *program, size_t size)
{
	cfi_builder_fde(&made.builder, made.cie, function(n), function(n + 1), program, size);
}
#define FUNCTION(n, ...)                                          \
	do {                                                      \
		static const uint8_t program[] = { __VA_ARGS__ }; \
		add_function(n, program, sizeof(program));        \
	} while (0)

static int set_up(void **state)
{
	(void)state;
	made = (struct made){ .unwinder = unwinder_create() };
	cfi_builder_init(&made.builder, EM_386);
	made.builder.code = made.code;
	made.builder.code_size = sizeof(made.code);
	for (size_t at = 0; at < sizeof(made.code); at += 0x100)
		made.code[at + 0x10 - 5] = 0xe8; /* call */
	made.cie = cfi_builder_usual_cie(&made.builder);
	made.input = (struct unwind_input){
		.arch = &unwind_arch_i386,
		.registers = { .known = 0xff },
		.stack = { .bytes = (const uint8_t *)made.words,
			   .size = sizeof(made.words),
			   .address = STACK,
			   .is_32bit = true },
		.find_mapping = find,
		.space = 1,
	};
	made.input.registers.value[I386_ESP] = STACK;
	made.stack = (struct unwind_stack){ .frames = made.frames, .capacity = MAX_FRAMES };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unwinder_destroy(made.unwinder);
	module_destroy(made.module);
	cfi_builder_fini(&made.builder);
	return 0;
}

/* Threads begin in function 7. */
static void walk(uint64_t pc)
{
	struct error err;

	if (!made.module) {
		FUNCTION(7, DW_CFA_undefined, 8);
		made.module = module_create(0, cfi_builder_file(&made.builder), NULL, &err);
	}
	assert_non_null(made.module);
	made.input.pc = pc;
	unwinder_walk(made.unwinder, &made.input, &made.stack);
}

static void assert_stack(const char *end, size_t count, const uint64_t *addresses)
{
	assert_string_equal(unwind_end_name(made.stack.end), end);
	assert_int_equal(made.stack.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(made.frames[i].address, addresses[i]);
}
#define ASSERT_STACK(end, ...)                                                        \
	do {                                                                          \
		const uint64_t addresses[] = { __VA_ARGS__ };                         \
		assert_stack(end, sizeof(addresses) / sizeof(*addresses), addresses); \
	} while (0)

static void words_have_four_bytes(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_offset, 12, DW_CFA_offset + 5, 2); /* ebp at CFA - 8 */
	FUNCTION(1, DW_CFA_def_cfa, 5, 8, DW_CFA_offset + 5, 2);      /* push %ebp; mov %esp,%ebp */
	made.words[1] = (uint32_t)STACK + 4 * 5;
	made.words[2] = address(1);
	made.words[5] = 0x1234;
	made.words[6] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1), address(7));
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CFI);
	assert_int_equal(made.frames[2].how, UNWIND_HOW_FRAME_POINTER);
	assert_int_equal(made.frames[2].sp, STACK + 4 * 7);
	assert_int_equal(made.stack.stack_bytes_used, 4 * 7);
}

/* Frames may begin at any multiple of 4, unlike those of 64-bit code; stack bytes end with the last whole word. */
static void a_stack_ends_behind_its_last_word_of_four_bytes(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	made.input.stack.size = 4;
	made.words[0] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(7));
	made.input.stack.size = 3;
	walk(address(0));
	ASSERT_STACK("stack exhausted", address(0));
}

/* gcc's main: CFA = *(ebp - 4). */
static void a_realigned_frame_says_where_it_began(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_expression, 3, DW_OP_breg5, 0x7c, DW_OP_deref, DW_CFA_expression, 5, 2,
		 DW_OP_breg5, 0);
	made.input.registers.value[I386_EBP] = STACK + 4 * 4;
	made.words[3] = (uint32_t)STACK + 4 * 9; /* the end of the return address */
	made.words[8] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(7));
}

static void plt_entry_is_unwound_before_and_behind_its_push(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_expression, 11, DW_OP_breg4, 4, DW_OP_breg8, 0, DW_OP_lit15, DW_OP_and,
		 DW_OP_lit11, DW_OP_ge, DW_OP_lit2, DW_OP_shl, DW_OP_plus);
	made.words[0] = address(7);
	walk(BIAS + function(0) + 0x1a);
	ASSERT_STACK("root", BIAS + function(0) + 0x1a, address(7));
	made.words[0] = 5; /* the number that the entry pushed */
	made.words[1] = address(7);
	walk(BIAS + function(0) + 0x1b);
	ASSERT_STACK("root", BIAS + function(0) + 0x1b, address(7));
}

/* Numbers have 32 bits: unsigned, -1 > 1; signed, -1 < 1; sums wrap. */
static void expressions_reckon_in_32_bits(void **state)
{
	(void)state;
	/* CFA = esp + 4 + (-1 >> 28 == 15 ? 4 : 0) + (esp < 1 ? 4 : 0) */
	FUNCTION(0, DW_CFA_def_cfa_expression, 22, DW_OP_breg4, 4, DW_OP_lit0, DW_OP_not, DW_OP_const1u, 28,
		 DW_OP_shr, DW_OP_lit15, DW_OP_eq, DW_OP_lit2, DW_OP_shl, DW_OP_plus, DW_OP_breg4, 0,
		 DW_OP_lit1, DW_OP_lt, DW_OP_lit2, DW_OP_shl, DW_OP_plus, DW_OP_nop, DW_OP_nop, DW_OP_nop);
	made.words[2] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(7));
}

static void code_without_cfi_is_followed_by_the_frame_pointer(void **state)
{
	(void)state;
	made.input.registers.value[I386_EBP] = STACK + 4;
	made.words[1] = 0x1234;
	made.words[2] = address(7);
	walk(JIT + 0x20);
	ASSERT_STACK("root", JIT + 0x20, address(7));
	assert_int_equal(made.frames[1].how, UNWIND_HOW_UNPROVED_FP);
	assert_int_equal(made.frames[1].sp, STACK + 12);
}

/* Writes the code of function 3, which has no CFI. */
static uint64_t put_code(const void *bytes, size_t size)
{
	memcpy(made.code + function(3) - CFI_CODE, bytes, size);
	return BIAS + function(3);
}

/* Writes struct sigcontext_32 at a word of the stack: ebp, esp, eip. */
static void put_context(size_t word, uint32_t pc, uint32_t sp)
{
	made.words[word + 6] = 0x1234;
	made.words[word + 7] = sp;
	made.words[word + 14] = pc;
}

static void signal_frames_lead_to_what_was_interrupted(void **state)
{
	static const uint8_t sigreturn[] = { 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80, 0x90 };
	static const uint8_t rt_sigreturn[] = { 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80, 0x90 };
	const uint8_t places[] = { 1, 6, 8 }; /* behind the pop */
	uint64_t trampoline = put_code(sigreturn, sizeof(sigreturn));

	(void)state;
	memcpy(made.code + function(3) - CFI_CODE + 0x40, rt_sigreturn, sizeof(rt_sigreturn));
	FUNCTION(0, DW_CFA_nop);
	made.words[0] =
		(uint32_t)trampoline; /* a handler returns there; above: the signal's number, the context */
	made.words[1] = 10;
	put_context(2, (uint32_t)(BIAS + function(7)), (uint32_t)STACK + 0x80);
	walk(address(0));
	ASSERT_STACK("root", address(0), trampoline, BIAS + function(7));
	assert_int_equal(made.frames[2].how, UNWIND_HOW_SIGNAL);
	assert_int_equal(made.frames[2].sp, STACK + 0x80);
	for (size_t i = 0; i < sizeof(places); i++) {
		put_context(0, (uint32_t)(BIAS + function(7)), (uint32_t)STACK + 0x80);
		walk(trampoline + places[i]);
		ASSERT_STACK("root", trampoline + places[i], BIAS + function(7));
	}
	trampoline += 0x40; /* three arguments, siginfo of 128 bytes, 20 bytes of ucontext */
	put_context(40, (uint32_t)(BIAS + function(7)), (uint32_t)STACK + 0x80);
	walk(trampoline);
	ASSERT_STACK("root", trampoline, BIAS + function(7));
	walk(trampoline + 7);
	ASSERT_STACK("root", trampoline + 7, BIAS + function(7));
}

static void lazy_binding_without_cfi_is_known_by_its_code(void **state)
{
	/* push 4(%ebx); jmp *8(%ebx); jmp *12(%ebx); push $0; jmp to the beginning */
	static const uint8_t plt[] = { 0xff, 0xb3, 4, 0, 0, 0,    0xff, 0xa3, 8,    0,   0,
				       0,    0,    0, 0, 0, 0xff, 0xa3, 12,   0,    0,   0,
				       0x68, 0,    0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff };
	static const struct {
		uint8_t at, pushed;
	} cases[] = { { 0, 1 }, { 6, 2 }, { 16, 0 }, { 22, 0 }, { 27, 1 } };
	const uint64_t table = put_code(plt, sizeof(plt));

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memset(made.words, 0, sizeof(made.words));
		made.words[cases[i].pushed] = address(7);
		walk(table + cases[i].at);
		ASSERT_STACK("root", table + cases[i].at, address(7));
	}
}

/* The CFI of glibc's memcpy() for i586 omits a push: rep movsb; pop %eax; mov %eax,%edi; ret $0 in one of its forms. */
static void a_leaf_whose_cfi_is_wrong_is_left_by_its_instructions(void **state)
{
	static const uint8_t leaf[] = { 0xf3, 0xa4, 0x58, 0x89, 0xc7, 0xc3 };
	struct code_instruction instruction;

	(void)state;
	if (!code_instruction_i386(leaf, sizeof(leaf), &instruction))
		skip(); /* without the library that reads them */
	put_code(leaf, sizeof(leaf));
	FUNCTION(3, DW_CFA_nop);
	made.words[0] = 17; /* pushed */
	made.words[1] = address(7);
	made.input.registers.value[I386_EBP] = 0x77;
	walk(BIAS + function(3));
	ASSERT_STACK("root", BIAS + function(3), address(7));
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CODE);
}

static void so_is_one_that_a_signal_has_interrupted(void **state)
{
	static const uint8_t leaf[] = { 0xf3, 0xa4, 0x58, 0x89, 0xc7, 0xc3 };
	static const uint8_t sigreturn[] = { 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80, 0x90 };
	const uint64_t trampoline = put_code(leaf, sizeof(leaf)) + 0x40;
	struct code_instruction instruction;

	(void)state;
	if (!code_instruction_i386(leaf, sizeof(leaf), &instruction))
		skip(); /* without the library that reads them */
	memcpy(made.code + function(3) - CFI_CODE + 0x40, sigreturn, sizeof(sigreturn));
	cfi_builder_fde(&made.builder, made.cie, function(3), function(3) + sizeof(leaf), NULL, 0);
	put_context(1, (uint32_t)(BIAS + function(3)), (uint32_t)STACK + 0x80);
	made.words[32] = 17; /* pushed */
	made.words[33] = address(7);
	walk(trampoline);
	ASSERT_STACK("root", trampoline, BIAS + function(3), address(7));
	assert_int_equal(made.frames[2].how, UNWIND_HOW_CODE);
}

/* x32 has 32-bit pointers, but pushes 8 bytes of its 64-bit registers. */
static void a_module_has_the_words_of_its_machine(void **state)
{
	uint8_t *bytes;
	struct error err;
	size_t size;

	(void)state;
	FUNCTION(0, DW_CFA_nop);
	bytes = cfi_builder_bytes(&made.builder, &size);
	bytes[18] = EM_X86_64;
	assert_null(module_create(0, elf_file_open_memory(bytes, size, "x32", &err), NULL, &err));
	assert_string_equal(err.message, "x32: unwinding is not supported for ELF machine 62");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_have_four_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_stack_ends_behind_its_last_word_of_four_bytes, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_realigned_frame_says_where_it_began, set_up, tear_down),
		cmocka_unit_test_setup_teardown(plt_entry_is_unwound_before_and_behind_its_push, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(expressions_reckon_in_32_bits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(code_without_cfi_is_followed_by_the_frame_pointer, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(signal_frames_lead_to_what_was_interrupted, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(lazy_binding_without_cfi_is_known_by_its_code, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_leaf_whose_cfi_is_wrong_is_left_by_its_instructions, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(so_is_one_that_a_signal_has_interrupted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_module_has_the_words_of_its_machine, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
