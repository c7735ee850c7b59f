/* Walks of handmade stacks through undescribed code as HotSpot, QEMU and GHC generate it (module_create_live()). */

#include <string.h>

#include "support/cmocka.h"
#include "unwind/unwinder.h"

#define CODE UINT64_C(0x10000)
#define FAR_CODE (CODE + UINT64_C(0x80000))
#define LOST_CODE (CODE + UINT64_C(0x100000)) /* of a file that is gone */
#define STACK UINT64_C(0x7000)

enum { MAX_FRAMES = 16, STACK_WORDS = 2112 };

/* Offsets of the functions in the code. */
enum {
	METHOD = 0x40,
	BEHIND_CALL_OF_STUB = 0x45,
	STUB = 0x80,
	INTERPRETER = 0xa0,
	BEHIND_CALL_OF_ENTRY = 0xd2,
	BEHIND_CALL_OF_METHOD = 0xe2,
	BLOCK = 0xf0,
	STUB_WITH_FAR_JUMP = 0x100,
	BEHIND_CALL_OF_STUB_WITH_FAR_JUMP = 0x115,
	END_OF_LOOP = 0x120,
	CALLS_REGISTER = 0x140,
	KEEPER = 0x150,
	CALLS_KEEPER = 0x160,
	TAKER = 0x170,
	CALLS_TAKER = 0x180,
	LEFT_BY_FRAME_POINTER = 0x190,
	BEHIND_CALL_OF_CALLS_REGISTER = 0x1a5,
	CALLS_WORD = 0x1b0,
	CALLS_CONSTANT = 0x1d8,
	BEHIND_CALL_OF_FAR_FUNCTION = 0x1f5,
	BEHIND_CALL_OF_ANOTHER = 0x205,
	HASKELL = 0x210,
	HASKELL_BEHIND_CALL_OF_C = 0x21d,
	RUNNER = 0x230,
	BEHIND_CALL_OF_RUNNER = 0x265,
	BEHIND_CALL_BY_CONSTANT = 0x27d,
	CODE_BYTES = 0x290,
	FAR_KEEPER = 0x30,
	FAR_FUNCTION = 0x100,
	FAR_REST_OF_FUNCTION = 0x700,
	FAR_CODE_BYTES = 0x720,
};

struct made {
	uint8_t code[CODE_BYTES], far_code[FAR_CODE_BYTES];
	uint64_t words[STACK_WORDS];
	struct module *module, *far_module; /* far_module: half a MiB behind the first */
	struct unwinder *unwinder;
	struct unwind_frame frames[MAX_FRAMES];
	struct unwind_stack stack;
};

static struct made made;

static void put(size_t at, const char *bytes, size_t size)
{
	memcpy(made.code + at, bytes, size);
}

#define PUT(at, bytes) put(at, bytes, sizeof(bytes) - 1)

