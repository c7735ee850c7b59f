/*
 * Code of aarch64 without CFI: the layout of the signal frame, and instruction words that linkers and C libraries are known to
 * write, with the rule that holds at each. Most functions compare a few words around the pc. The rest of the unwinder sees only
 * the table at the end.
 */
#include "unwind/arch/unwind_arch.h"

#include <elf.h>

/*
 * After a handler's return sp points at struct rt_sigframe (arch/arm64/kernel/signal.c):
 * siginfo 128, then struct ucontext (asm/ucontext.h): uc_flags 8, uc_link 8, uc_stack 24,
 * uc_sigmask padded to 128, aligned to 16; struct sigcontext (asm/sigcontext.h):
 * fault_address, x0 to x30, sp, pc.
 *
 * The vdso's own CFI, if it has any, follows the frame record in the signal frame and so loses the interrupted function;
 * therefore the bytes are checked first.
 */
enum { SIGCONTEXT_X0 = 312 };
#define SAVED(column_, slot)                                                      \
	{                                                                         \
		.kind = RULE_AT_REGISTER, .reg = AARCH64_SP, .column = (column_), \
		.value = SIGCONTEXT_X0 + 8 * (slot)                               \
	}
#define SAVED_X(n) SAVED(n, n)

static const struct register_rule saved_registers[] = {
	SAVED_X(0),  SAVED_X(1),  SAVED_X(2),  SAVED_X(3),  SAVED_X(4),  SAVED_X(5),  SAVED_X(6),
	SAVED_X(7),  SAVED_X(8),  SAVED_X(9),  SAVED_X(10), SAVED_X(11), SAVED_X(12), SAVED_X(13),
	SAVED_X(14), SAVED_X(15), SAVED_X(16), SAVED_X(17), SAVED_X(18), SAVED_X(19), SAVED_X(20),
	SAVED_X(21), SAVED_X(22), SAVED_X(23), SAVED_X(24), SAVED_X(25), SAVED_X(26), SAVED_X(27),
	SAVED_X(28), SAVED_X(30), SAVED_X(31), /* the stack pointer, in both orders */
};

static const struct unwind_rule signal_rule = {
	.cfa = { .kind = CFA_AT_REGISTER, .reg = AARCH64_SP, .value = SIGCONTEXT_X0 + 8 * 31 },
	.ra = SAVED(AARCH64_PC, 32),
	.fp = SAVED_X(29),
	.others = saved_registers,
	.other_count = sizeof(saved_registers) / sizeof(*saved_registers),
	.path = PATH_GENERAL,
	.signal_frame = true,
};

