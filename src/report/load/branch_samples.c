/* A branch does not tell the privilege levels of its ends, so each end is looked up in the process first, as in perf. */
#include "report/load/branch_samples.h"

#include <linux/perf_event.h>

#include "format/branch_entry.h"
#include "format/perf_abi.h"

struct branch_place branch_place_find(struct process_table *processes, uint32_t pid, uint64_t time_ns,
				      uint64_t address)
{
	struct branch_place place = { .address = address };
	struct mapping mapping;

	if (process_table_find(processes, pid, time_ns, ADDRESS_USER, address, &mapping) != 1) {
		if (process_table_find(processes, pid, time_ns, ADDRESS_KERNEL, address, &mapping) != 1)
			return place;
		place.is_kernel = true;
	}
	place.dso = mapping.dso;
	place.address = mapping_to_dso_address(&mapping, address);
	return place;
}

void branch_sample_make(struct stream_sample *branch, const struct stream_sample *of, size_t number,
			struct process_table *processes)
{
	const struct branch_entry entry = sample_branch(&of->sample, number);
	struct sample *sample = &branch->sample;
	const bool is_kernel = branch_place_find(processes, of->sample.pid, of->time_ns, entry.to).is_kernel;

	*branch = *of;
	branch->period = 1;
	branch->is_counter = false;
	sample->branches += number * BRANCH_ENTRY_BYTES;
	sample->branch_count = 1;
	sample->branch_counters = NULL;
	sample->ip = entry.to;
	sample->period = 1;
	sample->misc = (uint16_t)((sample->misc & ~RECORD_MISC_CPUMODE_MASK) |
				  (is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER));
	sample->callchain = NULL;
	sample->callchain_count = 0;
	sample->user_regs_abi = 0;
	sample->user_stack = NULL;
	sample->user_stack_size = 0;
	sample->present &=
		~(uint64_t)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
}
