#ifndef XPROF_REPORT_SCRIPT_SCRIPT_FILTER_H
#define XPROF_REPORT_SCRIPT_SCRIPT_FILTER_H

/* Selects the samples and records that xprof script prints. A list that was not given keeps everything. */

#include "format/sample.h"
#include "report/load/time_range.h"
#include "report/script/script_place.h"
#include "report/view/sample_choice.h"

struct script_filter {               /* all zero: everything passes */
	struct sample_choice choice; /* but for cgroups and stack */
	struct time_ranges times;
	uint64_t address_range; /* bytes behind each address among choice.symbols that are meant, too */
};

bool script_filter_has_cpu(const struct script_filter *filter, uint32_t cpu);

/* By all that is known of a sample but its function, which takes work to find out. */
bool script_filter_passes(const struct script_filter *filter, const struct sample *sample, const char *comm);

bool script_filter_has_event(const struct script_filter *filter, const char *name);

/* By how the thread of a sample of that event waited. */
bool script_filter_has_wait(const struct script_filter *filter, const char *event_name,
			    const struct sample *sample);

/*
 * By the DSO and the function that were sampled. A function is meant by its name, by 0x and the address where it begins,
 * or by that of the instruction at run time, `ip`.
 */
bool script_filter_has_place(const struct script_filter *filter, const struct script_place *leaf,
			     uint64_t ip);

#endif
