#ifndef XPROF_UNWIND_CODE_EXIT_H
#define XPROF_UNWIND_CODE_EXIT_H

/*
 * The rule for an instruction of a function of which it is not known where it begins: what a run-time compiler has made, and
 * described nowhere. The instructions are followed from there on, all ways, to a return: how far they move the stack pointer,
 * and which registers they restore. Ways without a call come first: a call may not return, or take its arguments off the stack.
 */

#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"

/*
 * Remembers the results of code_exit_rule() and code_exit_way(), and has room for their searches; for one thread at a time. It
 * comes with the bytes of code, which outlive it and stay what they are.
 */
struct code_exits *code_exits_create(void);
void code_exits_destroy(struct code_exits *exits);

/* Is the result for `code` remembered? */
bool code_exits_know(const struct code_exits *exits, const struct code_bytes *code);

/*
 * The number of a rule that is `by_code`: where no return is reached, but a jump to what is not known, it is a `tail` as well.
 * RULE_POOL_NO_CFI where there is neither.
 */
uint32_t code_exit_rule(const struct code_bytes *code, const struct unwind_arch *arch,
			struct rule_pool *pool);

enum { CODE_EXIT_MAX_CALLS = 8 };

struct code_exit_call {
	bool is_absolute; /* `target` is a run-time address */
	int64_t target;   /* from the instruction on that the way begins at */
};

/* The way from an instruction to a return, and what was called on it. */
struct code_exit_way {
	bool is_assumed; /* the rule for the instruction is: it holds if the calls leave the stack pointer where it was */
	bool leaves_stack; /* of a function's first instruction: it does so itself, if the calls do */
	bool has_jump; /* it has not come to the return: the function goes on farther away than the bytes are known */
	int64_t jump;          /* how far */
	bool has_unknown_call; /* beside `calls`, or more than there is room for */
	uint8_t call_count;
	struct code_exit_call calls[CODE_EXIT_MAX_CALLS];
};

/* False when there is no such way, or none that is certain but for its calls. */
bool code_exit_way(const struct code_bytes *code, const struct unwind_arch *arch, struct code_exit_way *way);

/* Is the instruction `distance` bytes behind that at `code` one of the same function, which begins at `code`? */
bool code_exit_reaches(const struct code_bytes *code, const struct unwind_arch *arch, size_t distance);

#endif
