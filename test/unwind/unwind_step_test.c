#include "unwind/unwinder.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"

/* Handmade stacks. One module at BIAS has functions of 0x100 bytes each; JIT has code without a file. The sampled sp is STACK. */
enum { BIAS = 0x400000, JIT = 0x900000, STACK = 0x7000, WORDS = 64, MAX_FRAMES = 32 };

static struct made {
	struct cfi_builder builder;
	uint64_t cie;
	struct module *module;
	struct unwinder *unwinder;
	uint64_t words[WORDS];
	struct unwind_input input;
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
	size_t asked; /* calls of find_mapping() */
} made;

static bool find(void *context, uint64_t address, struct unwind_mapping *mapping)
{
	(void)context;
	made.asked++;
	*mapping = (struct unwind_mapping){ .executable = true };
	if (address >= BIAS + CFI_CODE && address < BIAS + CFI_CODE + CFI_CODE_BYTES) {
		mapping->start = BIAS + CFI_CODE;
		mapping->end = BIAS + CFI_CODE + CFI_CODE_BYTES;
		mapping->bias = BIAS;
		mapping->module = made.module;
		return true;
	}
	mapping->start = address & ~(uint64_t)0xfff;
	mapping->end = mapping->start + 0x1000;
	mapping->executable = mapping->start == JIT;
	return mapping->start == JIT || mapping->start == STACK;
}

static void init(uint16_t machine)
{
	bool arm = machine == EM_AARCH64;

	made = (struct made){ .unwinder = unwinder_create() };
	cfi_builder_init(&made.builder, machine);
	made.cie = cfi_builder_usual_cie(&made.builder);
	made.input = (struct unwind_input){
		.arch = unwind_arch_find(machine),
		.stack = { .bytes = (const uint8_t *)made.words,
			   .size = sizeof(made.words),
			   .address = STACK },
		.find_mapping = find,
		.space = 1,
	};
	made.input.registers.known = arm ? 0xffffffff : 0xffff;
	made.input.registers.value[made.input.arch->sp] = STACK;
	made.stack = (struct unwind_stack){ .frames = made.frames, .capacity = MAX_FRAMES };
}

static int set_up_x86_64(void **state)
{
	(void)state;
	init(EM_X86_64);
	return 0;
}

static int set_up_aarch64(void **state)
{
	(void)state;
	init(EM_AARCH64);
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

/* The vaddr of function number n. */
static uint64_t function(uint64_t n)
{
	return CFI_CODE + n * 0x100;
}

static uint64_t address(uint64_t n)
{
	return BIAS + function(n) + 0x10;
}

#define FUNCTION(n, ...)                                                                          \
	do {                                                                                      \
		static const uint8_t program[] = { __VA_ARGS__ };                                 \
		cfi_builder_fde(&made.builder, made.cie, function(n), function((n) + 1), program, \
				sizeof(program));                                                 \
	} while (0)

static void walk(uint64_t pc)
{
	struct error err;

	if (!made.module)
		made.module = module_create(0, cfi_builder_file(&made.builder), NULL, &err);
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

/* Threads begin in function 7. */
static void add_root(void)
{
	FUNCTION(7, DW_CFA_undefined, 16);
}

static void frame_pointer_rows_are_marked_as_such(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	FUNCTION(1, DW_CFA_def_cfa, 6, 16, DW_CFA_offset + 6, 2);
	add_root();
	made.input.registers.value[X86_64_RBP] = STACK + 32;
	made.words[0] = address(1); /* at CFA - 8 of function 0 */
	made.words[4] = 0x1234;     /* rbp of the root */
	made.words[5] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1), address(7));
	assert_int_equal(made.frames[0].how, UNWIND_HOW_REGISTERS);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CFI);
	assert_int_equal(made.frames[2].how, UNWIND_HOW_FRAME_POINTER);
	assert_int_equal(made.stack.stack_bytes_used, 48);
}

