#ifndef XPROF_REPORT_SCRIPT_SCRIPT_SAMPLE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_SAMPLE_H

#include "format/sample.h"
#include "report/script/script_place.h"
#include "report/script/script_writer.h"

/* A sample to print, with everything that filters have found already. */
struct script_sample {
	const struct sample *sample;
	size_t event; /* its number in the file */
	const struct event_desc *desc;
	uint64_t period;
	uint64_t state_time_ns; /* for look-ups in the process table */
	const char *comm;
	struct script_place leaf;
};

#endif
