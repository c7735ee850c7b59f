/* The directories in which the kernel describes its events, and functions for lists of events. */
#include "record/event/event_spec.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *const system_tracefs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing", NULL };

const struct event_sources event_sources_system = {
	.pmu_directory = "/sys/bus/event_source/devices",
	.tracefs = system_tracefs,
};

const char *event_sources_find_tracefs(const struct event_sources *sources)
{
	for (const char *const *directory = sources->tracefs; directory && *directory; directory++) {
		char path[512];
		struct stat status;

		snprintf(path, sizeof(path), "%s/events", *directory);
		if (stat(path, &status) == 0)
			return *directory;
		if (errno == EACCES)
			return *directory; /* it exists; a later read reports the error */
	}
	return NULL;
}

bool event_spec_is_cpu_clock(const struct event_spec *spec)
{
	return spec->type == PERF_TYPE_SOFTWARE && spec->config == PERF_COUNT_SW_CPU_CLOCK;
}

void event_spec_fini(struct event_spec *spec)
{
	free(spec->name);
	free(spec->tracepoint);
	free(spec->filter);
	free(spec->cgroup);
	free(spec->cpus);
}

void event_specs_group(struct event_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		specs->items[i].group_size = 0;
	if (specs->count > 1)
		specs->items[0].group_size = specs->count;
}

void event_specs_fini(struct event_specs *specs)
{
	for (size_t i = 0; i < specs->count; i++)
		event_spec_fini(&specs->items[i]);
	free(specs->items);
	*specs = (struct event_specs){ 0 };
}
