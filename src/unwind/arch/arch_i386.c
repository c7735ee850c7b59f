/*
 * Byte patterns of 32-bit x86: the kernel's signal trampolines, the linker's stubs, code of glibc without CFI. Apart from signal
 * frames every rule is one of sp_rules, as such code moves nothing but the stack pointer. Parts shared with 64-bit code are in
 * arch_x86_64.c.
 */
#include <elf.h>
#include <string.h>

#include "unwind/arch/arch_x86.h"

/*
 * struct sigcontext_32 (asm/sigcontext.h): gs, fs, es, ds, edi, esi, ebp, esp, ebx, edx, ecx, eax, trapno, err, eip. When a
 * handler has returned, esp points at its argument. Without SA_SIGINFO the context follows that argument, which the trampoline
 * pops. With SA_SIGINFO the arguments and siginfo (12 + 128 bytes) and the first 20 bytes of struct ucontext_ia32 lie before the
 * context (asm/sigframe.h).
 */
enum { BEHIND_ARGUMENT = 4, BEHIND_SIGINFO = 12 + 128 + 20 };

#define SAVED(column_, context, slot)                                           \
	{                                                                       \
		.kind = RULE_AT_REGISTER, .reg = I386_ESP, .column = (column_), \
		.value = (context) + 4 * (slot)                                 \
	}
#define SAVED_REGISTERS(context)                                                                         \
	{                                                                                                \
		SAVED(I386_EAX, context, 11), SAVED(I386_ECX, context, 10), SAVED(I386_EDX, context, 9), \
			SAVED(I386_EBX, context, 8), SAVED(I386_ESP, context, 7),                        \
			SAVED(I386_ESI, context, 5), SAVED(I386_EDI, context, 4),                        \
	}
#define SIGNAL_RULE(registers, context)                                                                      \
	{                                                                                                    \
		.cfa = { .kind = CFA_AT_REGISTER, .reg = I386_ESP, .value = (context) + 4 * 7 },             \
		.ra = SAVED(I386_RA, context, 14), .fp = SAVED(I386_EBP, context, 6), .others = (registers), \
		.other_count = sizeof(registers) / sizeof(*(registers)), .path = PATH_GENERAL,               \
		.signal_frame = true,                                                                        \
	}

static const struct register_rule saved_before_pop[] = SAVED_REGISTERS(BEHIND_ARGUMENT);
static const struct register_rule saved_behind_pop[] = SAVED_REGISTERS(0);
static const struct register_rule saved_with_siginfo[] = SAVED_REGISTERS(BEHIND_SIGINFO);

static const struct unwind_rule before_pop_rule = SIGNAL_RULE(saved_before_pop, BEHIND_ARGUMENT);
static const struct unwind_rule behind_pop_rule = SIGNAL_RULE(saved_behind_pop, 0);
static const struct unwind_rule siginfo_rule = SIGNAL_RULE(saved_with_siginfo, BEHIND_SIGINFO);

/* CFA = esp + 4, 8, 12, 16: for code that changes only the stack pointer. */
#define SP_RULE(bytes)                                                                  \
	{                                                                               \
		.cfa = { .kind = CFA_REGISTER, .reg = I386_ESP, .value = (bytes) },     \
		.ra = { .kind = RULE_AT_CFA, .column = I386_RA, .value = -4 },          \
		.fp = { .kind = RULE_SAME_VALUE, .column = I386_EBP }, .path = PATH_SP, \
	}
static const struct unwind_rule sp_rules[] = { SP_RULE(4), SP_RULE(8), SP_RULE(12), SP_RULE(16) };

static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };

