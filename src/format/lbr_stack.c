/*
 * A call and the return address of another stack are the same frame if the latter lies right behind the call instruction.
 * The stack may miss a frame of the calls (that of the innermost caller, in code without frame pointers), but no more
 * than one: if a recursion has several equal return addresses, the innermost one with enough frames before it for all
 * calls is used.
 */
#include "format/lbr_stack.h"

#include <linux/perf_event.h>

enum { INSTRUCTION_MAX_BYTES = 15 }; /* of x86; other machines have shorter ones */

bool lbr_stack_is_in(const struct sample *sample, const struct perf_attr *attr)
{
	return sample->branch_count && attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK;
}

size_t lbr_stack_beyond(uint64_t outermost, size_t calls, const uint64_t *frames, size_t count)
{
	for (size_t i = calls > 1 ? calls - 1 : 1; i < count; i++)
		if (frames[i] > outermost && frames[i] - outermost <= INSTRUCTION_MAX_BYTES)
			return i + 1;
	return count;
}
