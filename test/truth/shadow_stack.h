#ifndef XPROF_TEST_TRUTH_SHADOW_STACK_H
#define XPROF_TEST_TRUTH_SHADOW_STACK_H

/*
 * The callers, known from calls and returns alone: a call pushes the address
 * behind it and the stack slot that holds it; the slot lies below the stack
 * pointer once the frame is gone, whether by return, longjmp or a C++ throw.
 * A jump into another function makes no frame.
 *
 * Slots that lie below the stack pointer are kept until control is transferred
 * (return, indirect jump, call): vfork pops its return address and jumps to it
 * later, and longjmp sets the stack pointer before it jumps.
 *
 * A stack pointer outside of the current stack is another stack: an alternate
 * one for signals, or one of a context or coroutine.
 */

#include <stdbool.h>

#include "truth/instruction.h"

struct shadow_stack;

struct shadow_frame {
	uint64_t address;
	uint64_t slot;          /* where it lies on the stack */
	bool is_return_address; /* else the pc that a signal interrupted */
	uint64_t saved_at;      /* where a link register was saved to; 0: nowhere yet, or the slot itself */
};

struct shadow_bounds {
	uint64_t low; /* run-time addresses [low, high) of the stack's mapping */
	uint64_t high;
};

/* The first stack, without known callers: `complete` if there are none. */
struct shadow_stack *shadow_stack_create(struct shadow_bounds bounds, bool complete);
void shadow_stack_destroy(struct shadow_stack *stack);

/* After a step of the instruction: stack pointers before and behind it, and the address of what follows a call. */
void shadow_stack_step(struct shadow_stack *stack, struct instruction instruction, uint64_t sp_before,
		       uint64_t sp_after, uint64_t return_address);

/* After a step: the program is there now. A function that has put its return address away may go on there a second time. */
void shadow_stack_arrived(struct shadow_stack *stack, uint64_t pc, uint64_t sp);

/*
 * The same where calls leave the return address in a register, `link` after the step: a frame's slot is the stack
 * pointer at its call, and the stack pointer is back there when the frame is left, by return or by a jump that is
 * no tail call (which leaves the register what it was).
 */
void shadow_stack_link_step(struct shadow_stack *stack, struct instruction instruction, uint64_t sp_before,
			    uint64_t sp_after, uint64_t return_address, uint64_t link);

/* The link register has been stored there: that of the innermost function, if it is still what its call left. */
void shadow_stack_saved(struct shadow_stack *stack, uint64_t address, uint64_t link);

/* Before any of the following, and before frames are asked for: does the stack pointer lie in the current stack? */
bool shadow_stack_holds(const struct shadow_stack *stack, uint64_t sp);

/*
 * The stack pointer has left the current stack by an instruction, whose step is still to be told. Comes back to one
 * that is known, else a new one begins within `bounds`, without known callers.
 */
void shadow_stack_switch(struct shadow_stack *stack, uint64_t sp, struct shadow_bounds bounds);

/* Frames within `from` are within `to` now, at the same distance from its end. */
void shadow_stack_move(struct shadow_stack *stack, struct shadow_bounds from, struct shadow_bounds to);

/* No caller on the current stack is known any more. */
void shadow_stack_forget(struct shadow_stack *stack);

/*
 * A handler has been entered: its return address lies at `sp`, the interrupted pc in the slot of the saved
 * context. When the handler has a stack of its own, `bounds` are that stack's.
 */
void shadow_stack_signal(struct shadow_stack *stack, uint64_t sp, uint64_t trampoline, uint64_t pc_slot,
			 uint64_t interrupted_pc, struct shadow_bounds bounds);

/*
 * Copies the callers, innermost first, at most `capacity`; returns how many there are. `complete`: there are no
 * others. `here`: how many of them lie on the stack that the stack pointer is in, the rest on interrupted stacks.
 */
size_t shadow_stack_frames(const struct shadow_stack *stack, struct shadow_frame *frames, size_t capacity,
			   bool *complete, size_t *here);

/*
 * Has the stack pointer been moved for a jump that is still to come, so that the owner of this frame is unknown, or has a
 * return address been put away, so that it cannot be found?
 */
bool shadow_stack_in_transfer(const struct shadow_stack *stack, uint64_t sp);

/* Where the innermost frame returns to and the slot of that address. False when none is known. */
bool shadow_stack_top(const struct shadow_stack *stack, uint64_t *address, uint64_t *slot);

#endif
