/*
 * Byte patterns of x86-64 and the rules that hold there: the signal trampoline, the linker's stubs, _init, clone,
 * coroutines, and frames of HotSpot and GHC. Most functions compare bytes around the pc, in both directions. The
 * arch_x86_* functions serve 32-bit code as well; unwind_arch_x86_64 at the end lists all.
 */
#include <elf.h>
#include <string.h>

#include "unwind/arch/arch_x86.h"
#include "unwind/arch/plain_instruction_x86.h"

/*
 * After a handler's return rsp points at struct ucontext (asm/ucontext.h): uc_flags 8, uc_link 8, uc_stack 24, then struct
 * sigcontext (asm/sigcontext.h): r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip.
 */
enum { SIGCONTEXT = 40 };
#define SAVED(column_, slot)                                                      \
	{                                                                         \
		.kind = RULE_AT_REGISTER, .reg = X86_64_RSP, .column = (column_), \
		.value = SIGCONTEXT + 8 * (slot)                                  \
	}

static const struct register_rule saved_registers[] = {
	SAVED(X86_64_RAX, 13), SAVED(X86_64_RDX, 12), SAVED(X86_64_RCX, 14), SAVED(X86_64_RBX, 11),
	SAVED(X86_64_RSI, 9),  SAVED(X86_64_RDI, 8),  SAVED(X86_64_RSP, 15), SAVED(X86_64_R8, 0),
	SAVED(X86_64_R9, 1),   SAVED(X86_64_R10, 2),  SAVED(X86_64_R11, 3),  SAVED(X86_64_R12, 4),
	SAVED(X86_64_R13, 5),  SAVED(X86_64_R14, 6),  SAVED(X86_64_R15, 7),
};

static const struct unwind_rule signal_rule = {
	.cfa = { .kind = CFA_AT_REGISTER, .reg = X86_64_RSP, .value = SIGCONTEXT + 8 * 15 },
	.ra = SAVED(X86_64_RA, 16),
	.fp = SAVED(X86_64_RBP, 10),
	.others = saved_registers,
	.other_count = sizeof(saved_registers) / sizeof(*saved_registers),
	.path = PATH_GENERAL,
	.signal_frame = true,
};

/* CFA = rsp + 8, 16, 24: for code that changes only the stack pointer. */
#define SP_RULE(bytes)                                                                    \
	{                                                                                 \
		.cfa = { .kind = CFA_REGISTER, .reg = X86_64_RSP, .value = (bytes) },     \
		.ra = { .kind = RULE_AT_CFA, .column = X86_64_RA, .value = -8 },          \
		.fp = { .kind = RULE_SAME_VALUE, .column = X86_64_RBP }, .path = PATH_SP, \
	}
static const struct unwind_rule sp_rules[] = { SP_RULE(8), SP_RULE(16), SP_RULE(24) };

static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

/* During the system call the pc is behind its instruction: glibc has padding there, musl may have another function. */
static const struct unwind_rule *signal_trampoline(const struct code_bytes *code)
{
	static const uint8_t rt_sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, /* mov $15,%rax */
						0x0f, 0x05 };                    /* syscall */
	static const uint8_t nop[] = { 0x0f, 0x1f };

	return arch_x86_has(code, 0, rt_sigreturn, sizeof(rt_sigreturn)) ||
			       arch_x86_has(code, -7, rt_sigreturn, sizeof(rt_sigreturn)) ||
			       (arch_x86_has(code, -9, rt_sigreturn, sizeof(rt_sigreturn)) &&
				arch_x86_has(code, 0, nop, sizeof(nop))) ?
		       &signal_rule :
		       NULL;
}

/*
 * glibc's crti.S and crtn.S: endbr64 or not; sub $8,%rsp; calls that the linker collected; add $8,%rsp; ret. The calls change
 * nothing.
 */