/* The third function's CFA comes from rbx, which the second saved: by then the fast steps have dropped it. */
static void other_registers_are_followed_when_a_rule_needs_one(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	FUNCTION(1, DW_CFA_def_cfa_offset, 24, DW_CFA_offset + 3, 2);
	FUNCTION(2, DW_CFA_def_cfa, 3, 64);
	add_root();
	made.words[0] = address(1);
	made.words[2] = STACK;      /* rbx */
	made.words[3] = address(2); /* CFA = 8 + 24 */
	made.words[7] = address(7); /* CFA = rbx + 64 */
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1), address(2), address(7));
	assert_int_equal(unwinder_counts(made.unwinder)->replays, 1);
}

/* At the ret behind pop %rbx; pop %rbp the CFI still describes the words that they were popped from. */
static void register_that_was_popped_is_what_it_was(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_offset + 6, 2, DW_CFA_offset + 3, 3);
	FUNCTION(1, DW_CFA_def_cfa, 6, 16);
	FUNCTION(2, DW_CFA_def_cfa, 3, 16);
	add_root();
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.input.registers.value[X86_64_RBX] = STACK + 64;
	made.words[0] = address(1);
	made.words[3] = address(2);
	made.words[9] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1), address(2), address(7));
}

static void register_that_was_lost_is_said(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	FUNCTION(1, DW_CFA_def_cfa, 0, 8); /* rax survives no call */
	made.words[0] = address(1);
	walk(address(0));
	ASSERT_STACK("register not recorded", address(0), address(1));
	assert_int_equal(made.stack.at, address(1));
	walk(address(1)); /* but a leaf's rax is known */
	assert_string_equal(unwind_end_name(made.stack.end), "bad frame address"); /* rax is 0 */
}

static void return_address_may_be_in_a_register(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_register, 16, 5); /* __vfork: rdi */
	add_root();
	made.input.registers.value[X86_64_RDI] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(7));
}

static void plt_entry_is_unwound_before_and_behind_its_push(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and,
		 DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	add_root();
	made.words[0] = address(7);
	walk(BIAS + function(0) + 0x1a);
	ASSERT_STACK("root", BIAS + function(0) + 0x1a, address(7));
	made.words[0] = 5; /* the number that the entry pushed */
	made.words[1] = address(7);
	walk(BIAS + function(0) + 0x1b);
	ASSERT_STACK("root", BIAS + function(0) + 0x1b, address(7));
}

static void expressions_read_the_stack(void **state)
{
	(void)state;
	/* CFA = 2 * *(rsp + 8) / 2, which has none of the known shapes */
	FUNCTION(0, DW_CFA_def_cfa_expression, 7, DW_OP_breg7, 8, DW_OP_deref, DW_OP_lit2, DW_OP_mul,
		 DW_OP_lit2, DW_OP_div);
	add_root();
	made.words[1] = STACK + 40;
	made.words[4] = address(7);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(7));
}

/* OpenSSL's SHA-512 for AVX2: CFA = *(rsp - 8) + 8. A dump begins at the stack pointer, a copy by BPF below it. */
static void a_word_below_the_stack_pointer_is_in_no_dump(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_expression, 5, DW_OP_breg7, 0x78, DW_OP_deref, DW_OP_plus_uconst, 8);
	add_root();
	made.words[16 + 3] = address(7);
	made.words[16 - 1] = STACK + 16 * 8 + 24;
	made.input.registers.value[X86_64_RSP] = STACK + 16 * 8;
	made.input.stack.bytes += 16 * 8;
	made.input.stack.size -= 16 * 8;
	made.input.stack.address += 16 * 8;
	walk(address(0));
	ASSERT_STACK("below the stack pointer", address(0));
	made.input.stack.bytes -= 16 * 8;
	made.input.stack.size += 16 * 8;
	made.input.stack.address -= 16 * 8;
	walk(address(0));
	ASSERT_STACK("root", address(0), address(7));
}

static void cfa_that_does_not_grow_ends_the_walk(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_offset, 0);
	FUNCTION(1, DW_CFA_def_cfa, 6, 16); /* rbp is kept, so the frame would repeat for ever */
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.words[3] = address(1);
	walk(address(0));
	ASSERT_STACK("bad frame address", address(0));
	walk(address(1));
	ASSERT_STACK("bad frame address", address(1), address(1));
	assert_int_equal(made.stack.value, STACK + 32);
}

