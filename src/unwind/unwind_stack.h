#ifndef XPROF_UNWIND_UNWIND_STACK_H
#define XPROF_UNWIND_UNWIND_STACK_H

/* The input and the result of unwinding one stack; unwinder.h does the walk. */

#include "unwind/arch/stack_memory.h"
#include "unwind/arch/unwind_arch.h"
#include "unwind/module.h"

/* The mapping around an address, in run-time addresses [start, end). */
struct unwind_mapping {
	uint64_t start;
	uint64_t end;
	uint64_t bias;         /* run-time address - bias = vaddr of the module */
	struct module *module; /* NULL: no unwind information (JIT code, anonymous memory) */
	bool executable;       /* as far as known; return addresses must point into an executable mapping */
};

/*
 * Sets found->bias for a mapping of the file of found->module at `file_offset`. If that part of the file is not in
 * a segment, sets found->module to NULL.
 */
void unwind_mapping_place(struct unwind_mapping *found, uint64_t file_offset);

/* Returns false if nothing is known to be mapped there. */
typedef bool unwind_find_mapping(void *context, uint64_t address, struct unwind_mapping *mapping);

struct unwind_input {
	const struct unwind_arch *arch;
	/*
	 * The sampled registers by DWARF number (unwind_arch.h), with a bit for each known one. sp is
	 * required. The pc is separate, because it has no number on some machines.
	 */
	struct unwind_registers registers;
	uint64_t pc;
	struct stack_memory stack; /* the copied bytes from the stack pointer upwards */
	uint64_t pac_mask; /* aarch64: the bits of a return address that hold its signature; 0: none */

	/*
	 * Finds the mapping of an address at the time of the sample. Equal values of `space` other than 0
	 * guarantee equal answers, so that mappings can be cached across samples; 0 guarantees nothing.
	 */
	unwind_find_mapping *find_mapping;
	void *context;
	uint64_t space;

	bool frame_pointers_only; /* follow only the chain of frame pointers; CFI only tells where it ends */
	bool guess; /* if nothing else finds a caller, scan the stack for a word that points behind a call
		       (UNWIND_HOW_GUESSED) */
};

/* How a frame was found. */
enum unwind_how {
	UNWIND_HOW_REGISTERS,     /* the sampled pc itself */
	UNWIND_HOW_CFI,           /* by a CFI row other than the frame-pointer step */
	UNWIND_HOW_FRAME_POINTER, /* by a CFI row such as CFA = fp + 16: exact */
	UNWIND_HOW_SIGNAL,        /* the pc that a signal interrupted */
	/*
	 * No CFI: by a frame pointer that passed all checks; the immediate caller may be missing. Also by a
	 * link register without CFI or against the CFI.
	 */
	UNWIND_HOW_UNPROVED_FP,
	UNWIND_HOW_CODE, /* no CFI: by the effect of the function's instructions; leads behind a call */
	/*
	 * likewise, assuming that calls on the way left the stack pointer unchanged, or that a jump goes where it
	 * seems to
	 */
	UNWIND_HOW_ASSUMED,
	UNWIND_HOW_GUESSED, /* nothing else found a caller: the next stack word that may be a return address */
	UNWIND_HOW_KERNEL_CHAIN, /* above the stack bytes: read by the kernel at the address of the return address
				    (stack_splice.h) */
};

struct unwind_frame {
	uint64_t address; /* run-time address without a signature; a return address points behind the call */
	uint8_t how;      /* enum unwind_how */
	bool is_return_address; /* false for an interrupted instruction, and for the code to which a coroutine's
				   function returns */
	bool joined;            /* from another stack of the thread (stack_joiner.h) */
	uint64_t sp;            /* the stack pointer of the frame; 0: unknown */
};

enum unwind_end {
	UNWIND_END_ROOT,            /* the first function of a thread: complete */
	UNWIND_END_STACK_EXHAUSTED, /* a needed word lies above the stack bytes: the dump was too short */
	UNWIND_END_NO_CFI, /* no CFI for the code at `at`, and frame pointers did not pass the checks */
	UNWIND_END_BAD_RETURN_ADDRESS, /* the return address points to nothing executable */
	/* the rule at `at` needs a word below the stack pointer, which no dump contains (OpenSSL's SHA) */
	UNWIND_END_BELOW_STACK,
	UNWIND_END_BAD_CFA, /* a frame that is not above the one before, not aligned, or far outside the stack */
	UNWIND_END_UNKNOWN_REGISTER, /* the rule at `at` needs a register that was not recorded or not saved */
	UNWIND_END_BAD_EXPRESSION,   /* the rule at `at` is an invalid expression */
	UNWIND_END_DEPTH_LIMIT,      /* no room for more frames */
	UNWIND_END_NO_REGISTERS,     /* neither pc nor sp known, or an unknown machine */
};

struct unwind_stack {
	struct unwind_frame *frames; /* the caller's array, leaf first */
	size_t capacity;
	size_t count;
	enum unwind_end end;
	uint64_t at;    /* the pc of the last frame, in the DSO that caused the end */
	uint64_t value; /* the value that was wrong: the return address, the CFA, or an address that could not
			   be read */
	uint64_t return_slot; /* STACK_EXHAUSTED: address of the missing return address; 0: another word was missing */
	bool by_frame_pointer; /* STACK_EXHAUSTED: no CFI for the code, but its frame pointer points there */
	size_t stack_bytes_used; /* number of stack bytes up to the highest one that was needed */
};

/*
 * Begins a walk: an empty stack at the sampled pc. Returns false if the walk cannot begin: no machine, no stack
 * pointer, or no room.
 */
bool unwind_stack_begin(struct unwind_stack *stack, const struct unwind_input *input);

/* "root", "stack exhausted" …: stable names, for messages and tests. */
const char *unwind_end_name(enum unwind_end end);
const char *unwind_how_name(enum unwind_how how);

#endif
