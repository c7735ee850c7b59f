#ifndef XPROF_UNWIND_GO_RULES_H
#define XPROF_UNWIND_GO_RULES_H

/*
 * Facts about Go code that its CFI lacks, because that is made for debuggers: where stacks begin, and where
 * code switches to another stack. They come from the function table in Go programs (elf/go_functions.h).
 */

#include "elf/go_functions.h"
#include "unwind/arch/rule_pool.h"
#include "unwind/arch/unwind_arch.h"

/*
 * A function that switches to another stack has correct CFI only before the switch, and the place of the
 * switch is unknown. So its frames count as unproved, and above a call in it the frame pointer is followed
 * (GO_NO_CFI), unless its instructions say from which register it restores the stack pointer.
 */
enum go_place {
	GO_ORDINARY,
	GO_ROOT,
	GO_NO_CFI,
	GO_UNPROVED,
	GO_SWITCH, /* GO_UNPROVED before the switch, the beginning of a stack behind it: systemstack, mcall … */
	GO_CLONE, /* ordinary in the thread that creates another; the new thread begins here */
};

/*
 * The kind of the place at `vaddr` or, for a return address, at the call in front of it. `code`: see
 * module_code().
 */
enum go_place go_place_of(const struct go_functions *functions, const struct unwind_arch *arch,
			  uint64_t vaddr, const struct code_bytes *code, bool is_return_address);

/*
 * Is this return address the first instruction of a function, without a call in front? A goroutine that calls C is
 * stored as if it were at the start of systemstack_switch, so callbacks from C return there.
 */
bool go_place_was_not_called(const struct go_functions *functions, uint64_t vaddr);

/* The rule from the table of frame sizes, for a program without CFI. NULL if the table has none. */
const struct unwind_rule *go_rule_of(const struct go_functions *functions, const struct unwind_arch *arch,
				     struct rule_pool *pool, uint64_t vaddr);

#endif
