/*
 * Opens the event as it is, then (open_on_kind_of_core()) for each kind of core: a machine with several kinds
 * has a PMU for each.
 */
#include "record/event_place.h"

#include <errno.h>
#include <stdio.h>

#include "record/event/event_spec.h"
#include "record/machine/proc_file.h"

static int open_once(const struct event_place *place, const struct perf_event_attr *attr,
		     const struct perf_calls *calls)
{
	const unsigned long flags = PERF_FLAG_FD_CLOEXEC | (place->is_cgroup ? PERF_FLAG_PID_CGROUP : 0);

	return calls->open(attr, place->pid, place->cpu, place->group_fd, flags);
}

/*
 * A hardware event may have to name its PMU: the PMU's type is in the upper half of config (PERF_PMU_TYPE_SHIFT,
 * linux/perf_event.h). The cells of one event do not differ otherwise.
 */
static int open_on_kind_of_core(const struct event_place *place, const struct perf_event_attr *attr,
				const struct perf_calls *calls)
{
	static const char *const kinds[] = { "cpu_core", "cpu_atom", "cpu_lowpower" };

	if ((attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_HW_CACHE) || attr->config >> 32)
		return -1;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct perf_event_attr of_kind = *attr;
		char path[128];
		long long type;
		int fd;

		snprintf(path, sizeof(path), "%s/%s/type", event_sources_system.pmu_directory, kinds[i]);
		if (proc_file_read_number(path, &type, NULL) < 0)
			continue;
		of_kind.config |= (uint64_t)type << 32;
		fd = open_once(place, &of_kind, calls);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

int event_place_open(const struct event_place *place, const struct perf_event_attr *attr,
		     const struct perf_calls *calls)
{
	int fd = open_once(place, attr, calls);
	const int open_errno = errno;

	if (fd < 0 && open_errno == ENOENT)
		fd = open_on_kind_of_core(place, attr, calls);
	errno = open_errno;
	return fd;
}
