#ifndef XPROF_UNWIND_UNWIND_ARCH_H
#define XPROF_UNWIND_UNWIND_ARCH_H

/*
 * The differences between machines: register numbers, registers that callees save, and the few instructions
 * that unwinding must recognise where no CFI describes them. Constant tables; the engine is the same for all.
 */

#include "unwind/arch/code_instruction.h"
#include "unwind/arch/unwind_rule.h"

/* Instruction bytes around an address, as far as they are known: [before, at) and [at, after). */
struct code_bytes {
	const uint8_t *at;
	size_t before;                          /* bytes known in front of `at` */
	size_t after;                           /* bytes known from `at` on */
	struct instruction_cache *instructions; /* may be NULL; what code_exit_rule() decodes goes through it */
	struct code_exits *exits;               /* may be NULL; remembers what code_exit_rule() finds */
};

enum code_reference_kind { CODE_REFERS_BY_CALL, CODE_REFERS_BY_JUMP, CODE_REFERS_BY_ADDRESS };

struct code_reference {
	enum code_reference_kind kind;
	size_t at;        /* its first byte */
	int64_t distance; /* from there to where it leads */
};

enum { MAX_INIT_BYTES = 512 }; /* of _init: a call of 5 to 15 bytes for each library that wants one */

struct unwind_arch {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t sp;           /* DWARF register numbers */
	uint8_t fp;
	uint8_t word_bytes;     /* of a register that holds an address, and of what a call pushes */
	uint8_t ra;             /* column that compilers use for the return address */
	uint8_t register_count; /* those that a caller can need, from 0 */
	bool ra_is_register;   /* a link register: unspecified means that it still holds the return address */
	uint64_t callee_saved; /* bit n: register n survives a call */
	uint32_t code_alignment_bytes;
	/*
	 * The bits of a user return address that may hold its signature. No recorder writes down which a machine
	 * uses (NT_ARM_PAC_MASK), but above the 48 bits that addresses have unless a program asks for more there is
	 * nothing else (Documentation/arch/arm64/pointer-authentication.rst; bit 55 and the top byte are no part of it).
	 */
	uint64_t signature_mask;

