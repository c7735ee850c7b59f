#ifndef XPROF_TEST_SUPPORT_DUMPED_SAMPLE_H
#define XPROF_TEST_SUPPORT_DUMPED_SAMPLE_H

/*
 * A sample with a stack dump, of an x86-64 process that has nothing mapped: its stack is one frame, where it was sampled.
 * So it can be seen whose stack is whose, whichever thread has unwound it.
 */

#include "format/sample.h"

struct dumped_sample {
	struct sample sample;  /* points to what follows: not to be copied */
	uint64_t registers[9]; /* ax to sp, ip */
	uint64_t stack[4];
};

void dumped_sample_init(struct dumped_sample *dumped, uint64_t pc);

#endif
