#include "unwind/unwind_arch.h"

#include <elf.h>

/*
 * Behind a handler's return sp points at struct rt_sigframe (arch/arm64/kernel/signal.c):
 * siginfo 128, then struct ucontext (asm/ucontext.h): uc_flags 8, uc_link 8, uc_stack 24,
 * uc_sigmask padded to 128, aligned to 16; struct sigcontext (asm/sigcontext.h):
 * fault_address, x0 to x30, sp, pc.
 *
 * The vdso's own CFI, where it has one, follows the frame record in the signal
 * frame and so loses the interrupted function; the bytes are looked at first.
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

/* Instructions are little-endian whatever the data are (Arm ARM, section B2.6.2). */
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

/* br x16 and br x17, which nothing but linkers' stubs use (AAPCS64, section 6.1.1), and the code up to them. */
static const struct unwind_rule *jump_stub(const struct code_bytes *code)
{
	enum { STUB_BYTES = 16 }; /* adrp, ldr, add, br */
	static const struct unwind_rule stub_rule = {
		.cfa = { .kind = CFA_REGISTER, .reg = AARCH64_SP },
		.ra = { .kind = RULE_SAME_VALUE, .column = AARCH64_LR },
		.fp = { .kind = RULE_SAME_VALUE, .column = AARCH64_FP },
		.path = PATH_GENERAL,
	};

	for (size_t i = 0; i + 4 <= code->after && i < STUB_BYTES; i += 4) {
		uint32_t word = instruction(code->at + i);

		if (word == 0xd61f0200 || word == 0xd61f0220)
			return &stub_rule;
	}
	return NULL;
}

/* They keep a frame pointer: following it is as good. */
static const struct unwind_rule *init_function(const struct code_bytes *code)
{
	(void)code;
	return NULL;
}

static size_t entry_size(const struct code_bytes *entry)
{
	enum {
		START_BYTES = 32
	}; /* musl's _start is five instructions; glibc's has CFI, as its dynamic linker's */

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

const struct unwind_arch unwind_arch_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.sp = AARCH64_SP,
	.fp = AARCH64_FP,
	.ra = AARCH64_LR,
	.register_count = AARCH64_PC + 1,
	.callee_saved = 0x3ffu << AARCH64_X19 | 1u << AARCH64_FP,
	.ra_is_register = true,
	.code_alignment_bytes = 4,
	.signal_trampoline = signal_trampoline,
	.jump_stub = jump_stub,
	.init_function = init_function,
	.entry_size = entry_size,
	.follows_call = follows_call,
	.exits = exits,
};
