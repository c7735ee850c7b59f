#ifndef XPROF_REPORT_SCRIPT_SCRIPT_FILTER_H
#define XPROF_REPORT_SCRIPT_SCRIPT_FILTER_H

/* Which samples and records xprof script prints. A list that was not given keeps everything. */

#include "format/sample.h"
#include "report/load/time_range.h"
#include "report/script/script_place.h"
#include "report/view/sample_choice.h"

struct script_filter {               /* all zero: everything passes */
	struct sample_choice choice; /* but for event, DSOs, cgroups and stack */
	struct time_ranges times;
};

bool script_filter_has_cpu(const struct script_filter *filter, uint32_t cpu);

/* By all that is known of a sample but its function, which takes work to find out. */
bool script_filter_passes(const struct script_filter *filter, const struct sample *sample, const char *comm);

/* By the function that was sampled. */
bool script_filter_has_function(const struct script_filter *filter, const struct script_place *leaf);

#endif