static void wild_and_crooked_frames_end_the_walk(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa, 6, 16);
	made.input.registers.value[X86_64_RBP] = 0x7fffffff0000; /* far from any stack */
	walk(address(0));
	ASSERT_STACK("bad frame address", address(0));
	made.input.registers.value[X86_64_RBP] = STACK + 17;
	walk(address(0));
	ASSERT_STACK("bad frame address", address(0));
	made.input.registers.value[X86_64_RBP] = UINT64_MAX - 7; /* wraps */
	walk(address(0));
	ASSERT_STACK("bad frame address", address(0));
	made.input.registers.value[X86_64_RBP] = STACK + 0x10000; /* where the stack continues */
	walk(address(0));
	ASSERT_STACK("stack exhausted", address(0));
	assert_int_equal(made.stack.value, STACK + 0x10000 + 8);
}

static void return_address_must_be_executable(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	made.words[0] = 0x123456; /* not mapped */
	walk(address(0));
	ASSERT_STACK("bad return address", address(0));
	assert_int_equal(made.stack.value, 0x123456);
	made.words[0] = STACK + 8; /* data */
	walk(address(0));
	ASSERT_STACK("bad return address", address(0));
}

/* As in V8's epilogues, which pop the return address to remove arguments, while the CFI omits that. */
static void a_leaf_whose_cfi_leads_to_no_code_is_left_by_its_frame_pointer(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	add_root();
	made.words[0] = 0x123456;
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.words[2] = 0;
	made.words[3] = JIT + 0x20;
	walk(address(0));
	ASSERT_STACK("no unwind information", address(0), JIT + 0x20);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_UNPROVED_FP);
	/* Callers are not, as the wrong rule may have restored their frame pointer. */
	made.words[0] = address(0);
	made.words[1] = 0x123456;
	walk(address(0));
	ASSERT_STACK("bad return address", address(0), address(0));
}

static void a_leafs_return_address_of_zero_is_a_root_only_with_a_frame_pointer_of_zero_or_of_the_end(
	void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	made.input.registers.value[X86_64_RBP] = 1;
	walk(address(0));
	ASSERT_STACK("bad return address", address(0));
	made.input.registers.value[X86_64_RBP] = 0;
	walk(address(0));
	ASSERT_STACK("root", address(0));
	/* D's fibers: the frame pointer is at the end of the frame, which is also the end of the fiber's stack. */
	made.input.registers.value[X86_64_RBP] = STACK + 8;
	walk(address(0));
	ASSERT_STACK("root", address(0));
	made.input.registers.value[X86_64_RBP] = STACK;
	walk(address(0));
	ASSERT_STACK("bad return address", address(0));
}

/* gccgo's goroutines, whose frame pointer may be anything. */
static void return_address_of_zero_is_a_root_above_frames_that_are_certain(void **state)
{
	static const uint8_t code[] = { 0xe8, 0, 0, 0, 0 }; /* call */
	const uint64_t behind_call = BIAS + CFI_CODE + sizeof(code);

	(void)state;
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	FUNCTION(0, DW_CFA_nop);
	FUNCTION(1, DW_CFA_nop);
	made.input.registers.value[X86_64_RBP] = 1;
	made.words[0] = behind_call;
	made.words[1] = 0;
	walk(address(1));
	ASSERT_STACK("root", address(1), behind_call);
	/* Found by the frame pointer of JIT code, which may not have kept one. */
	made.input.registers.value[X86_64_RBP] = STACK;
	made.words[0] = STACK + 0x20;
	made.words[1] = behind_call;
	made.words[2] = 0;
	walk(JIT + 0x10);
	ASSERT_STACK("bad return address", JIT + 0x10, behind_call);
}

static void room_for_frames_is_the_limit(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	for (size_t i = 0; i < WORDS; i++)
		made.words[i] = address(0);
	walk(address(0));
	assert_string_equal(unwind_end_name(made.stack.end), "depth limit");
	assert_int_equal(made.stack.count, MAX_FRAMES);
	made.stack.capacity = 0;
	walk(address(0));
	assert_int_equal(made.stack.count, 0);
}