static const struct unwind_rule *init_function(const struct code_bytes *code)
{
	static const uint8_t reserve[] = { 0x48, 0x83, 0xec, 0x08 };
	static const uint8_t release[] = { 0x48, 0x83, 0xc4, 0x08, 0xc3 };
	const uint8_t *start = code->at - code->before, *end;
	const struct code_bytes whole = { .at = start, .before = 0, .after = code->before + code->after };
	size_t body = arch_x86_has(&whole, 0, endbr64, sizeof(endbr64)) ? sizeof(endbr64) : 0;
	const struct code_bytes behind = { .at = start + body, .before = body, .after = whole.after - body };

	if (!arch_x86_has(&behind, 0, reserve, sizeof(reserve)))
		return NULL;
	body += sizeof(reserve);
	end = memmem(start, whole.after < MAX_INIT_BYTES ? whole.after : MAX_INIT_BYTES, release,
		     sizeof(release));
	if (!end || code->at >= end + sizeof(release))
		return NULL;
	return code->before < body || code->at == end + sizeof(release) - 1 ? &sp_rules[0] : &sp_rules[1];
}

/*
 * Returns `size`; but if the code calls something within it, the offset of that callee: musl's _start is short and calls the
 * function behind it.
 */
static size_t before_callee(const struct code_bytes *entry, size_t size)
{
	enum { CALL_BYTES = 5, CALL = 0xe8 };
	uint32_t distance;

	for (size_t i = 0; i + CALL_BYTES <= size && i + CALL_BYTES <= entry->after; i++) {
		memcpy(&distance, entry->at + i + 1, sizeof(distance));
		if (entry->at[i] == CALL && i + CALL_BYTES + distance < size)
			return i + CALL_BYTES + distance;
	}
	return size;
}

size_t arch_x86_entry_size(const struct code_bytes *entry, const struct arch_x86_entry *known)
{
	enum { START_BYTES = 32, LINKER_BYTES = 128 };
	const uint8_t *end;

	if (!arch_x86_has(entry, 0, known->linker, known->linker_size))
		return before_callee(entry, START_BYTES);
	end = memmem(entry->at, entry->after < LINKER_BYTES ? entry->after : LINKER_BYTES, known->leave,
		     known->leave_size);
	return end ? (size_t)(end - entry->at) + known->leave_size : START_BYTES;
}

/* _start has five or six instructions. For the dynamic linker's see RTLD_START in glibc, sysdeps/x86_64/dl-machine.h. */
static size_t entry_size(const struct code_bytes *entry)
{
	static const struct arch_x86_entry known = { .linker = { 0x48, 0x89, 0xe7,
								 0xe8 }, /* mov %rsp,%rdi; call */
						     .linker_size = 4,
						     .leave = { 0x41, 0xff, 0xe4 }, /* jmp *%r12 */
						     .leave_size = 3 };

	return arch_x86_entry_size(entry, &known);
}

/*
 * Lazy binding (psABI, figure 5.2): the table begins with push x(%rip); jmp *y(%rip). Each entry is jmp *z(%rip); push $n; jmp to
 * the beginning. GNU ld writes CFI for it, lld does not.
 */
static const struct unwind_rule *lazy_stub(const struct code_bytes *code)
{
	enum { MEMORY_BYTES = 6, PUSH_BYTES = 5 };
	static const uint8_t jump[] = { 0xff, 0x25 }, push[] = { 0xff, 0x35 }, push_number[] = { 0x68 },
			     jump_to_head[] = { 0xe9 };

	if (arch_x86_has(code, 0, push, 2) && arch_x86_has(code, MEMORY_BYTES, jump, 2))
		return &sp_rules[1];
	if (arch_x86_has(code, 0, jump, 2) && arch_x86_has(code, -MEMORY_BYTES, push, 2))
		return &sp_rules[2];
	if (arch_x86_has(code, 0, push_number, 1) && arch_x86_has(code, -MEMORY_BYTES, jump, 2) &&
	    arch_x86_has(code, PUSH_BYTES, jump_to_head, 1))
		return &sp_rules[0];
	if (arch_x86_has(code, 0, jump_to_head, 1) && arch_x86_has(code, -PUSH_BYTES, push_number, 1) &&
	    arch_x86_has(code, -PUSH_BYTES - MEMORY_BYTES, jump, 2))
		return &sp_rules[1];
	return NULL;
}

