#ifndef XPROF_FORMAT_LBR_STACK_H
#define XPROF_FORMAT_LBR_STACK_H

/*
 * Call stacks of the CPU (--call-graph lbr, PERF_SAMPLE_BRANCH_CALL_STACK): the branch stack of a sample holds the
 * user-space calls that have not returned yet, the latest first; at most as many as the CPU keeps, 8 to 32.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/perf_attr.h"
#include "format/sample.h"

/* Is the branch stack of the sample such a call stack? */
bool lbr_stack_is_in(const struct sample *sample, const struct perf_attr *attr);

/*
 * Finds out where another stack of the same sample (by frame pointers or unwound: the pc, then return addresses) goes on
 * beyond the `calls` calls of the CPU, the outermost of which is the instruction at `outermost`. Returns the number of the
 * first frame beyond them; `count` if the stack does not contain that call or ends with it.
 */
size_t lbr_stack_beyond(uint64_t outermost, size_t calls, const uint64_t *frames, size_t count);

#endif