/* Functions with a call on the path to their return. */
static void put_calls(void)
{
	const uint64_t far_keeper = FAR_CODE + FAR_KEEPER;

	/* call *%rcx; add $16,%rsp; pop %rbp; ret */
	PUT(CALLS_REGISTER, "\xff\xd1\x48\x83\xc4\x10\x5d\xc3");
	PUT(KEEPER, "\x53\x5b\xc3"); /* push %rbx; pop %rbx; ret */
	/* call KEEPER; add $16,%rsp; pop %rbp; ret */
	PUT(CALLS_KEEPER, "\xe8\xeb\xff\xff\xff\x48\x83\xc4\x10\x5d\xc3");
	PUT(TAKER, "\xc2\x08\x00"); /* ret $8 */
	/* call TAKER; add $16,%rsp; pop %rbp; ret */
	PUT(CALLS_TAKER, "\xe8\xeb\xff\xff\xff\x48\x83\xc4\x10\x5d\xc3");
	/* call *%rcx; leave; ret */
	PUT(LEFT_BY_FRAME_POINTER, "\xff\xd1\xc9\xc3");
	/* call CALLS_REGISTER; leave; ret */
	PUT(BEHIND_CALL_OF_CALLS_REGISTER - 5, "\xe8\x9b\xff\xff\xff\xc9\xc3");
	/* call *20(%rip); add $16,%rsp; pop %rbp; ret; and the word, 26 bytes behind the function's start */
	PUT(CALLS_WORD, "\xff\x15\x14\x00\x00\x00\x48\x83\xc4\x10\x5d\xc3");
	memcpy(made.code + CALLS_WORD + 26, &far_keeper, sizeof(far_keeper));
	/* movabs $FAR_KEEPER,%r10; call *%r10; add $16,%rsp; pop %rbp; ret */
	PUT(CALLS_CONSTANT, "\x49\xba********\x41\xff\xd2\x48\x83\xc4\x10\x5d\xc3");
	memcpy(made.code + CALLS_CONSTANT + 2, &far_keeper, sizeof(far_keeper));
	/* call FAR_FUNCTION; leave; ret. And the same with a call of the code behind its first instruction. */
	PUT(BEHIND_CALL_OF_FAR_FUNCTION - 5, "\xe8\x0b\xff\x07\x00\xc9\xc3");
	PUT(BEHIND_CALL_OF_ANOTHER - 5, "\xe8\x03\xff\x07\x00\xc9\xc3");
	memcpy(made.far_code + FAR_KEEPER, "\x53\x5b\xc3", 3);
	/* jmp FAR_REST_OF_FUNCTION, which has the code of CALLS_REGISTER */
	memcpy(made.far_code + FAR_FUNCTION, "\xe9\xfb\x05\x00\x00", 5);
	memcpy(made.far_code + FAR_REST_OF_FUNCTION, made.code + CALLS_REGISTER, 8);
}

/* GHC's StgRun, a call of it, and Haskell code that calls a C function. */
static void put_haskell(void)
{
	/* mov %rax,-8(%rbp); sub $8,%rsp; call KEEPER; add $8,%rsp; jmp *(%rbp) */
	PUT(HASKELL, "\x48\x89\x45\xf8\x48\x83\xec\x08\xe8\x33\xff\xff\xff\x48\x83\xc4\x08\xff\x65\x00");
	/* sub $48,%rsp; mov %rsp,%rax; sub $16384,%rsp; mov %rbx,(%rax); then the same for %rbp, %r12, %r13, %r14, %r15 */
	PUT(RUNNER, "\x48\x83\xec\x30\x48\x89\xe0\x48\x81\xec\x00\x40\x00\x00\x48\x89\x18\x48\x89\x68\x08"
		    "\x4c\x89\x60\x10\x4c\x89\x68\x18\x4c\x89\x70\x20\x4c\x89\x78\x28");
	/* call RUNNER; add $8,%rsp; ret */
	PUT(BEHIND_CALL_OF_RUNNER - 5, "\xe8\xcb\xff\xff\xff\x48\x83\xc4\x08\xc3");
}

/* A call as by mono: movabs $CALLS_REGISTER,%r11; call *%r11; leave; ret. */
static void put_call_by_constant(void)
{
	const uint64_t callee = CODE + CALLS_REGISTER;

	PUT(BEHIND_CALL_BY_CONSTANT - 13, "\x49\xbb********\x41\xff\xd3\xc9\xc3");
	memcpy(made.code + BEHIND_CALL_BY_CONSTANT - 11, &callee, sizeof(callee));
}