/* jmp *x(%rip), with or without endbr64 and bnd before it. Statically linked programs have no CFI for it. */
static const struct unwind_rule *jump_stub(const struct code_bytes *code)
{
	static const uint8_t jump[] = { 0xff, 0x25 };
	struct code_bytes rest = *code;
	const struct unwind_rule *rule = lazy_stub(code);

	if (rule)
		return rule;
	if (arch_x86_has(&rest, 0, endbr64, sizeof(endbr64))) {
		rest.at += sizeof(endbr64);
		rest.after -= sizeof(endbr64);
	}
	if (rest.after && *rest.at == 0xf2) { /* bnd */
		rest.at++;
		rest.after--;
	}
	rest.before = 0;
	return arch_x86_has(&rest, 0, jump, sizeof(jump)) ? &sp_rules[0] : NULL;
}

/* Length of `ff /2` (call through a register or memory) with this ModRM byte; 0 if it is another instruction. */
static size_t indirect_call_size(uint8_t modrm, uint8_t sib)
{
	uint8_t mod = modrm >> 6, rm = modrm & 7;
	size_t size = 2;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return size;
	if (rm == 4)
		size++; /* a SIB byte */
	if (mod == 1)
		size += 1;
	else if (mod == 2 || (mod == 0 && rm == 5) || (mod == 0 && rm == 4 && (sib & 7) == 5))
		size += 4;
	return size;
}

bool arch_x86_follows_call(const struct code_bytes *code)
{
	if (code->before >= 5 && code->at[-5] == 0xe8)
		return true;
	for (size_t size = 2; size <= 7 && size <= code->before; size++) {
		const uint8_t *call = code->at - size;

		if (call[0] == 0xff && indirect_call_size(call[1], size > 2 ? call[2] : 0) == size)
			return true;
	}
	return false;
}

/* Threads and programs whose C library has no CFI end in exit(2): mov $60 in one of its forms, then syscall. */
static bool exits(const struct code_bytes *code)
{
	enum { LOOK_AHEAD = 24, EXIT = 60 };
	size_t end = code->after < LOOK_AHEAD ? code->after : LOOK_AHEAD;
	bool is_exit = false;

	for (size_t i = 0; i + 1 < end; i++) {
		uint8_t opcode = code->at[i];

		/* mov $60,%al; mov $60,%eax; push $60 */
		if ((opcode == 0xb0 || opcode == 0xb8 || opcode == 0x6a) && code->at[i + 1] == EXIT)
			is_exit = true;
		if (is_exit && opcode == 0x0f && code->at[i + 1] == 0x05)
			return true;
	}
	return false;
}

/* glibc's clone() and clone3() have syscall; test %rax,%rax; two jumps; ret without CFI, as it would be wrong in the child. */
static size_t since_clone(const struct code_bytes *code)
{
	enum { SYSCALL_BYTES = 2, FARTHEST = 16 };
	static const uint8_t syscall[] = { 0x0f, 0x05 }, test_rax[] = { 0x48, 0x85, 0xc0 };

	for (int distance = 0; distance <= FARTHEST; distance++)
		if (arch_x86_has(code, -distance, syscall, sizeof(syscall)) &&
		    arch_x86_has(code, SYSCALL_BYTES - distance, test_rax, sizeof(test_rax)))
			return (size_t)distance;
	return SIZE_MAX;
}

/*
 * The function of makecontext() returns to the first instruction of __start_context, mov %rbx,%rsp, which ends in call exit; hlt
 * (glibc, sysdeps/unix/sysv/linux/x86_64/__start_context.S; longer with shadow stacks). That of Boost's make_fcontext() returns
 * to xor %rdi,%rdi; call _exit; hlt, which lies behind a jump.
 */
