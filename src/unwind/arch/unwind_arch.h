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
	size_t before; /* bytes known in front of `at` */
	size_t after;  /* bytes known from `at` on */
	/* may be NULL; caches decoded instructions for code_exit_rule() */
	struct instruction_cache *instructions;
	struct code_exits *exits; /* may be NULL; caches results of code_exit_rule() */
};

enum code_reference_kind { CODE_REFERS_BY_CALL, CODE_REFERS_BY_JUMP, CODE_REFERS_BY_ADDRESS };

struct code_reference {
	enum code_reference_kind kind;
	size_t at;        /* its first byte */
	int64_t distance; /* from `at` to the target */
};

enum {
	MAX_INIT_BYTES = 512
}; /* of _init: a call of 5 to 15 bytes for each library with initialisation code */

struct unwind_arch {
	const char *name;
	uint16_t elf_machine; /* EM_* */
	uint8_t sp;           /* DWARF register numbers */
	uint8_t fp;
	uint8_t word_bytes;     /* of a register that holds an address, and of what a call pushes */
	uint8_t ra;             /* column that compilers use for the return address */
	uint8_t register_count; /* registers from 0 that a caller can need */
	bool ra_is_register;    /* ra is a link register: if unspecified, it still holds the return address */
	uint64_t callee_saved;  /* bit n: register n survives a call */
	uint32_t code_alignment_bytes;
	/*
	 * The bits of a user return address that may hold its signature. No recorder stores which bits a machine uses
	 * (NT_ARM_PAC_MASK), but addresses have 48 bits unless a program asks for more, and the bits above are used for
	 * nothing else (Documentation/arch/arm64/pointer-authentication.rst; bit 55 and the top byte are not part of
	 * it).
	 */
	uint64_t signature_mask;

	/* The rule for `code` in a signal trampoline; NULL if it is in none. */
	const struct unwind_rule *(*signal_trampoline)(const struct code_bytes *code);
	/*
	 * The rule for a stub that jumps on without a frame (a PLT entry without CFI); NULL if it is not one.
	 */
	const struct unwind_rule *(*jump_stub)(const struct code_bytes *code);
	/*
	 * The rule for an instruction of _init or _fini, which the linker builds of pieces from many files,
	 * without CFI. `code.before` is the distance from the start of the function. NULL if `code` is behind
	 * its end, or if the function has an unknown layout.
	 */
	const struct unwind_rule *(*init_function)(const struct code_bytes *code);
	/* The size of the code at the entry point that runs before main and never returns. */
	size_t (*entry_size)(const struct code_bytes *entry);
	/* May `code` be a return address: is the instruction in front of it a call? */
	bool (*follows_call)(const struct code_bytes *code);
	/*
	 * The distance from the return address to the target of the direct call in front of it; 0 if there is
	 * no such call. NULL on machines without a link register.
	 */
	int64_t (*call_distance)(const struct code_bytes *code);
	/*
	 * The register that has the target of a jump at `code`; CODE_NO_REGISTER if it is not such a jump. NULL if the
	 * machine does not need it.
	 */
	uint8_t (*jump_register)(const struct code_bytes *code);
	/* Does the instruction do nothing, so that the rule behind it is valid here, too? */
	bool (*does_nothing)(const struct code_bytes *code);
	/* Does the code end the thread by exit, as in the first function of a thread? */
	bool (*exits)(const struct code_bytes *code);
	/*
	 * The distance in bytes from `code` back to an instruction that may have created a task with another
	 * stack, if the stack pointer was not changed since; SIZE_MAX if there is none. NULL on machines
	 * whose C libraries have CFI there.
	 */
	size_t (*since_clone)(const struct code_bytes *code);
	/* As call_distance, for proofs (code_proof.h). NULL on machines without them. */
	int64_t (*direct_call)(const struct code_bytes *code);
	/*
	 * The target of a call at `code` that is not direct: read from a word in the code, or from the instruction in
	 * front that loads a register. Returns false if it is unknown. NULL if the machine does not need it.
	 */
	bool (*indirect_callee)(const struct code_bytes *code, uint64_t *callee);
	/*
	 * Is `code` an entry of HotSpot's interpreter to which compiled code returns? The interpreter pushes this address and
	 * jumps, so there is no call in front of it.
	 */
	bool (*resumes_interpreter)(const struct code_bytes *code);
	/*
	 * The stack pointer that the interpreter's frame at `fp` had at the call that returns to `code`, computed
	 * from `kept`, the word below `fp` in which the frame keeps it. Returns false if `code` does not show the
	 * meaning of that word. NULL if the machine does not need it.
	 */
	bool (*interpreter_sp)(const struct code_bytes *code, uint64_t fp, uint64_t kept, uint64_t *sp);
	/* Is `code` the jump to the next bytecode in HotSpot's interpreter? If so, fp is that of the interpreter's frame. */
	bool (*is_interpreter_dispatch)(const struct code_bytes *code);
	/*
	 * Does GHC's StgRun begin at `code`? It jumps to compiled Haskell code, which has a stack of its own and does not
	 * change the stack pointer: `haskell_rule` is the rule for that code. Both may be NULL.
	 */
	bool (*is_haskell_runner)(const struct code_bytes *code);
	const struct unwind_rule *haskell_rule;
	/*
	 * Is `code` the place to which the first function of a coroutine returns? There is no call in front
	 * of it.
	 */
	bool (*begins_context)(const struct code_bytes *code);
	/*
	 * The first of bytes [at, end) that could begin an instruction with a reference to code; the whole instruction
	 * must be below `size`. Returns false if there is none. For searches that need not know where instructions
	 * begin. NULL if decoding all instructions is as fast.
	 */
	bool (*find_reference)(const uint8_t *bytes, size_t size, size_t at, size_t end,
			       struct code_reference *found);
	/* The size of an instruction that a search for functions can skip, see plain_instruction_x86.h. May be NULL. */
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

/* NULL if the machine is unknown. */
const struct unwind_arch *unwind_arch_find(uint16_t elf_machine);

/* The machine of the 32-bit programs that `arch` also runs; NULL if they cannot be unwound. */
const struct unwind_arch *unwind_arch_32bit(const struct unwind_arch *arch);

#endif