static int set_up(void **state)
{
	const struct module_frames frames = { .code = made.code, .code_size = sizeof(made.code) };
	const struct module_frames far_frames = { .code = made.far_code, .code_size = sizeof(made.far_code) };

	(void)state;
	memset(&made, 0, sizeof(made));
	memset(made.code, 0xcc, sizeof(made.code));
	memset(made.far_code, 0xcc, sizeof(made.far_code));
	/* call STUB; add $24,%rsp; pop %rbp; ret */
	PUT(METHOD, "\xe8\x3b\x00\x00\x00\x48\x83\xc4\x18\x5d\xc3");
	/* mov (%rsi),%rax; jmp *64(%rax) */
	PUT(STUB, "\x48\x8b\x06\xff\x60\x40");
	/* mov -16(%rbp),%rsp; movq $0,-16(%rbp); movabs $table,%r10; jmp *(%r10,%rbx,8) */
	PUT(INTERPRETER, "\x48\x8b\x65\xf0\x48\xc7\x45\xf0\x00\x00\x00\x00"
			 "\x49\xba\x01\x02\x03\x04\x05\x06\x07\x08\x41\xff\x24\xda");
	/* call *%rax; leave; ret */
	PUT(BEHIND_CALL_OF_ENTRY - 2, "\xff\xd0\xc9\xc3");
	/* call *%rax; add $8,%rsp; ret */
	PUT(BEHIND_CALL_OF_METHOD - 2, "\xff\xd0\x48\x83\xc4\x08\xc3");
	/* mov %rax,(%rbx); jmp FAR_CODE */
	PUT(BLOCK, "\x48\x89\x03\xe9\x08\xff\x07\x00");
	/* je over the next; jmp *%rax; jmp FAR_CODE + 16 */
	PUT(STUB_WITH_FAR_JUMP, "\x74\x02\xff\xe0\xe9\x07\xff\x07\x00");
	/* call STUB_WITH_FAR_JUMP; add $24,%rsp; pop %rbp; ret */
	PUT(BEHIND_CALL_OF_STUB_WITH_FAR_JUMP - 5, "\xe8\xeb\xff\xff\xff\x48\x83\xc4\x18\x5d\xc3");
	/* add $24,%rsp; pop %rbp; jmp FAR_CODE + 16 */
	PUT(END_OF_LOOP, "\x48\x83\xc4\x18\x5d\xe9\xe6\xfe\x07\x00");
	memcpy(made.far_code + 16, "\xff\xe0", 2); /* jmp *%rax */
	/* add $16,%rsp; pop %rbp; ret */
	memcpy(made.far_code, "\x48\x83\xc4\x10\x5d\xc3", 6);
	put_calls();
	put_haskell();
	put_call_by_constant();
	made.module = module_create_live(1, &unwind_arch_x86_64, &frames);
	made.far_module = module_create_live(2, &unwind_arch_x86_64, &far_frames);
	made.unwinder = unwinder_create();
	made.stack = (struct unwind_stack){ .frames = made.frames, .capacity = MAX_FRAMES };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unwinder_destroy(made.unwinder);
	module_destroy(made.module);
	module_destroy(made.far_module);
	return 0;
}

static bool find(void *context, uint64_t address, struct unwind_mapping *found)
{
	const bool is_lost = address >= LOST_CODE, is_far = address >= FAR_CODE;
	const uint64_t start = is_lost ? LOST_CODE : is_far ? FAR_CODE : CODE;
	const uint64_t size = is_far ? FAR_CODE_BYTES : CODE_BYTES;

	(void)context;
	*found = (struct unwind_mapping){ .start = start,
					  .end = start + size,
					  .bias = start,
					  .module = is_lost ? NULL :
						    is_far  ? made.far_module :
							      made.module,
					  .executable = true };
	return address >= start && address < start + size;
}

static uint64_t place(size_t word)
{
	return STACK + 8 * word;
}

static void walk(size_t offset, uint64_t fp)
{
	struct code_instruction instruction;
	struct unwind_input input = {
		.arch = &unwind_arch_x86_64,
		.pc = CODE + offset,
		.stack = { .bytes = (const uint8_t *)made.words,
			   .size = sizeof(made.words),
			   .address = STACK },
		.find_mapping = find,
	};

	if (!code_instruction_x86_64((const uint8_t *)"\xc3", 1, &instruction))
		skip(); /* built without the instruction decoder */
	input.registers.value[X86_64_RSP] = STACK;
	input.registers.value[X86_64_RBP] = fp;
	input.registers.known = 1u << X86_64_RSP | 1u << X86_64_RBP;
	unwinder_walk(made.unwinder, &input, &made.stack);
}

/* Writes, from word `at` on, a frame that HotSpot's entry into the interpreter called. */
static void put_frame_of_entry(size_t at)
{
	made.words[at] = 0;     /* its caller's frame pointer */
	made.words[at + 1] = 0; /* where the thread begins */
}