static void code_without_cfi_is_left_by_its_frame_pointer(void **state)
{
	(void)state;
	add_root();
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.words[2] = STACK + 48;
	made.words[3] = JIT + 0x20; /* more JIT code */
	made.words[6] = 0;
	made.words[7] = JIT + 0x30;
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10, JIT + 0x20, JIT + 0x30);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_UNPROVED_FP);
}

static void frame_pointer_beyond_the_bytes_says_that_they_are_too_few(void **state)
{
	enum { END = STACK + WORDS * 8 };

	(void)state;
	add_root();
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.words[2] = END;
	made.words[3] = JIT + 0x20;
	walk(JIT + 0x10);
	ASSERT_STACK("stack exhausted", JIT + 0x10, JIT + 0x20);
	assert_true(made.stack.by_frame_pointer);
	assert_int_equal(made.stack.return_slot, END + 8);
	made.words[2] = END - 8; /* one of the two words is in the dump */
	walk(JIT + 0x10);
	ASSERT_STACK("stack exhausted", JIT + 0x10, JIT + 0x20);
	made.words[2] = END + 1; /* misaligned */
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10, JIT + 0x20);
	assert_false(made.stack.by_frame_pointer);
	made.words[2] = END + (1 << 20); /* too far for a frame */
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10, JIT + 0x20);
}

static void frame_pointer_without_proof_must_lead_behind_a_call(void **state)
{
	static const uint8_t code[] = { 0xe8, 0, 0, 0, 0 }; /* call */

	(void)state;
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.words[3] = BIAS + CFI_CODE + 4; /* inside the call */
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10);
	made.words[3] = BIAS + CFI_CODE + 5;
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10, BIAS + CFI_CODE + 5);
	made.input.registers.value[X86_64_RBP] = STACK - 16; /* below the stack pointer */
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10);
}

/* push %rbx; pop %rbx; ret; call *8(%rax). The calls return behind the last. */
static const uint8_t code_without_cfi[] = { 0x53, 0x5b, 0xc3, 0xff, 0x50, 0x08 };
enum { BEHIND_PUSH = CFI_CODE + 1, BEHIND_CALL = CFI_CODE + 6 };

static bool add_code(void)
{
	struct code_instruction instruction;

	if (!code_instruction_x86_64(code_without_cfi, 1, &instruction))
		return false; /* built without the instruction decoder */
	made.builder.code = code_without_cfi;
	made.builder.code_size = sizeof(code_without_cfi);
	made.builder.code_section = ".init"; /* where a function without a symbol begins */
	return true;
}

static void code_without_cfi_is_left_by_what_its_instructions_do(void **state)
{
	(void)state;
	if (!add_code())
		skip();
	made.words[1] = BIAS + BEHIND_CALL;
	walk(BIAS + BEHIND_PUSH);
	ASSERT_STACK("no unwind information", BIAS + BEHIND_PUSH, BIAS + BEHIND_CALL);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CODE);
	assert_int_equal(made.frames[1].sp, STACK + 16);
}

static void code_that_leads_behind_no_call_is_left_by_its_frame_pointer(void **state)
{
	(void)state;
	if (!add_code())
		skip();
	made.words[1] = BIAS + CFI_CODE + 2;
	walk(BIAS + BEHIND_PUSH);
	ASSERT_STACK("no unwind information", BIAS + BEHIND_PUSH);
	made.input.registers.value[X86_64_RBP] = STACK + 32;
	made.words[5] = BIAS + BEHIND_CALL;
	walk(BIAS + BEHIND_PUSH);
	ASSERT_STACK("no unwind information", BIAS + BEHIND_PUSH, BIAS + BEHIND_CALL);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_UNPROVED_FP);
}

static void handler_without_cfi_returns_to_a_trampoline(void **state)
{
	static const uint8_t code[] = { 0x53, 0x5b, 0xc3,                /* push %rbx; pop %rbx; ret */
					0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, /* mov $15,%rax */
					0x0f, 0x05 };                    /* syscall */

	(void)state;
	if (!add_code())
		skip();
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	made.words[1] = BIAS + CFI_CODE + 3;
	walk(BIAS + BEHIND_PUSH);
	assert_true(made.stack.count >= 2);
	assert_int_equal(made.frames[1].address, BIAS + CFI_CODE + 3);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CODE);
}

