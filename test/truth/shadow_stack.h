#ifndef XPROF_TEST_TRUTH_SHADOW_STACK_H
#define XPROF_TEST_TRUTH_SHADOW_STACK_H

/*
 * Tracks the callers by calls and returns alone: a call pushes the address behind it and the stack slot that holds it. The slot
 * lies below the stack pointer once the frame is gone, whether by return, longjmp or a C++ throw. A jump into another function
 * makes no frame.
 *
 * Slots below the stack pointer are kept until control is transferred (return, indirect jump, call): vfork pops its return
 * address and jumps to it later, and longjmp sets the stack pointer before it jumps.
 *
 * A stack pointer outside the current stack belongs to another stack: an alternate signal stack, or that of a context or
 * coroutine.
 */

#include <stdbool.h>

#include "truth/instruction.h"

struct shadow_stack;

struct shadow_frame {
	uint64_t address;
	uint64_t slot;          /* where the stack holds it */
	bool is_return_address; /* else the pc that a signal interrupted */
	uint64_t saved_at;      /* where the link register was saved; 0: nowhere yet, or in the slot itself */
};

struct shadow_bounds {
	uint64_t low; /* run-time addresses [low, high) of the stack's mapping */
	uint64_t high;
};

/* Creates the first stack, without known callers; `complete`: it has no callers at all. */
struct shadow_stack *shadow_stack_create(struct shadow_bounds bounds, bool complete);
void shadow_stack_destroy(struct shadow_stack *stack);

/* Call after each step, with the instruction, the stack pointers before and after it, and for a call the address behind it. */
void shadow_stack_step(struct shadow_stack *stack, struct instruction instruction, uint64_t sp_before,
		       uint64_t sp_after, uint64_t return_address);

/*
 * Call after each step, with the place that the program has reached. A function that put its return address away may return here
 * a second time.
 */
void shadow_stack_arrived(struct shadow_stack *stack, uint64_t pc, uint64_t sp);

/*
 * As shadow_stack_step(), for machines whose calls put the return address into a register; `link` is its value after the step. A
 * frame's slot is the stack pointer at its call. The frame is left when the stack pointer is back there, by return or by a jump
 * that is no tail call (a tail call leaves the register unchanged).
 */
void shadow_stack_link_step(struct shadow_stack *stack, struct instruction instruction, uint64_t sp_before,
			    uint64_t sp_after, uint64_t return_address, uint64_t link);

/* The link register was stored at the address. Counts for the innermost function, if the register is as its call left it. */
void shadow_stack_saved(struct shadow_stack *stack, uint64_t address, uint64_t link);

/* Does the stack pointer lie in the current stack? Call this before the following functions, and before asking for frames. */
bool shadow_stack_holds(const struct shadow_stack *stack, uint64_t sp);

/*
 * Call when an instruction has moved the stack pointer out of the current stack, before its step is passed. Returns to a known
 * stack, or begins a new one within `bounds`, without known callers.
 */
void shadow_stack_switch(struct shadow_stack *stack, uint64_t sp, struct shadow_bounds bounds);

/* The stack has moved: its frames within `from` now lie within `to`, at the same distance from its end. */
void shadow_stack_move(struct shadow_stack *stack, struct shadow_bounds from, struct shadow_bounds to);

/* Forgets all callers on the current stack. */
void shadow_stack_forget(struct shadow_stack *stack);

/*
 * A handler was entered: its return address lies at `sp`, the interrupted pc in the slot of the saved context. `bounds` are those
 * of the handler's stack, if it has its own.
 */
void shadow_stack_signal(struct shadow_stack *stack, uint64_t sp, uint64_t trampoline, uint64_t pc_slot,
			 uint64_t interrupted_pc, struct shadow_bounds bounds);

/*
 * Copies the callers, innermost first, at most `capacity`; returns how many there are. `complete`: there are no further callers.
 * `here`: how many lie on the stack of the stack pointer; the rest are on interrupted stacks.
 */
size_t shadow_stack_frames(const struct shadow_stack *stack, struct shadow_frame *frames, size_t capacity,
			   bool *complete, size_t *here);

/*
 * Was the stack pointer moved for a jump that is still to come, so that the owner of this frame is unknown, or was a return
 * address put away, so that it cannot be found?
 */
bool shadow_stack_in_transfer(const struct shadow_stack *stack, uint64_t sp);

/* The return address of the innermost frame and its slot. Returns false if none is known. */
bool shadow_stack_top(const struct shadow_stack *stack, uint64_t *address, uint64_t *slot);

#endif
