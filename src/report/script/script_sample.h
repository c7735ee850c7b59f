#ifndef XPROF_REPORT_SCRIPT_SCRIPT_SAMPLE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_SAMPLE_H

#include "format/sample.h"
#include "report/script/script_place.h"
#include "report/script/script_writer.h"

/* A sample that is to be printed, with what filters had to find out already. */
struct script_sample {
	const struct sample *sample;
	size_t event; /* its number in the file */
	const struct event_desc *desc;
	uint64_t period;
	uint64_t state_time_ns; /* what the process table is asked with */
	const char *comm;
	struct script_place leaf;
};

#endif