static void thread_may_begin_in_code_without_cfi(void **state)
{
	(void)state;
	if (!add_code())
		skip();
	walk(BIAS + BEHIND_PUSH); /* return address and frame pointer are both 0 */
	ASSERT_STACK("root", BIAS + BEHIND_PUSH);
}

static void short_dump_ends_code_without_cfi_as_it_does_other(void **state)
{
	(void)state;
	if (!add_code())
		skip();
	made.input.stack.size = 8;
	walk(BIAS + BEHIND_PUSH);
	ASSERT_STACK("stack exhausted", BIAS + BEHIND_PUSH);
	assert_int_equal(made.stack.return_slot, STACK + 8);
}

static void guesses_are_made_when_asked_for(void **state)
{
	static const uint8_t code[] = { 0xff, 0x50, 0x08 }; /* call *8(%rax) */

	(void)state;
	add_root();
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	made.words[3] = address(5); /* looks like code, but no call precedes it */
	made.words[4] = BIAS + CFI_CODE + 3;
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10);
	made.input.guess = true;
	walk(JIT + 0x10);
	ASSERT_STACK("no unwind information", JIT + 0x10, BIAS + CFI_CODE + 3);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_GUESSED);
}

/* The rule of function 1 leads to a word that is no code: a guess continues from the beginning of its frame. */
static void a_bad_return_address_is_guessed_around(void **state)
{
	static const uint8_t code[] = { 0xff, 0x50, 0x08 }; /* call *8(%rax) */

	(void)state;
	FUNCTION(1, DW_CFA_nop);
	add_root();
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	made.words[0] = 0x1234;
	made.words[2] = BIAS + CFI_CODE + 3;
	walk(address(1));
	ASSERT_STACK("bad return address", address(1));
	made.input.guess = true;
	walk(address(1));
	ASSERT_STACK("no unwind information", address(1), BIAS + CFI_CODE + 3);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_GUESSED);
	assert_int_equal(made.frames[1].sp, STACK + 24);
	made.words[2] = 0; /* no guess possible */
	walk(address(1));
	ASSERT_STACK("bad return address", address(1));
}

static void signal_frame_restores_all_registers(void **state)
{
	static const uint8_t code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

	(void)state;
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	FUNCTION(1, DW_CFA_nop);
	FUNCTION(2, DW_CFA_def_cfa, 0, 8); /* CFA = rax + 8 */
	add_root();
	made.words[0] = BIAS + CFI_CODE; /* the handler returns to the trampoline */
	made.words[1 + 5 + 13] =
		STACK + 50 * 8; /* rax: behind uc_flags, uc_link, uc_stack and 13 registers */
	made.words[1 + 5 + 15] = STACK + 48 * 8; /* rsp */
	made.words[1 + 5 + 16] =
		BIAS + function(2); /* rip: the first instruction; another function ends before it */
	made.words[50] = address(7);
	walk(address(1));
	ASSERT_STACK("root", address(1), BIAS + CFI_CODE, BIAS + function(2), address(7));
	assert_true(made.frames[1].is_return_address);
	assert_int_equal(made.frames[2].how, UNWIND_HOW_SIGNAL);
	assert_false(made.frames[2].is_return_address);
}

static void mappings_of_a_space_are_asked_for_once(void **state)
{
	size_t asked;

	(void)state;
	FUNCTION(0, DW_CFA_nop);
	add_root();
	made.words[0] = address(7);
	walk(address(0));
	asked = made.asked;
	assert_int_equal(asked, 1);
	walk(address(0));
	assert_int_equal(made.asked, asked);
	made.input.space = 2;
	walk(address(0));
	assert_int_equal(made.asked, asked + 1);
	made.input.space = 0;
	walk(address(0));
	walk(address(0));
	assert_int_equal(made.asked, asked + 3);
}

