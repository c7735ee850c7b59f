#ifndef XPROF_TEST_SUPPORT_DUMPED_SAMPLE_H
#define XPROF_TEST_SUPPORT_DUMPED_SAMPLE_H

/*
 * A sample with a stack dump of an x86-64 process that has nothing mapped. Its stack has one frame, where it was sampled,
 * which shows whose stack it is, whichever thread has unwound it.
 */

#include "format/sample.h"

struct dumped_sample {
	struct sample sample;  /* points to the fields below: do not copy */
	uint64_t registers[9]; /* ax to sp, ip */
	uint64_t stack[4];
};

void dumped_sample_init(struct dumped_sample *dumped, uint64_t pc);

#endif
