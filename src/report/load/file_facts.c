/* Each fact comes from the features or from the attr of the first event; nothing is kept here. */
#include "report/load/file_facts.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "format/perf_abi.h"

void file_facts_learn_build_ids(const struct perf_file *file, struct process_table *processes)
{
	const struct perf_features *features = perf_file_features(file);

	for (size_t i = 0; i < features->build_id_count; i++) {
		const struct build_id_entry *entry = &features->build_ids[i];
		uint16_t cpumode = entry->misc & RECORD_MISC_CPUMODE_MASK;
		struct build_id build_id = { .size = entry->build_id_size };

		if (cpumode == PERF_RECORD_MISC_GUEST_KERNEL || cpumode == PERF_RECORD_MISC_GUEST_USER)
			continue;
		memcpy(build_id.bytes, entry->build_id, entry->build_id_size);
		process_table_build_id(processes, entry->path, &build_id);
	}
}

bool file_facts_is_this_machine(const struct perf_file *file)
{
	const struct perf_features *features = perf_file_features(file);
	struct utsname here;

	return features->hostname && features->os_release && uname(&here) == 0 &&
	       strcmp(features->hostname, here.nodename) == 0 &&
	       strcmp(features->os_release, here.release) == 0;
}

bool file_facts_clock_is_monotonic(const struct perf_file *file)
{
	const struct perf_attr *attr = perf_file_event_count(file) ? &perf_file_event(file, 0)->attr : NULL;

	return attr && perf_attr_has(attr, PERF_ATTR_USE_CLOCKID) && attr->clockid == CLOCK_MONOTONIC;
}