static bool begins_context(const struct code_bytes *code)
{
	enum { LOOK_AHEAD = 160, CALL_BYTES = 5, CALL = 0xe8, HLT = 0xf4 };
	static const uint8_t set_stack[] = { 0x48, 0x89, 0xdc }, no_error[] = { 0x48, 0x31, 0xff, CALL };
	struct code_bytes rest = *code;
	size_t end;

	if (arch_x86_has(code, 0, no_error, sizeof(no_error)))
		return code->after > sizeof(no_error) + 4 && code->at[sizeof(no_error) + 4] == HLT;
	if (arch_x86_has(&rest, 0, endbr64, sizeof(endbr64))) {
		rest.at += sizeof(endbr64);
		rest.after -= sizeof(endbr64);
	}
	if (rest.after < sizeof(set_stack) || memcmp(rest.at, set_stack, sizeof(set_stack)) != 0)
		return false;
	end = rest.after < LOOK_AHEAD ? rest.after : LOOK_AHEAD;
	for (size_t i = sizeof(set_stack); i + CALL_BYTES < end; i++)
		if (rest.at[i] == CALL && rest.at[i + CALL_BYTES] == HLT)
			return true;
	return false;
}

static int64_t direct_call(const struct code_bytes *code)
{
	enum { CALL_BYTES = 5, CALL = 0xe8 };
	int32_t relative;

	if (code->before < CALL_BYTES || code->at[-CALL_BYTES] != CALL)
		return 0;
	memcpy(&relative, code->at - sizeof(relative), sizeof(relative));
	return relative;
}

/* call *disp(%rip) with the word in the code; or movabs $address, %reg; call *%reg. */
static bool indirect_callee(const struct code_bytes *code, uint64_t *callee)
{
	enum { CALL_WORD_BYTES = 6, MOVABS_BYTES = 10 };
	static const uint8_t call_word[] = { 0xff, 0x15 };
	const bool is_high = code->after > 0 && code->at[0] == 0x41; /* %r8 to %r15 */
	const uint8_t *call = code->at + is_high, *set = code->at - MOVABS_BYTES;
	int32_t displacement;

	if (arch_x86_has(code, 0, call_word, sizeof(call_word)) && code->after >= CALL_WORD_BYTES) {
		memcpy(&displacement, code->at + sizeof(call_word), sizeof(displacement));
		if (displacement < 0 || code->after < CALL_WORD_BYTES + sizeof(*callee) ||
		    (size_t)displacement > code->after - CALL_WORD_BYTES - sizeof(*callee))
			return false;
		memcpy(callee, code->at + CALL_WORD_BYTES + displacement, sizeof(*callee));
		return true;
	}
	if (code->after < 2u + is_high || call[0] != 0xff || call[1] >> 3 != 0xd0 >> 3 ||
	    code->before < MOVABS_BYTES)
		return false;
	if (set[0] != (is_high ? 0x49 : 0x48) || set[1] != (0xb8 | (call[1] & 7)))
		return false;
	memcpy(callee, set + 2, sizeof(*callee));
	return true;
}

/* jmp *%reg: ff /4 with a register, preceded by REX.B for r8 and up, or by notrack. */
static uint8_t jump_register(const struct code_bytes *code)
{
	enum { NOTRACK = 0x3e, REX_B = 0x41, OPCODE = 0xff, JUMP = 0xe0, REGISTER_BITS = 7 };
	static const uint8_t numbers[] = { X86_64_RAX, X86_64_RCX, X86_64_RDX, X86_64_RBX,
					   X86_64_RSP, X86_64_RBP, X86_64_RSI, X86_64_RDI };
	size_t at = code->after && code->at[0] == NOTRACK;
	const bool is_high = at < code->after && code->at[at] == REX_B;
	uint8_t reg;

	at += is_high;
	if (code->after < at + 2 || code->at[at] != OPCODE || (code->at[at + 1] & ~REGISTER_BITS) != JUMP)
		return CODE_NO_REGISTER;
	reg = code->at[at + 1] & REGISTER_BITS;
	return is_high ? X86_64_R8 + reg : numbers[reg];
}

/* OpenJDK's interpreter loads its stack pointer from its frame like this in versions 8 to 21, and as below from 22 on. */
static const uint8_t set_sp[] = { 0x48, 0x8b, 0x65, 0xf0 }; /* mov -16(%rbp),%rsp */
/* mov -16(%rbp),%rcx; lea (%rbp,%rcx,8),%rsp */
static const uint8_t add_sp[] = { 0x48, 0x8b, 0x4d, 0xf0, 0x48, 0x8d, 0x64, 0xcd, 0 };