/* The kernel's __kernel_sigreturn and __kernel_rt_sigreturn. During the system call the pc is at the nop behind int $0x80. */
static const struct unwind_rule *signal_trampoline(const struct code_bytes *code)
{
	static const uint8_t sigreturn[] = { 0x58,                     /* pop %eax */
					     0xb8, 0x77, 0, 0, 0,      /* mov $119,%eax */
					     0xcd, 0x80,               /* int $0x80 */
					     0x90 };                   /* nop */
	static const uint8_t rt_sigreturn[] = { 0xb8, 0xad, 0,   0, 0, /* mov $173,%eax */
						0xcd, 0x80, 0x90 };

	if (arch_x86_has(code, 0, sigreturn, sizeof(sigreturn)))
		return &before_pop_rule;
	if (arch_x86_has(code, -1, sigreturn, sizeof(sigreturn)) ||
	    arch_x86_has(code, -6, sigreturn, sizeof(sigreturn)) ||
	    arch_x86_has(code, -8, sigreturn, sizeof(sigreturn)))
		return &behind_pop_rule;
	return arch_x86_has(code, 0, rt_sigreturn, sizeof(rt_sigreturn)) ||
			       arch_x86_has(code, -5, rt_sigreturn, sizeof(rt_sigreturn)) ||
			       arch_x86_has(code, -7, rt_sigreturn, sizeof(rt_sigreturn)) ?
		       &siginfo_rule :
		       NULL;
}

/*
 * glibc's crti.S and crtn.S: endbr32 or not; push %ebx; sub $8,%esp; calls that the linker collected; add $8,%esp; pop %ebx; ret.
 */
static const struct unwind_rule *init_function(const struct code_bytes *code)
{
	static const uint8_t reserve[] = { 0x53, 0x83, 0xec, 0x08 };
	static const uint8_t release[] = { 0x83, 0xc4, 0x08, 0x5b, 0xc3 };
	const uint8_t *start = code->at - code->before, *end;
	const struct code_bytes whole = { .at = start, .before = 0, .after = code->before + code->after };
	const size_t body = arch_x86_has(&whole, 0, endbr32, sizeof(endbr32)) ? sizeof(endbr32) : 0;

	if (!arch_x86_has(&whole, (int)body, reserve, sizeof(reserve)))
		return NULL;
	end = memmem(start, whole.after < MAX_INIT_BYTES ? whole.after : MAX_INIT_BYTES, release,
		     sizeof(release));
	if (!end || code->at >= end + sizeof(release))
		return NULL;
	if (code->before <= body || code->at == end + 4)
		return &sp_rules[0];
	return code->before == body + 1 || code->at == end + 3 ? &sp_rules[1] : &sp_rules[3];
}

/* _start pushes main's arguments one by one. For the dynamic linker's see RTLD_START in glibc, sysdeps/i386/dl-machine.h. */
static size_t entry_size(const struct code_bytes *entry)
{
	static const struct arch_x86_entry known = { .linker = { 0x89, 0xe0 }, /* mov %esp,%eax */
						     .linker_size = 2,
						     .leave = { 0xff, 0xe7 }, /* jmp *%edi */
						     .leave_size = 2 };

	return arch_x86_entry_size(entry, &known);
}

/* jmp *slot, or jmp *slot(%ebx) in position-independent code (psABI, "Procedure Linkage Table"). */
static bool jumps_through_slot(const struct code_bytes *code, int distance)
{
	static const uint8_t absolute[] = { 0xff, 0x25 }, relative[] = { 0xff, 0xa3 };

	return arch_x86_has(code, distance, absolute, sizeof(absolute)) ||
	       arch_x86_has(code, distance, relative, sizeof(relative));
}

static bool pushes_slot(const struct code_bytes *code, int distance)
{
	static const uint8_t absolute[] = { 0xff, 0x35 }, relative[] = { 0xff, 0xb3 };

	return arch_x86_has(code, distance, absolute, sizeof(absolute)) ||
	       arch_x86_has(code, distance, relative, sizeof(relative));
}

/*
 * The table begins with push slot; jmp *slot. Each entry is jmp *slot; push $n; jmp to the beginning. GNU ld writes CFI for it.
 */
