#ifndef XPROF_REPORT_LOAD_STACK_INTERNER_H
#define XPROF_REPORT_LOAD_STACK_INTERNER_H

/*
 * Turns run-time addresses into a stack of the profile: finds the mapping and the location of each address,
 * then the node of the stack.
 *
 * With many distinct stacks nearly all of the time is spent waiting for memory. So several stacks go through
 * each step together, while the memory for the next step is prefetched; profile_stack_path() tells where a
 * node is before its caller has been found. Only frames that differ from the previous stack of the process
 * are looked up.
 */

#include "process/process_table.h"
#include "profile/raw_profile.h"

struct stack_interner;

struct stack_frame {
	uint64_t address; /* run-time */
	uint8_t mode;     /* enum frame_mode */
	uint8_t origin;   /* enum frame_origin */
};

/* Borrows both. */
struct stack_interner *stack_interner_create(struct process_table *processes, struct raw_profile *profile);
void stack_interner_destroy(struct stack_interner *interner);

/*
 * Begins a stack of process `pid`, leaf first; the frames are copied. Returns its number, from 0 on. After
 * stack_interner_finish() all stacks that were begun have nodes, and the next stack is number 0 again.
 */
uint32_t stack_interner_begin(struct stack_interner *interner, const struct stack_frame *frames, size_t count,
			      const struct process_state *state, uint32_t pid, uint64_t time_ns);
void stack_interner_finish(struct stack_interner *interner);

/*
 * The node of the leaf of a finished stack; PROFILE_NONE if it has no frames. Call it before the next stack
 * is begun.
 */
uint32_t stack_interner_node(const struct stack_interner *interner, uint32_t number);

#endif
