#ifndef XPROF_UNWIND_GO_RULES_H
#define XPROF_UNWIND_GO_RULES_H

/*
 * Facts about Go code that its CFI lacks, because that is made for debuggers: where stacks begin, and where
 * code switches to another stack. They come from the table of functions that Go programs carry
 * (elf/go_functions.h).
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
	GO_SWITCH, /* GO_UNPROVED before the switch, and where a stack begins behind it: systemstack, mcall … */
	GO_CLONE, /* ordinary in the thread that makes another; the other one begins here */
};

/* At `vaddr`, or, of a return address, at the call in front of it. `code`: see module_code(). */
enum go_place go_place_of(const struct go_functions *functions, const struct unwind_arch *arch,
			  uint64_t vaddr, const struct code_bytes *code, bool is_return_address);

/*
 * Is the address, returned to as it may be, the first instruction of a function, which no call lies in front of? A
 * goroutine that calls C is left as if at that of systemstack_switch, which is where what C calls back returns to.
 */
bool go_place_was_not_called(const struct go_functions *functions, uint64_t vaddr);

/* By the table of frame sizes, of a program without CFI. NULL: that says nothing. */
const struct unwind_rule *go_rule_of(const struct go_functions *functions, const struct unwind_arch *arch,
				     struct rule_pool *pool, uint64_t vaddr);

#endif
