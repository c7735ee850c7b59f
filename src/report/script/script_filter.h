#ifndef XPROF_REPORT_SCRIPT_SCRIPT_FILTER_H
#define XPROF_REPORT_SCRIPT_SCRIPT_FILTER_H

/* Selects the samples and records that xprof script prints. A list that was not given keeps everything. */

#include "format/sample.h"
#include "report/load/time_range.h"
#include "report/script/script_place.h"
#include "report/view/sample_choice.h"

struct script_filter {               /* all zero: everything passes */
	struct sample_choice choice; /* cgroups and stack are not used */
	struct time_ranges times;
	uint64_t address_range; /* --addr-range: addresses in choice.symbols stand for so many bytes */
};

bool script_filter_has_cpu(const struct script_filter *filter, uint32_t cpu);

/*
 * Tests thread, CPU and time. Event and wait have tests of their own, and so has the place, which is costly
 * to find.
 */
bool script_filter_passes(const struct script_filter *filter, const struct sample *sample, const char *comm);

bool script_filter_has_event(const struct script_filter *filter, const char *name);

/* Tests how the thread of a sample of that event waited. */
bool script_filter_has_wait(const struct script_filter *filter, const char *event_name,
			    const struct sample *sample);

/*
 * Tests the DSO and the function of the leaf. A function can be given by its name, by 0x and its start
 * address, or by the run-time address of the instruction, `ip`.
 */
bool script_filter_has_place(const struct script_filter *filter, const struct script_place *leaf,
			     uint64_t ip);

#endif
