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
	struct module *module; /* NULL: no file with unwind information (JIT code, anonymous memory) */
	bool executable; /* as far as is known; a return address must point into an executable mapping */
};

/*
 * Fills in the bias of a mapping of `found->module`'s file from `file_offset` on; where that is a part of the file
 * that is no code of it, it has no module.
 */
void unwind_mapping_place(struct unwind_mapping *found, uint64_t file_offset);

/* False when nothing is known to be mapped there. */
typedef bool unwind_find_mapping(void *context, uint64_t address, struct unwind_mapping *mapping);

struct unwind_input {
	const struct unwind_arch *arch;
	/*
	 * The sampled registers by DWARF number (unwind_arch.h), with the bit of each that is known. sp is
	 * needed. The pc goes apart: it has no number on all machines.
	 */
	struct unwind_registers registers;
	uint64_t pc;
	struct stack_memory stack; /* bytes from the stack pointer up, as many as there are */
	uint64_t pac_mask; /* aarch64: the bits of a return address that hold its signature; 0: none */

	/*
	 * Finds the mapping of an address at the time of the sample. Equal values of `space`, other than 0,
	 * promise equal answers, so that mappings found for one sample serve the next; 0 promises nothing.
	 */
	unwind_find_mapping *find_mapping;
	void *context;
	uint64_t space;

	bool frame_pointers_only; /* the chain from fp alone; CFI says no more than where it ends */
	bool guess; /* where nothing else leads on, scan the stack for what follows a call (UNWIND_HOW_GUESSED) */
};

/* How a frame was found. */
enum unwind_how {
	UNWIND_HOW_REGISTERS,     /* the sampled pc itself */
	UNWIND_HOW_CFI,           /* by a row that is not the frame-pointer step */
	UNWIND_HOW_FRAME_POINTER, /* by a row that says CFA = fp + 16 and the like: exact */
	UNWIND_HOW_SIGNAL,        /* the pc that a signal interrupted */
	/*
	 * No CFI: by a frame pointer that passed all checks; an immediate caller may be missing. Also by a link
	 * register without CFI, or against what its CFI says.
	 */
	UNWIND_HOW_UNPROVED_FP,
	UNWIND_HOW_CODE, /* no CFI: by what the function's instructions do, and to what follows a call */
	/* likewise, if a call on the way left the stack pointer where it was, or a jump leads where it seems to */
	UNWIND_HOW_ASSUMED,
	UNWIND_HOW_GUESSED, /* nothing else led on: the next word of the stack that may be a return address */
	UNWIND_HOW_KERNEL_CHAIN, /* read by the kernel, beyond the stack bytes, where it must be (stack_splice.h) */
};

struct unwind_frame {
	uint64_t address; /* run-time, without a signature; of a return address: as it is, behind the call */
	uint8_t how;      /* enum unwind_how */
	bool is_return_address; /* not where a signal hit, nor the code that a coroutine's function returns to */
	bool joined; /* not of this stack's bytes, but of another stack of the thread (stack_joiner.h) */
	uint64_t sp; /* the stack pointer there; 0: not known */
};

enum unwind_end {
	UNWIND_END_ROOT,            /* the first function of a thread: complete */
	UNWIND_END_STACK_EXHAUSTED, /* what is needed lies above the stack bytes: the dump was too short */
	UNWIND_END_NO_CFI, /* nothing describes the code at `at`, and frame pointers did not pass the checks */
	UNWIND_END_BAD_RETURN_ADDRESS, /* it points to nothing executable */
	UNWIND_END_BELOW_STACK, /* the rule at `at` needs a word below the stack pointer, which no dump holds (OpenSSL's SHA) */
	UNWIND_END_BAD_CFA, /* a frame that does not lie above the one before, is not aligned, or is far off the stack */
	UNWIND_END_UNKNOWN_REGISTER, /* the rule at `at` needs a register that was not recorded or not saved */
	UNWIND_END_BAD_EXPRESSION,   /* the rule at `at` is an expression that makes no sense */
	UNWIND_END_DEPTH_LIMIT,      /* as many frames as there was room for */
	UNWIND_END_NO_REGISTERS,     /* neither pc nor sp known, or an unknown machine */
};

struct unwind_stack {
	struct unwind_frame *frames; /* the caller's room, leaf first */
	size_t capacity;
	size_t count;
	enum unwind_end end;
	uint64_t at;    /* the pc of the last frame: whose DSO to blame */
	uint64_t value; /* what was wrong: the return address, CFA or address that could not be read */
	uint64_t return_slot; /* of STACK_EXHAUSTED: where the return address lies that was not there; 0: something else was */
	bool by_frame_pointer; /* of STACK_EXHAUSTED: nothing describes the code, whose frame pointer leads there */
	size_t stack_bytes_used; /* from the first byte to behind the last that was needed */
};

/*
 * Before a walk: an empty stack that ends at the sampled pc. False when there is nothing to begin with: no machine, no
 * stack pointer, no room.
 */
bool unwind_stack_begin(struct unwind_stack *stack, const struct unwind_input *input);

/* "root", "stack exhausted" …: stable names, for messages and tests. */
const char *unwind_end_name(enum unwind_end end);
const char *unwind_how_name(enum unwind_how how);

#endif
