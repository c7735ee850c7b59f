#ifndef XPROF_FORMAT_LBR_STACK_H
#define XPROF_FORMAT_LBR_STACK_H

/*
 * Call stacks of the CPU (--call-graph lbr, PERF_SAMPLE_BRANCH_CALL_STACK): the branch stack of a sample holds the calls of
 * user space that have not returned, the latest first; as many as the CPU keeps, 8 to 32.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/perf_attr.h"
#include "format/sample.h"

/* Does the sample's branch stack hold calls? */
bool lbr_stack_is_in(const struct sample *sample, const struct perf_attr *attr);

/*
 * Another stack of the same sample, by frame pointers or unwound: the function that runs first, then return addresses. The
 * number of the first frame that lies beyond so many calls, the outermost of which is the instruction at `outermost`; `count`
 * where the stack does not go beyond them, or does not have that call at all.
 */
size_t lbr_stack_beyond(uint64_t outermost, size_t calls, const uint64_t *frames, size_t count);

#endif