static void assert_frames(const uint64_t *offsets, size_t count)
{
	assert_string_equal(unwind_end_name(made.stack.end), "root");
	assert_int_equal(made.stack.count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(made.frames[i].address, CODE + offsets[i]);
		assert_int_equal(made.frames[i].how, i ? UNWIND_HOW_CODE : UNWIND_HOW_REGISTERS);
	}
}

/* Method, interpreter, method, entry: the interpreter's frame gives the beginning of the second method's frame. */
static void interpreted_frames_lead_to_compiled_ones_and_back(void **state)
{
	const uint64_t expected[] = { METHOD + 5, INTERPRETER, BEHIND_CALL_OF_METHOD, BEHIND_CALL_OF_ENTRY };

	(void)state;
	made.words[3] = place(10); /* the interpreter's frame pointer, popped above 24 bytes */
	made.words[4] = CODE + INTERPRETER;
	made.words[9] = place(15); /* the second method's stack pointer, above 3 words of arguments */
	made.words[10] = place(20);
	made.words[11] = CODE + BEHIND_CALL_OF_METHOD;
	made.words[16] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(20);
	walk(METHOD + 5, 0x1234);
	assert_frames(expected, 4);
}

/*
 * Returns how the interpreter's frame was found from a method that calls an unknown function. `kept` is the frame's word for the
 * interpreter's stack pointer.
 */
static int how_to_interpreter(uint64_t kept)
{
	made.words[2] = place(10);
	made.words[3] = CODE + INTERPRETER; /* the method's frame ends behind it, at word 4 */
	made.words[8] = kept;
	made.words[9] = place(15);
	made.words[10] = place(20);
	made.words[11] = CODE + BEHIND_CALL_OF_METHOD;
	made.words[16] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(20);
	walk(CALLS_REGISTER, 0x1234);
	assert_string_equal(unwind_end_name(made.stack.end), "root");
	assert_int_equal(made.frames[1].address, CODE + INTERPRETER);
	return made.frames[1].how;
}

static void a_caller_is_proved_where_the_interpreter_kept_the_stack_pointer_that_was_found(void **state)
{
	(void)state;
	assert_int_equal(how_to_interpreter(place(4)), UNWIND_HOW_CODE);
	assert_int_equal(how_to_interpreter(place(5)), UNWIND_HOW_CODE); /* the return address was below it */
	assert_int_equal(how_to_interpreter(place(6)), UNWIND_HOW_CODE); /* and it was aligned */
	assert_int_equal(how_to_interpreter(place(8)), UNWIND_HOW_CODE); /* and arguments were pushed */
	assert_int_equal(how_to_interpreter(place(3)), UNWIND_HOW_ASSUMED);
	assert_int_equal(how_to_interpreter(place(10)), UNWIND_HOW_ASSUMED);
	assert_int_equal(how_to_interpreter(place(40)), UNWIND_HOW_ASSUMED);
	assert_int_equal(how_to_interpreter(0), UNWIND_HOW_ASSUMED);
}

/* Since version 22 OpenJDK keeps the number of words from its frame pointer on. */
static void the_interpreter_may_keep_its_stack_pointer_as_a_number_of_words(void **state)
{
	(void)state;
	/* mov -16(%rbp),%rcx; lea (%rbp,%rcx,8),%rsp; movq $0,-16(%rbp); movabs $table,%r10; jmp *(%r10,%rbx,8) */
	PUT(INTERPRETER, "\x48\x8b\x4d\xf0\x48\x8d\x64\xcd\x00\x48\xc7\x45\xf0\x00\x00\x00\x00"
			 "\x49\xba\x01\x02\x03\x04\x05\x06\x07\x08\x41\xff\x24\xda");
	assert_int_equal(how_to_interpreter((uint64_t)-6), UNWIND_HOW_CODE);
	assert_int_equal(how_to_interpreter((uint64_t)-7), UNWIND_HOW_ASSUMED);
	assert_int_equal(how_to_interpreter(place(4)), UNWIND_HOW_ASSUMED);
}

static void a_stub_that_jumps_on_is_left_to_the_call_of_it(void **state)
{
	const uint64_t expected[] = { STUB + 3, BEHIND_CALL_OF_STUB, BEHIND_CALL_OF_ENTRY };

	(void)state;
	made.words[0] = CODE + BEHIND_CALL_OF_STUB;
	made.words[4] = place(10);
	made.words[5] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(10);
	walk(STUB + 3, 0x1234);
	assert_frames(expected, 3);
}