/*
 * OpenJDK's TemplateInterpreterGenerator::generate_return_entry_for() and generate_deopt_entry_for() load the interpreter's stack
 * pointer from its frame and store 0 in its place.
 */
static bool resumes_interpreter(const struct code_bytes *code)
{
	static const uint8_t clear[] = { 0x48, 0xc7, 0x45, 0xf0, 0, 0, 0, 0 }; /* movq $0,-16(%rbp) */
	struct code_bytes rest = *code;

	rest.before = 0;
	if (arch_x86_has(&rest, 0, set_sp, sizeof(set_sp))) {
		rest.at += sizeof(set_sp);
		rest.after -= sizeof(set_sp);
	} else if (arch_x86_has(&rest, 0, add_sp, sizeof(add_sp))) {
		rest.at += sizeof(add_sp);
		rest.after -= sizeof(add_sp);
	}
	return arch_x86_has(&rest, 0, clear, sizeof(clear));
}

static bool interpreter_sp(const struct code_bytes *code, uint64_t fp, uint64_t kept, uint64_t *sp)
{
	if (arch_x86_has(code, 0, set_sp, sizeof(set_sp)))
		*sp = kept;
	else if (arch_x86_has(code, 0, add_sp, sizeof(add_sp)))
		*sp = fp + 8 * kept;
	else
		return false;
	return resumes_interpreter(code);
}

/*
 * OpenJDK's InterpreterMacroAssembler::dispatch_base() is movabs $table,%r10; jmp *(%r10,%rbx,8). Up to OpenJDK 21
 * jump_from_interpreted() keeps the stack pointer in the frame and jumps to the method: lea 8(%rsp),%r13; mov %r13,-16(%rbp); jmp
 * *offset(%rbx).
 */
static bool is_interpreter_dispatch(const struct code_bytes *code)
{
	enum { MOVABS_BYTES = 10, KEEP_BYTES = 9 };
	static const uint8_t movabs_r10[] = { 0x49, 0xba }, jump[] = { 0x41, 0xff, 0x24, 0xda };
	static const uint8_t keep_sp[] = { 0x4c, 0x8d, 0x6c, 0x24, 8, 0x4c, 0x89, 0x6d, 0xf0 },
			     call_method[] = { 0xff, 0x63 };

	return (arch_x86_has(code, -MOVABS_BYTES, movabs_r10, sizeof(movabs_r10)) &&
		arch_x86_has(code, 0, jump, sizeof(jump))) ||
	       (arch_x86_has(code, -KEEP_BYTES, keep_sp, sizeof(keep_sp)) &&
		arch_x86_has(code, 0, call_method, sizeof(call_method)));
}

/* GHC's StgRun (rts/StgCRun.c): STG_RUN_STACK_FRAME_SIZE for six registers lies above RESERVED_C_STACK_BYTES. */
enum { HASKELL_FRAME_BYTES = 48, HASKELL_RESERVED_BYTES = 16384 };

#define HASKELL_SAVED(column_, slot)                                                                   \
	{                                                                                              \
		.kind = RULE_AT_CFA, .column = (column_), .value = 8 * (slot)-HASKELL_FRAME_BYTES - 8, \
	}

static const struct register_rule haskell_saved[] = {
	HASKELL_SAVED(X86_64_RBX, 0), HASKELL_SAVED(X86_64_R12, 2), HASKELL_SAVED(X86_64_R13, 3),
	HASKELL_SAVED(X86_64_R14, 4), HASKELL_SAVED(X86_64_R15, 5),
};

static const struct unwind_rule haskell_rule = {
	.cfa = { .kind = CFA_REGISTER,
		 .reg = X86_64_RSP,
		 .value = HASKELL_RESERVED_BYTES + HASKELL_FRAME_BYTES + 8 },
	.ra = { .kind = RULE_AT_CFA, .column = X86_64_RA, .value = -8 },
	.fp = HASKELL_SAVED(X86_64_RBP, 1),
	.others = haskell_saved,
	.other_count = sizeof(haskell_saved) / sizeof(*haskell_saved),
	.path = PATH_GENERAL,
};