static void frame_pointers_alone_skip_what_keeps_none(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	add_root();
	made.input.frame_pointers_only = true;
	made.input.registers.value[X86_64_RBP] = STACK + 16;
	made.words[0] = address(0);
	made.words[3] = JIT + 0x40;
	walk(address(0));
	ASSERT_STACK("no unwind information", address(0), JIT + 0x40);
}

static void nothing_is_walked_without_a_stack_pointer(void **state)
{
	(void)state;
	made.input.registers.known = 0;
	walk(address(0));
	assert_string_equal(unwind_end_name(made.stack.end), "no registers");
	assert_int_equal(made.stack.count, 0);
}

static void link_register_counts_for_a_leaf_alone(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop); /* leaf */
	FUNCTION(1, DW_CFA_def_cfa_offset, 32, DW_CFA_offset + 29, 4, DW_CFA_offset + 30,
		 3);                            /* stp x29, x30, [sp, -32]! */
	FUNCTION(2, DW_CFA_def_cfa_offset, 16); /* claims to call nothing, but it did */
	made.input.registers.value[AARCH64_LR] = address(1);
	made.words[1] = address(2);
	walk(address(0));
	ASSERT_STACK("register not recorded", address(0), address(1), address(2));
}

static void omitted_return_column_is_the_link_register_and_undefined_a_root(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	FUNCTION(1, DW_CFA_undefined, 30);
	made.input.registers.value[AARCH64_LR] = address(1);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1));
}

static void signatures_are_taken_off_return_addresses(void **state)
{
	(void)state;
	FUNCTION(0, 0x2d, DW_CFA_def_cfa_offset, 16, DW_CFA_offset + 29, 2, DW_CFA_offset + 30,
		 1); /* paciasp; stp */
	FUNCTION(1, DW_CFA_undefined, 30);
	made.input.pac_mask = 0x7f000000000000;
	made.words[1] = address(1) | 0x2a000000000000;
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1));
}

static void aarch64_signal_frame_restores_the_link_register(void **state)
{
	static const uint8_t code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 }; /* mov x8, #139; svc #0 */
	enum { X0 = 312 / 8 };
	uint64_t words[128] = { 0 };

	(void)state;
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	FUNCTION(1, DW_CFA_nop);
	FUNCTION(2, DW_CFA_nop);
	FUNCTION(3, DW_CFA_undefined, 30);
	made.input.stack.bytes = (const uint8_t *)words;
	made.input.stack.size = sizeof(words);
	made.input.registers.value[AARCH64_LR] = BIAS + CFI_CODE;
	words[X0 + 30] = address(3);
	words[X0 + 31] = STACK + 120 * 8;
	words[X0 + 32] = BIAS + function(2);
	walk(address(1));
	ASSERT_STACK("root", address(1), BIAS + CFI_CODE, BIAS + function(2), address(3));
}

static void return_address_above_the_cfa_belongs_to_the_frame(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_offset_extended_sf, 30, 0x7f); /* at CFA + 8, as in _dl_runtime_resolve */
	FUNCTION(1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset + 30, 1);
	FUNCTION(2, DW_CFA_undefined, 30);
	made.words[1] = address(1);
	made.words[2 + 1] = address(2);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1), address(2));
}

static void link_register_that_was_popped_is_what_it_was(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_def_cfa_sf, 31, 2, DW_CFA_offset_extended_sf, 30, 0x7f); /* CFA = sp - 16 */
	FUNCTION(2, DW_CFA_undefined, 30);
	made.input.registers.value[AARCH64_LR] = address(2);
	walk(address(0));
	ASSERT_STACK("root", address(0), address(2));
}

/* Puts this instruction into function 1, where stacks begin, before the address in the link register. */
static void call_from_function_1(uint32_t call)
{
	static uint8_t code[CFI_CODE_BYTES];

	for (size_t i = 0; i < 4; i++)
		code[function(1) + 0xc - CFI_CODE + i] = (uint8_t)(call >> 8 * i);
	made.builder.code = code;
	made.builder.code_size = sizeof(code);
	FUNCTION(1, DW_CFA_undefined, 30);
	made.input.registers.value[AARCH64_LR] = address(1);
	made.input.registers.value[AARCH64_FP] = 0;
}