/* Its far target gives no caller. */
static void a_stub_that_may_jump_far_away_is_left_to_the_call_of_it(void **state)
{
	const uint64_t expected[] = { STUB_WITH_FAR_JUMP, BEHIND_CALL_OF_STUB_WITH_FAR_JUMP,
				      BEHIND_CALL_OF_ENTRY };

	(void)state;
	made.words[0] = CODE + BEHIND_CALL_OF_STUB_WITH_FAR_JUMP;
	made.words[4] = place(10);
	made.words[5] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(10);
	walk(STUB_WITH_FAR_JUMP, 0x1234);
	assert_frames(expected, 3);
}

/* Like HotSpot's stubs that first look up the called method. */
static void a_stub_that_calls_before_it_jumps_on_is_left_to_the_call_of_it(void **state)
{
	const uint64_t expected[] = { STUB, BEHIND_CALL_OF_STUB, BEHIND_CALL_OF_ENTRY };

	(void)state;
	/* call *%rax; add $16,%rsp; jmp *%rax */
	PUT(STUB, "\xff\xd0\x48\x83\xc4\x10\xff\xe0");
	made.words[2] = CODE + BEHIND_CALL_OF_STUB;
	made.words[6] = place(12);
	made.words[7] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(12);
	walk(STUB, 0x1234);
	assert_frames(expected, 3);
	made.words[2] = CODE + BEHIND_CALL_OF_METHOD; /* a call of another function */
	walk(STUB, 0x1234);
	assert_int_equal(made.stack.count, 1);
}

/* The word may be a leftover. */
static void a_stub_that_jumps_on_is_not_left_to_the_call_of_something_else(void **state)
{
	(void)state;
	made.words[0] = CODE + BEHIND_CALL_OF_METHOD;
	walk(STUB + 3, 0x1234);
	assert_int_equal(made.stack.count, 1);
	assert_string_equal(unwind_end_name(made.stack.end), "no unwind information");
}

/* Like QEMU's blocks, which all leave through one piece of code without a frame of its own. */
static void code_that_goes_on_far_away_is_left_from_there(void **state)
{
	const uint64_t expected[] = { BLOCK, BEHIND_CALL_OF_ENTRY };

	(void)state;
	made.words[2] = place(10);
	made.words[3] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(10);
	walk(BLOCK, 0x1234);
	assert_frames(expected, 2);
}

static void code_that_goes_on_far_away_is_not_left_to_what_follows_no_call(void **state)
{
	(void)state;
	made.words[3] = CODE + BEHIND_CALL_OF_ENTRY + 1;
	walk(BLOCK, 0x1234);
	assert_int_equal(made.stack.count, 1);
}

static void code_that_goes_on_where_nothing_is_known_is_not_left(void **state)
{
	(void)state;
	made.words[3] = CODE + BEHIND_CALL_OF_ENTRY;
	made.far_code[0] = 0xcc;
	walk(BLOCK, 0x1234);
	assert_int_equal(made.stack.count, 1);
}

/* C2 ends a loop whose end it never saw with nothing but a jump to where exceptions are thrown. */
static void a_method_that_only_jumps_on_is_left_to_what_its_frame_stands_on(void **state)
{
	const uint64_t expected[] = { END_OF_LOOP, BEHIND_CALL_OF_ENTRY };

	(void)state;
	made.words[3] = place(10);
	made.words[4] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(10);
	walk(END_OF_LOOP, 0x1234);
	assert_frames(expected, 2);
	made.words[4]++; /* not behind a call */
	walk(END_OF_LOOP, 0x1234);
	assert_int_equal(made.stack.count, 1);
	assert_string_equal(unwind_end_name(made.stack.end), "no unwind information");
}

