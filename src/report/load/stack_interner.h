#ifndef XPROF_REPORT_LOAD_STACK_INTERNER_H
#define XPROF_REPORT_LOAD_STACK_INTERNER_H

/*
 * Run-time addresses -> a stack of the profile: where each of them lies in what its process has mapped, the location that
 * this is, and the node of all of them.
 *
 * Where there are many distinct stacks nearly all of the time is spent on waiting for memory. So several stacks go each
 * step of the way together, and what the next step needs is fetched meanwhile; a node's path (profile_stack_path()) says
 * where it is before its caller has been found. Of a stack only those frames are looked up that the one before of its
 * process did not have.
 */

#include "process/process_table.h"
#include "profile/raw_profile.h"

struct stack_interner;

struct stack_frame {
	uint64_t address; /* run-time */
	uint8_t mode;     /* enum frame_mode */
	uint8_t origin;   /* enum frame_origin */
};

/* Both outlive the interner. */
struct stack_interner *stack_interner_create(struct process_table *processes, struct raw_profile *profile);
void stack_interner_destroy(struct stack_interner *interner);

/*
 * A stack of a process in a state, leaf first; copied. The result is its number, from 0 on, until stack_interner_finish():
 * then all that were begun have nodes, and the next stack is number 0 again.
 */
uint32_t stack_interner_begin(struct stack_interner *interner, const struct stack_frame *frames, size_t count,
			      const struct process_state *state, uint32_t pid, uint64_t time_ns);
void stack_interner_finish(struct stack_interner *interner);

/* The leaf's node, of a finished stack, until another is begun. PROFILE_NONE without frames. */
uint32_t stack_interner_node(const struct stack_interner *interner, uint32_t number);

#endif
