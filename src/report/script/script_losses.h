#ifndef XPROF_REPORT_SCRIPT_SCRIPT_LOSSES_H
#define XPROF_REPORT_SCRIPT_SCRIPT_LOSSES_H

/* Counts of samples printed, and of records that could not be. */

#include <stdint.h>

struct script_losses {
	uint64_t samples;               /* samples that passed the filters */
	uint64_t unknown_event_samples; /* samples with an id of no event in the file */
	uint64_t damaged_records;
	uint64_t late_records; /* records that came after one with a later time */
};

#endif