	/* The rule for a signal trampoline that `code` lies in; NULL when it does not. */
	const struct unwind_rule *(*signal_trampoline)(const struct code_bytes *code);
	/* The rule for a stub that jumps on without a frame (a PLT entry without CFI); NULL when it is none. */
	const struct unwind_rule *(*jump_stub)(const struct code_bytes *code);
	/*
	 * The rule for an instruction of _init or _fini, which are put together of pieces from many files and
	 * have no CFI. `code.before` says how far behind its start it lies. NULL when it lies behind its end,
	 * when it is not built as is known, or when nothing is.
	 */
	const struct unwind_rule *(*init_function)(const struct code_bytes *code);
	/* How much of the code at the entry point runs before main and leaves without returning. */
	size_t (*entry_size)(const struct code_bytes *entry);
	/* May `code` be a return address: is the instruction in front of it a call? */
	bool (*follows_call)(const struct code_bytes *code);
	/*
	 * Where the direct call in front of the return address goes, from that address on; 0 when it is no such
	 * call. NULL for machines that have no link register.
	 */
	int64_t (*call_distance)(const struct code_bytes *code);
	/* The register that a jump here goes to; CODE_NO_REGISTER: it is no such jump. NULL where that is not looked for. */
	uint8_t (*jump_register)(const struct code_bytes *code);
	/* An instruction that does nothing, so that what holds behind it holds here, too. */
	bool (*does_nothing)(const struct code_bytes *code);
	/* Does the code from here on leave by exit: the first function of a thread? */
	bool (*exits)(const struct code_bytes *code);
	/*
	 * The distance in bytes from `code` back to an instruction that may have created a task with another
	 * stack, if the code has not moved its own stack pointer since; SIZE_MAX: there is none. NULL on
	 * machines whose C libraries have CFI there.
	 */
	size_t (*since_clone)(const struct code_bytes *code);
	/*
	 * Where the direct call in front of a return address goes, from that address on; 0 when it is no such call.
	 * NULL where no rule asks.
	 */
	int64_t (*direct_call)(const struct code_bytes *code);
	/*
	 * Where the call at `code` goes whose target is no part of it: in the word that it names, or in the instruction in
	 * front of it. False where that is not known. NULL where no rule asks.
	 */
	bool (*indirect_callee)(const struct code_bytes *code, uint64_t *callee);
	/*
	 * Is `code` where HotSpot's interpreter has compiled code return to? It jumps there, with this address pushed before,
	 * so no call stands in front.
	 */
	bool (*resumes_interpreter)(const struct code_bytes *code);
	/*
	 * The stack pointer that the interpreter's frame at `fp` had when it called what returns to `code`, out of
	 * the word below `fp` that it keeps for this. False where `code` does not say what that word is. NULL where
	 * no rule asks.
	 */
	bool (*interpreter_sp)(const struct code_bytes *code, uint64_t fp, uint64_t kept, uint64_t *sp);
	/* Is `code` the jump to the next bytecode in HotSpot's interpreter? There the frame pointer is that of its frame. */
	bool (*is_interpreter_dispatch)(const struct code_bytes *code);
	/*
	 * Does GHC's StgRun begin at `code`? It jumps to what is compiled from Haskell, which has a stack of its own and leaves
	 * the stack pointer where StgRun put it: `haskell_rule` is the rule for that code. Both may be NULL.
	 */
	bool (*is_haskell_runner)(const struct code_bytes *code);
	const struct unwind_rule *haskell_rule;
	/* Does `code` begin with what a coroutine's first function returns to, which nothing has called? */
	bool (*begins_context)(const struct code_bytes *code);
	/*
	 * The first of bytes [at, end) that could begin an instruction that leads to code, all of it below `size`; false
	 * when none could. For a search that need not know where instructions begin. NULL where it is as quick to read
	 * them.
	 */
	bool (*find_reference)(const uint8_t *bytes, size_t size, size_t at, size_t end,
			       struct code_reference *found);
	/* The size of an instruction that no search for functions need look at, see plain_instruction_x86.h. NULL: none is known. */
	size_t (*plain_instruction)(const uint8_t *bytes, size_t size);
	/* Decodes the effect of the instruction at `bytes`; false if it is unknown. */
	bool (*read_instruction)(const uint8_t *bytes, size_t size, struct code_instruction *instruction);
};

/* System V psABI for x86-64, figure 3.36: DWARF register numbers. */
enum {
	X86_64_RAX,
	X86_64_RDX,
	X86_64_RCX,
	X86_64_RBX,
	X86_64_RSI,
	X86_64_RDI,
	X86_64_RBP,
	X86_64_RSP,
	X86_64_R8,
	X86_64_R9,
	X86_64_R10,
	X86_64_R11,
	X86_64_R12,
	X86_64_R13,
	X86_64_R14,
	X86_64_R15,
	X86_64_RA,
};

/* System V psABI for the Intel386 architecture, table 2.14: DWARF register numbers. */
enum { I386_EAX, I386_ECX, I386_EDX, I386_EBX, I386_ESP, I386_EBP, I386_ESI, I386_EDI, I386_RA };

/* DWARF for the Arm 64-bit Architecture, section 4.1. x0 to x30 are 0 to 30. */
enum { AARCH64_X18 = 18, AARCH64_X19, AARCH64_FP = 29, AARCH64_LR, AARCH64_SP, AARCH64_PC };

extern const struct unwind_arch unwind_arch_x86_64;
extern const struct unwind_arch unwind_arch_i386;
extern const struct unwind_arch unwind_arch_aarch64;

/* NULL for a machine that is not known. */
const struct unwind_arch *unwind_arch_find(uint16_t elf_machine);

/* Of the 32-bit programs that such a machine runs, too; NULL where those cannot be unwound. */
const struct unwind_arch *unwind_arch_32bit(const struct unwind_arch *arch);

#endif
