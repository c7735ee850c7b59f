#ifndef XPROF_REPORT_SCRIPT_SCRIPT_LOSSES_H
#define XPROF_REPORT_SCRIPT_SCRIPT_LOSSES_H

/* Counts of what was printed, and what could not be. */

#include <stdint.h>

struct script_losses {
	uint64_t samples;               /* that passed the filters */
	uint64_t unknown_event_samples; /* whose id no event of the file has */
	uint64_t damaged_records;
	uint64_t late_records; /* that came behind later ones */
};

#endif