/* A method must lead to an address behind a call, or to where the interpreter continues. */
static void a_method_is_not_left_to_the_middle_of_code(void **state)
{
	(void)state;
	made.words[4] =
		CODE + INTERPRETER + 4; /* clears the kept stack pointer, as for a deoptimized frame */
	made.words[3] = place(10);
	walk(METHOD + 5, 0x1234);
	assert_int_equal(made.frames[1].address, CODE + INTERPRETER + 4);
	made.words[4] = CODE + INTERPRETER + 12;
	walk(METHOD + 5, 0x1234);
	assert_int_equal(made.stack.count, 1);
}

/* Returns how the caller was found from a function whose frame has 16 bytes and a frame pointer. */
static int how_from(size_t offset, size_t caller)
{
	made.words[2] = place(10);
	made.words[3] = CODE + caller;
	put_frame_of_entry(10);
	walk(offset, 0x1234);
	assert_string_equal(unwind_end_name(made.stack.end), "root");
	assert_int_equal(made.stack.count, 2);
	assert_int_equal(made.frames[1].address, CODE + caller);
	return made.frames[1].how;
}

static void a_caller_is_assumed_where_it_is_not_known_what_is_called_on_the_way_to_it(void **state)
{
	(void)state;
	assert_int_equal(how_from(CALLS_REGISTER, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_ASSUMED);
	assert_int_equal(how_from(CALLS_REGISTER + 2, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_CODE);
}

static void a_caller_whose_file_is_gone_is_assumed(void **state)
{
	(void)state;
	made.words[2] = place(10);
	made.words[3] = LOST_CODE + 8;
	put_frame_of_entry(10);
	walk(CALLS_REGISTER, 0x1234);
	assert_int_equal(made.stack.count, 2);
	assert_int_equal(made.frames[1].address, LOST_CODE + 8);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_ASSUMED);
}

static void a_caller_is_assumed_where_a_function_on_the_way_takes_its_arguments_off_the_stack(void **state)
{
	(void)state;
	assert_int_equal(how_from(CALLS_TAKER, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_ASSUMED);
	assert_int_equal(how_from(CALLS_TAKER + 5, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_CODE);
}

static void a_caller_is_proved_where_what_is_called_leaves_the_stack_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(how_from(CALLS_KEEPER, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_CODE);
	assert_int_equal(how_from(CALLS_WORD, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_CODE);
	assert_int_equal(how_from(CALLS_CONSTANT, BEHIND_CALL_OF_ENTRY), UNWIND_HOW_CODE);
}

static void a_frame_that_is_left_by_its_frame_pointer_is_proved_whatever_it_calls(void **state)
{
	(void)state;
	put_frame_of_entry(20);
	made.words[10] = place(20);
	made.words[11] = CODE + BEHIND_CALL_OF_ENTRY;
	walk(LEFT_BY_FRAME_POINTER, place(10));
	assert_int_equal(made.stack.count, 2);
	assert_int_equal(made.frames[1].how, UNWIND_HOW_CODE);
}

static void a_caller_is_proved_by_its_direct_call_of_this_very_function(void **state)
{
	(void)state;
	assert_int_equal(how_from(CALLS_REGISTER, BEHIND_CALL_OF_CALLS_REGISTER), UNWIND_HOW_CODE);
	assert_int_equal(how_from(FAR_CODE - CODE + FAR_REST_OF_FUNCTION, BEHIND_CALL_OF_FAR_FUNCTION),
			 UNWIND_HOW_CODE);
	assert_int_equal(how_from(FAR_CODE - CODE + FAR_REST_OF_FUNCTION, BEHIND_CALL_OF_ANOTHER),
			 UNWIND_HOW_ASSUMED);
}

static void a_caller_is_proved_by_its_call_of_a_constant_that_is_this_very_function(void **state)
{
	const uint64_t another = CODE + TAKER;

	(void)state;
	assert_int_equal(how_from(CALLS_REGISTER, BEHIND_CALL_BY_CONSTANT), UNWIND_HOW_CODE);
	unwinder_destroy(made.unwinder);
	made.unwinder = unwinder_create();
	memcpy(made.code + BEHIND_CALL_BY_CONSTANT - 11, &another, sizeof(another));
	assert_int_equal(how_from(CALLS_REGISTER, BEHIND_CALL_BY_CONSTANT), UNWIND_HOW_ASSUMED);
}

/* The distance from the stack pointer of the code that StgRun jumped to, up to StgRun's frame. */
enum { RUNNER_WORDS = 16384 / 8 };

static void put_frame_of_runner(size_t at)
{
	made.words[at + RUNNER_WORDS + 1] = place(at + RUNNER_WORDS + 20); /* %rbp */
	made.words[at + RUNNER_WORDS + 6] = CODE + BEHIND_CALL_OF_RUNNER;
	made.words[at + RUNNER_WORDS + 8] = CODE + BEHIND_CALL_OF_ENTRY;
	put_frame_of_entry(at + RUNNER_WORDS + 20);
}

static void code_from_haskell_is_left_to_the_call_of_what_jumped_to_it(void **state)
{
	const uint64_t expected[] = { HASKELL, BEHIND_CALL_OF_RUNNER, BEHIND_CALL_OF_ENTRY };

	(void)state;
	put_frame_of_runner(0);
	walk(HASKELL, 0x1234); /* a frame pointer that points to another stack */
	assert_frames(expected, 3);
	made.words[RUNNER_WORDS + 6] = CODE + BEHIND_CALL_OF_METHOD; /* not a call of StgRun */
	walk(HASKELL, 0x1234);
	assert_int_equal(made.stack.count, 1);
}

static void code_from_haskell_is_left_from_the_function_in_c_that_it_calls(void **state)
{
	const uint64_t in_c[] = { KEEPER + 2, HASKELL_BEHIND_CALL_OF_C, BEHIND_CALL_OF_RUNNER,
				  BEHIND_CALL_OF_ENTRY };
	const uint64_t before_call[] = { HASKELL + 8, BEHIND_CALL_OF_RUNNER, BEHIND_CALL_OF_ENTRY };

	(void)state;
	made.words[0] = CODE + HASKELL_BEHIND_CALL_OF_C;
	put_frame_of_runner(2);
	walk(KEEPER + 2, 0x1234);
	assert_frames(in_c, 4);
	memset(made.words, 0, sizeof(made.words));
	put_frame_of_runner(1);
	walk(HASKELL + 8, 0x1234);
	assert_frames(before_call, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(interpreted_frames_lead_to_compiled_ones_and_back),
		TEST(a_caller_is_proved_where_the_interpreter_kept_the_stack_pointer_that_was_found),
		TEST(the_interpreter_may_keep_its_stack_pointer_as_a_number_of_words),
		TEST(a_stub_that_jumps_on_is_left_to_the_call_of_it),
		TEST(a_stub_that_may_jump_far_away_is_left_to_the_call_of_it),
		TEST(a_stub_that_calls_before_it_jumps_on_is_left_to_the_call_of_it),
		TEST(a_stub_that_jumps_on_is_not_left_to_the_call_of_something_else),
		TEST(code_that_goes_on_far_away_is_left_from_there),
		TEST(code_that_goes_on_far_away_is_not_left_to_what_follows_no_call),
		TEST(code_that_goes_on_where_nothing_is_known_is_not_left),
		TEST(a_method_that_only_jumps_on_is_left_to_what_its_frame_stands_on),
		TEST(a_method_is_not_left_to_the_middle_of_code),
		TEST(a_caller_is_assumed_where_it_is_not_known_what_is_called_on_the_way_to_it),
		TEST(a_caller_whose_file_is_gone_is_assumed),
		TEST(a_caller_is_assumed_where_a_function_on_the_way_takes_its_arguments_off_the_stack),
		TEST(a_caller_is_proved_where_what_is_called_leaves_the_stack_as_it_was),
		TEST(a_frame_that_is_left_by_its_frame_pointer_is_proved_whatever_it_calls),
		TEST(a_caller_is_proved_by_its_direct_call_of_this_very_function),
		TEST(a_caller_is_proved_by_its_call_of_a_constant_that_is_this_very_function),
		TEST(code_from_haskell_is_left_to_the_call_of_what_jumped_to_it),
		TEST(code_from_haskell_is_left_from_the_function_in_c_that_it_calls),
	};

	return cmocka_run_group_tests_name("unwind/live_walk", tests, NULL, NULL);
}