static bool is_haskell_runner(const struct code_bytes *code)
{
	static const uint8_t start[] = {
		0x48, 0x83, 0xec, HASKELL_FRAME_BYTES, /* sub $48,%rsp */
		0x48, 0x89, 0xe0,                      /* mov %rsp,%rax */
		0x48, 0x81, 0xec, 0,
		0x40, 0,    0,          /* sub $16384,%rsp */
		0x48, 0x89, 0x18,       /* mov %rbx,(%rax) */
		0x48, 0x89, 0x68, 0x08, /* mov %rbp,8(%rax) */
		0x4c, 0x89, 0x60, 0x10, /* mov %r12,16(%rax) */
		0x4c, 0x89, 0x68, 0x18, /* mov %r13,24(%rax) */
		0x4c, 0x89, 0x70, 0x20, /* mov %r14,32(%rax) */
		0x4c, 0x89, 0x78, 0x28, /* mov %r15,40(%rax) */
	};

	return arch_x86_has(code, 0, start, sizeof(start));
}

bool arch_x86_does_nothing(const struct code_bytes *code)
{
	(void)code;
	return false;
}

/* call rel32, jmp rel32, lea disp32(%rip) (without its prefix): Intel SDM volume 2. */
enum { OPCODE_CALL = 0xe8, OPCODE_JMP = 0xe9, OPCODE_LEA = 0x8d };

static bool read_reference(const uint8_t *bytes, size_t size, size_t at, struct code_reference *found)
{
	enum { MODRM_RIP = 0x05, MODRM_WITHOUT_REGISTER = 0xc7 };
	const size_t length = bytes[at] == OPCODE_LEA ? 6 : 5;
	int32_t relative;

	if (size - at < length ||
	    (bytes[at] == OPCODE_LEA && (bytes[at + 1] & MODRM_WITHOUT_REGISTER) != MODRM_RIP))
		return false;
	memcpy(&relative, bytes + at + length - sizeof(relative), sizeof(relative));
	found->kind = bytes[at] == OPCODE_CALL ? CODE_REFERS_BY_CALL :
		      bytes[at] == OPCODE_JMP  ? CODE_REFERS_BY_JUMP :
						 CODE_REFERS_BY_ADDRESS;
	found->at = at;
	found->distance = (int64_t)length + relative;
	return true;
}

static bool find_reference(const uint8_t *bytes, size_t size, size_t at, size_t end,
			   struct code_reference *found)
{
	for (; at < end; at++)
		if (((bytes[at] & 0xfe) == OPCODE_CALL || bytes[at] == OPCODE_LEA) &&
		    read_reference(bytes, size, at, found))
			return true;
	return false;
}

const struct unwind_arch unwind_arch_x86_64 = {
	.name = "x86-64",
	.elf_machine = EM_X86_64,
	.word_bytes = 8,
	.sp = X86_64_RSP,
	.fp = X86_64_RBP,
	.ra = X86_64_RA,
	.register_count = X86_64_RA + 1,
	.callee_saved = 1u << X86_64_RBX | 1u << X86_64_RBP | 1u << X86_64_R12 | 1u << X86_64_R13 |
			1u << X86_64_R14 | 1u << X86_64_R15,
	.code_alignment_bytes = 1,
	.signal_trampoline = signal_trampoline,
	.jump_stub = jump_stub,
	.init_function = init_function,
	.entry_size = entry_size,
	.follows_call = arch_x86_follows_call,
	.does_nothing = arch_x86_does_nothing,
	.exits = exits,
	.since_clone = since_clone,
	.direct_call = direct_call,
	.indirect_callee = indirect_callee,
	.jump_register = jump_register,
	.resumes_interpreter = resumes_interpreter,
	.interpreter_sp = interpreter_sp,
	.is_interpreter_dispatch = is_interpreter_dispatch,
	.is_haskell_runner = is_haskell_runner,
	.haskell_rule = &haskell_rule,
	.begins_context = begins_context,
	.find_reference = find_reference,
	.plain_instruction = plain_instruction_x86_64,
	.read_instruction = code_instruction_x86_64,
};