static void leaf_without_cfi_returns_to_where_its_link_register_says(void **state)
{
	(void)state;
	call_from_function_1(0x9400003d); /* bl function(2) */
	walk(address(2));
	ASSERT_STACK("root", address(2), address(1));
	assert_int_equal(made.frames[1].how, UNWIND_HOW_UNPROVED_FP);
	made.input.registers.value[AARCH64_LR] = address(1) + 4; /* follows no call */
	walk(address(2));
	ASSERT_STACK("no unwind information", address(2));
}

static void link_register_of_code_without_cfi_may_be_of_its_own_call(void **state)
{
	(void)state;
	call_from_function_1(0x97ffffbd); /* bl function(0), 0x10c bytes before: too close */
	walk(address(0));
	ASSERT_STACK("no unwind information", address(0));
}

static void link_register_that_follows_no_call_is_marked(void **state)
{
	(void)state;
	FUNCTION(0, DW_CFA_nop);
	call_from_function_1(0xd63f0020); /* blr x1 */
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1));
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CFI);
	made.input.registers.value[AARCH64_LR] = address(1) + 8;
	walk(address(0));
	ASSERT_STACK("root", address(0), address(1) + 8);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_UNPROVED_FP);
}

#define X86_64(name) cmocka_unit_test_setup_teardown(name, set_up_x86_64, tear_down)
#define AARCH64(name) cmocka_unit_test_setup_teardown(name, set_up_aarch64, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		X86_64(frame_pointer_rows_are_marked_as_such),
		X86_64(other_registers_are_followed_when_a_rule_needs_one),
		X86_64(register_that_was_popped_is_what_it_was),
		X86_64(register_that_was_lost_is_said),
		X86_64(return_address_may_be_in_a_register),
		X86_64(plt_entry_is_unwound_before_and_behind_its_push),
		X86_64(expressions_read_the_stack),
		X86_64(a_word_below_the_stack_pointer_is_in_no_dump),
		X86_64(cfa_that_does_not_grow_ends_the_walk),
		X86_64(wild_and_crooked_frames_end_the_walk),
		X86_64(return_address_must_be_executable),
		X86_64(a_leaf_whose_cfi_leads_to_no_code_is_left_by_its_frame_pointer),
		X86_64(a_leafs_return_address_of_zero_is_a_root_only_with_a_frame_pointer_of_zero_or_of_the_end),
		X86_64(return_address_of_zero_is_a_root_above_frames_that_are_certain),
		X86_64(room_for_frames_is_the_limit),
		X86_64(code_without_cfi_is_left_by_its_frame_pointer),
		X86_64(frame_pointer_beyond_the_bytes_says_that_they_are_too_few),
		X86_64(frame_pointer_without_proof_must_lead_behind_a_call),
		X86_64(code_without_cfi_is_left_by_what_its_instructions_do),
		X86_64(code_that_leads_behind_no_call_is_left_by_its_frame_pointer),
		X86_64(handler_without_cfi_returns_to_a_trampoline),
		X86_64(thread_may_begin_in_code_without_cfi),
		X86_64(short_dump_ends_code_without_cfi_as_it_does_other),
		X86_64(guesses_are_made_when_asked_for),
		X86_64(a_bad_return_address_is_guessed_around),
		X86_64(signal_frame_restores_all_registers),
		X86_64(mappings_of_a_space_are_asked_for_once),
		X86_64(frame_pointers_alone_skip_what_keeps_none),
		X86_64(nothing_is_walked_without_a_stack_pointer),
		AARCH64(link_register_counts_for_a_leaf_alone),
		AARCH64(omitted_return_column_is_the_link_register_and_undefined_a_root),
		AARCH64(signatures_are_taken_off_return_addresses),
		AARCH64(aarch64_signal_frame_restores_the_link_register),
		AARCH64(return_address_above_the_cfa_belongs_to_the_frame),
		AARCH64(link_register_that_was_popped_is_what_it_was),
		AARCH64(leaf_without_cfi_returns_to_where_its_link_register_says),
		AARCH64(link_register_of_code_without_cfi_may_be_of_its_own_call),
		AARCH64(link_register_that_follows_no_call_is_marked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
