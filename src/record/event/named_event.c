/* A table of hardware and software events; names of cache events are composed by format/perf_attr. */
#include "record/event/named_event.h"

#include <linux/perf_event.h>

#include "format/perf_attr.h"

/* enum perf_hw_id and perf_sw_ids, under perf's names */
static const struct named_event named_events[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ },
	{ "context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS },
	{ "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY },
	{ "bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT },
	{ "cgroup-switches", PERF_TYPE_SOFTWARE, 11 }, /* PERF_COUNT_SW_CGROUP_SWITCHES, Linux 5.13 */
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
enum { EVENT_NAME_SIZE = 128 }; /* longer than any name of the kernel or of this file */

void named_event_each(bool (*visit)(const struct named_event *event, void *context), void *context)
{
	for (size_t i = 0; i < COUNT_OF(named_events); i++)
		if (visit(&named_events[i], context))
			return;
	/* enum perf_hw_cache_id, _op_id and _op_result_id: config = id | op << 8 | result << 16 */
	for (size_t cache = 0; cache < PERF_COUNT_HW_CACHE_MAX; cache++)
		for (size_t operation = 0; operation < PERF_COUNT_HW_CACHE_OP_MAX; operation++)
			for (unsigned int misses = 0; misses < 2; misses++) {
				char name[EVENT_NAME_SIZE];
				struct named_event event = {
					.name = name,
					.type = PERF_TYPE_HW_CACHE,
					.config = cache | operation << 8 | (uint64_t)misses << 16,
				};
				/* Without modifiers; perf_attr_name() adds none if guests are excluded. */
				const struct perf_attr attr = { .type = event.type,
								.config = event.config,
								.flags = 1 << PERF_ATTR_EXCLUDE_GUEST };

				perf_attr_name(&attr, name, sizeof(name));
				if (visit(&event, context))
					return;
			}
}