static const struct unwind_rule *jump_stub(const struct code_bytes *code)
{
	enum { SLOT_BYTES = 6, PUSH_BYTES = 5 };
	static const uint8_t push_number[] = { 0x68 }, jump_to_head[] = { 0xe9 };
	const int pad = arch_x86_has(code, 0, endbr32, sizeof(endbr32)) ? (int)sizeof(endbr32) : 0;

	if (pushes_slot(code, 0) && jumps_through_slot(code, SLOT_BYTES))
		return &sp_rules[1];
	if (jumps_through_slot(code, 0) && pushes_slot(code, -SLOT_BYTES))
		return &sp_rules[2];
	if (arch_x86_has(code, 0, push_number, 1) && jumps_through_slot(code, -SLOT_BYTES) &&
	    arch_x86_has(code, PUSH_BYTES, jump_to_head, 1))
		return &sp_rules[0];
	if (arch_x86_has(code, 0, jump_to_head, 1) && arch_x86_has(code, -PUSH_BYTES, push_number, 1) &&
	    jumps_through_slot(code, -PUSH_BYTES - SLOT_BYTES))
		return &sp_rules[1];
	return jumps_through_slot(code, pad) ? &sp_rules[0] : NULL;
}

/* Threads and programs whose C library has no CFI end in exit(2): one of several ways to put 1 into eax, then int $0x80. */
static bool exits(const struct code_bytes *code)
{
	enum { LOOK_AHEAD = 24 };
	static const uint8_t interrupt[] = { 0xcd, 0x80 };
	static const uint8_t mov[] = { 0xb8, 1, 0, 0, 0 }, increment[] = { 0x31, 0xc0, 0x40 },
			     push[] = { 0x6a, 1, 0x58 }, mov_low[] = { 0xb0, 1 };
	bool is_exit = false;

	for (int i = 0; i < LOOK_AHEAD; i++) {
		is_exit |= arch_x86_has(code, i, mov, sizeof(mov)) ||
			   arch_x86_has(code, i, increment, sizeof(increment)) ||
			   arch_x86_has(code, i, push, sizeof(push)) ||
			   arch_x86_has(code, i, mov_low, sizeof(mov_low));
		if (is_exit && arch_x86_has(code, i, interrupt, sizeof(interrupt)))
			return true;
	}
	return false;
}

/*
 * glibc's clone3() has int $0x80; test %eax,%eax; je, and clone() has int $0x80; pop %edi. Both have no CFI there, as it would be
 * wrong in the child.
 */
static size_t since_clone(const struct code_bytes *code)
{
	enum { INTERRUPT_BYTES = 2, TEST_BYTES = 2 };
	static const uint8_t clone3[] = { 0xcd, 0x80, 0x85, 0xc0, 0x74 }, clone[] = { 0xcd, 0x80, 0x5f };

	if (arch_x86_has(code, -INTERRUPT_BYTES, clone3, sizeof(clone3)) ||
	    arch_x86_has(code, -INTERRUPT_BYTES, clone, sizeof(clone)))
		return INTERRUPT_BYTES;
	return arch_x86_has(code, -INTERRUPT_BYTES - TEST_BYTES, clone3, sizeof(clone3)) ?
		       INTERRUPT_BYTES + TEST_BYTES :
		       SIZE_MAX;
}

/* Not needed: glibc's CFI says that the code to which functions of makecontext() return has no caller. */
static bool begins_context(const struct code_bytes *code)
{
	(void)code;
	return false;
}

const struct unwind_arch unwind_arch_i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word_bytes = 4,
	.sp = I386_ESP,
	.fp = I386_EBP,
	.ra = I386_RA,
	.register_count = I386_RA + 1,
	.callee_saved = 1u << I386_EBX | 1u << I386_EBP | 1u << I386_ESI | 1u << I386_EDI,
	.code_alignment_bytes = 1,
	.signal_trampoline = signal_trampoline,
	.jump_stub = jump_stub,
	.init_function = init_function,
	.entry_size = entry_size,
	.follows_call = arch_x86_follows_call,
	.does_nothing = arch_x86_does_nothing,
	.exits = exits,
	.since_clone = since_clone,
	.begins_context = begins_context,
	.read_instruction = code_instruction_i386,
};
