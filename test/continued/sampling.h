#ifndef XPROF_TEST_CONTINUED_SAMPLING_H
#define XPROF_TEST_CONTINUED_SAMPLING_H

/*
 * How both test programs sample: CPU time, with the call chain, the registers and `dump_bytes` of the stack, plus a copy by BPF.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "record/bpf/stack_copier.h"
#include "record/event/call_graph.h"

static inline struct stack_copier_plan sampling_plan(size_t ring_bytes, bool by_clock)
{
	return (struct stack_copier_plan){ .ring_bytes = ring_bytes,
					   .max_bytes = STACK_COPY_MAX,
					   .may_use_clock = by_clock,
					   .must_use_clock = by_clock };
}

static inline struct perf_event_attr sampling_attr(uint64_t frequency, uint32_t dump_bytes, bool by_clock)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE,
					 .size = sizeof(struct perf_event_attr),
					 .config = PERF_COUNT_SW_CPU_CLOCK,
					 .freq = 1,
					 .sample_freq = frequency,
					 .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
							PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
							PERF_SAMPLE_STACK_USER,
					 .sample_regs_user = call_graph_user_regs(),
					 .sample_stack_user = dump_bytes,
					 .sample_id_all = 1,
					 .use_clockid = by_clock,
					 .clockid = CLOCK_MONOTONIC };
}

#endif