/* Instructions are little-endian, whatever the data's byte order (Arm ARM, section B2.6.2). */
static uint32_t instruction(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static const uint32_t svc_0 = 0xd4000001u;

/* mov x8, #number; svc #0 */
static bool is_system_call(const uint8_t *bytes, uint32_t number)
{
	return instruction(bytes) == (0xd2800008u | number << 5) && instruction(bytes + 4) == svc_0;
}

static const struct unwind_rule *signal_trampoline(const struct code_bytes *code)
{
	enum { RT_SIGRETURN = 139 };

	if (code->after >= 8 && is_system_call(code->at, RT_SIGRETURN))
		return &signal_rule;
	if (code->before >= 4 && code->after >= 4 && is_system_call(code->at - 4, RT_SIGRETURN))
		return &signal_rule;
	return NULL;
}

/* bl; blr, also with pointer authentication (blraa, blrab and their zero forms). */
static bool follows_call(const struct code_bytes *code)
{
	uint32_t before;

	if (code->before < 4)
		return false;
	before = instruction(code->at - 4);
	return (before & 0xfc000000u) == 0x94000000u || (before & 0xfffffc1fu) == 0xd63f0000u ||
	       (before & 0xfefff800u) == 0xd63f0800u;
}

/* bl: 26 bits, in words (Arm ARM, C6.2.34). */
static int64_t call_distance(const struct code_bytes *code)
{
	uint32_t before = code->before >= 4 ? instruction(code->at - 4) : 0;
	int64_t words = before & 0x03ffffff;

	if ((before & 0xfc000000u) != 0x94000000u)
		return 0;
	if (words >> 25)
		words -= (int64_t)1 << 26;
	return words * 4 - 4;
}

/*
 * nop and bti. glibc's assembly functions begin with one of them, while their CFI holds only from the next instruction on (_start
 * has no caller, _dl_runtime_resolve's return address is on the stack).
 */
static bool does_nothing(const struct code_bytes *code)
{
	uint32_t word = code->after >= 4 ? instruction(code->at) : 0;

	return word == 0xd503201f || (word & 0xffffff3fu) == 0xd503241fu;
}

/*
 * The first: the return address is still in the link register. The second: it is pushed with the frame pointer, as by stp x29,
 * x30.
 */
static const struct unwind_rule link_rule = {
	.cfa = { .kind = CFA_REGISTER, .reg = AARCH64_SP },
	.ra = { .kind = RULE_SAME_VALUE, .column = AARCH64_LR },
	.fp = { .kind = RULE_SAME_VALUE, .column = AARCH64_FP },
	.path = PATH_GENERAL,
};
static const struct unwind_rule pushed_rule = {
	.cfa = { .kind = CFA_REGISTER, .reg = AARCH64_SP, .value = 16 },
	.ra = { .kind = RULE_AT_CFA, .column = AARCH64_LR, .value = -8 },
	.fp = { .kind = RULE_AT_CFA, .column = AARCH64_FP, .value = -16 },
	.path = PATH_SP,
};

static bool is_word(const struct code_bytes *code, int distance, uint32_t word)
{
	if (distance < 0)
		return code->before >= (size_t)-distance && instruction(code->at + distance) == word;
	return code->after >= (size_t)distance + 4 && instruction(code->at + distance) == word;
}

/*
 * br x16 and br x17, which only linkers' stubs use (AAPCS64, section 6.1.1), and the code up to them. The beginning of the lazy
 * binding table has pushed x16 and the link register before: stp x16, x30, [sp, #-16]!
 */
static const struct unwind_rule *jump_stub(const struct code_bytes *code)
{
	enum { STUB_BYTES = 16 }; /* adrp, ldr, add, br */
	static const struct unwind_rule head_rule = {
		.cfa = { .kind = CFA_REGISTER, .reg = AARCH64_SP, .value = 16 },
		.ra = { .kind = RULE_AT_CFA, .column = AARCH64_LR, .value = -8 },
		.fp = { .kind = RULE_SAME_VALUE, .column = AARCH64_FP },
		.path = PATH_SP,
	};
	static const uint32_t push = 0xa9bf7bf0;
	int end = 0, before;

	while (end < STUB_BYTES && !is_word(code, end, 0xd61f0200) && !is_word(code, end, 0xd61f0220))
		end += 4;
	if (end >= STUB_BYTES)
		/* The table's beginning is longer, by the push and by BTI's instruction before it. */
		return is_word(code, 16, 0xd61f0220) && (is_word(code, 0, push) || is_word(code, 4, push)) ?
			       &link_rule :
		       is_word(code, 20, 0xd61f0220) && is_word(code, 4, push) ? &link_rule :
										 NULL;
	for (before = 4; before <= STUB_BYTES - end; before += 4)
		if (is_word(code, -before, push))
			return &head_rule;
	return &link_rule;
}

/*
 * glibc's crti.S and crtn.S: instructions of pointer authentication and BTI, if any; stp x29, x30, [sp, #-16]!; mov x29, sp;
 * calls that the linker collected; ldp x29, x30, [sp], #16; autiasp or not; ret. The calls change nothing.
 */
static const struct unwind_rule *init_function(const struct code_bytes *code)
{
	enum { LONGEST_PREFIX = 8 };
	static const uint32_t push = 0xa9bf7bfd, set_fp = 0x910003fd, pop = 0xa8c17bfd, ret = 0xd65f03c0,
			      autiasp = 0xd50323bf;
	const int start = -(int)code->before;
	int pushed = start, popped;

	while (pushed <= start + LONGEST_PREFIX &&
	       !(is_word(code, pushed, push) && is_word(code, pushed + 4, set_fp)))
		pushed += 4;
	if (pushed > start + LONGEST_PREFIX)
		return NULL;
	for (popped = pushed + 8; popped < start + MAX_INIT_BYTES; popped += 4)
		if (is_word(code, popped, pop) &&
		    (is_word(code, popped + 4, ret) ||
		     (is_word(code, popped + 4, autiasp) && is_word(code, popped + 8, ret))))
			break;
	if (popped >= start + MAX_INIT_BYTES || popped + 8 < 0)
		return NULL;
	return pushed < 0 && popped >= 0 ? &pushed_rule : &link_rule;
}

static size_t entry_size(const struct code_bytes *entry)
{
	enum {
		START_BYTES = 32
	}; /* musl's _start has five instructions; glibc's and its dynamic linker's have CFI */

	(void)entry;
	return START_BYTES;
}

static bool exits(const struct code_bytes *code)
{
	enum { LOOK_AHEAD = 24, EXIT = 93 };
	size_t end = code->after < LOOK_AHEAD ? code->after : LOOK_AHEAD;

	for (size_t i = 0; i + 8 <= end; i += 4)
		if (is_system_call(code->at + i, EXIT))
			return true;
	return false;
}

/*
 * glibc's __startcontext (sysdeps/unix/sysv/linux/aarch64/setcontext.S), behind the nop or bti with which its functions begin:
 * mov x0, x19; cbnz x0, setcontext; b exit
 */
static bool begins_context(const struct code_bytes *code)
{
	enum { INSTRUCTIONS_BYTES = 12 };
	const size_t skip = does_nothing(code) ? 4 : 0;
	const uint8_t *at = code->at + skip;

	return code->after >= skip + INSTRUCTIONS_BYTES && instruction(at) == 0xaa1303e0u &&
	       (instruction(at + 4) & 0xff00001fu) == 0xb5000000u &&
	       (instruction(at + 8) & 0xfc000000u) == 0x14000000u;
}

const struct unwind_arch unwind_arch_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.word_bytes = 8,
	.sp = AARCH64_SP,
	.fp = AARCH64_FP,
	.ra = AARCH64_LR,
	.register_count = AARCH64_PC + 1,
	.callee_saved = 0x3ffu << AARCH64_X19 | 1u << AARCH64_FP,
	.ra_is_register = true,
	.code_alignment_bytes = 4,
	.signature_mask = (uint64_t)0x7f << 48,
	.signal_trampoline = signal_trampoline,
	.jump_stub = jump_stub,
	.init_function = init_function,
	.entry_size = entry_size,
	.follows_call = follows_call,
	.call_distance = call_distance,
	.does_nothing = does_nothing,
	.exits = exits,
	.begins_context = begins_context,
	.read_instruction = code_instruction_aarch64,
};
