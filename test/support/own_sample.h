#ifndef XPROF_TEST_SUPPORT_OWN_SAMPLE_H
#define XPROF_TEST_SUPPORT_OWN_SAMPLE_H

/*
 * A PERF_RECORD_SAMPLE of this process as the kernel would write it with --call-graph auto, and the state records of what
 * is mapped. On x86-64; elsewhere own_sample_is_possible() is false.
 */

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/strbuf.h"

enum { OWN_SAMPLE_CALLERS = 64, OWN_SAMPLE_TIME_NS = 10 };

struct own_sample_plan {
	const uint64_t *kernel_frames; /* of the chain, preceded by their marker */
	size_t kernel_count;
	size_t callers_known; /* number of callers in the chain of frame pointers, counted from the first */
	size_t skipped;       /* number of callers missing from it, counted from the first */
	size_t dump_bytes;    /* maximum; a multiple of 8 */
	uint64_t abi;         /* 0: PERF_SAMPLE_REGS_ABI_64 */
	uint32_t pid;         /* 0: this process */
};

struct own_sample {
	struct strbuf record;
	uint64_t pc;
	uint64_t callers[OWN_SAMPLE_CALLERS]; /* return addresses up to the start of the thread */
	size_t caller_count;
};

bool own_sample_is_possible(void);

/* The attr of the record. */
extern const struct perf_event_attr own_sample_attr;

void own_sample_init(struct own_sample *sample, const struct own_sample_plan *plan);
void own_sample_fini(struct own_sample *sample);

/* FORK, COMM and MMAP2 records of this process. */
void own_state_records(struct strbuf *records);

#endif
