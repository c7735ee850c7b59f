#ifndef XPROF_UNWIND_CODE_EXIT_H
#define XPROF_UNWIND_CODE_EXIT_H

/*
 * Makes the rule for an instruction of a function with an unknown start, such as code of a run-time compiler without unwind
 * information. Follows the instructions along all paths to a return, and finds how far they move the stack pointer and which
 * registers they restore. Paths without a call are preferred: a callee may not return, or may remove its arguments from the
 * stack.
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"

/*
 * Caches the results of code_exit_rule() and code_exit_way(), and has memory for their searches. Not thread-safe. Pass it with
 * the bytes of code (struct code_bytes), which must outlive it or its code_exits_forget(), and must not change.
 */
struct code_exits *code_exits_create(void);
void code_exits_destroy(struct code_exits *exits);

/* Forgets all results, so that the bytes of code may be freed. */
void code_exits_forget(struct code_exits *exits);

/* Is the result for `code` cached? */
bool code_exits_know(const struct code_exits *exits, const struct code_bytes *code);

/*
 * Returns the number of a rule that is `by_code`. If no return is reached, but a jump to an unknown target, the rule is also a
 * `tail`. RULE_POOL_NO_CFI if neither is reached.
 */
uint32_t code_exit_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			struct rule_pool *pool);

enum { CODE_EXIT_MAX_CALLS = 8 };

struct code_exit_call {
	bool is_absolute; /* `target` is a run-time address */
	int64_t target;   /* distance from the first instruction of the path */
};

/* The path from an instruction to a return, and the calls on it. */
struct code_exit_way {
	bool is_assumed; /* the rule for the instruction is valid only if the calls keep the stack pointer */
	bool leaves_stack; /* at a function's first instruction: the function keeps the stack pointer, if its
			      calls do */
	bool has_jump;     /* the return was not reached: the function continues outside the known bytes */
	int64_t jump;      /* distance to that place */
	bool has_unknown_call; /* there are calls with unknown targets, or more than fit into `calls` */
	uint8_t call_count;
	struct code_exit_call calls[CODE_EXIT_MAX_CALLS];
};

/* Returns false if there is no such path, or none that is certain apart from its calls. */
bool code_exit_way(const struct code_bytes *code, const struct unwind_arch *arch, struct code_exit_way *way);

/* Does the function that begins at `code` contain the instruction `distance` bytes behind its start? */
bool code_exit_reaches(const struct code_bytes *code, const struct unwind_arch *arch, size_t distance);

#endif
