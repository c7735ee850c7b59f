/*
 * The errno chooses the step. EACCES and EPERM restrict the event to user space. For an errno that is about
 * the event, a lower precise_ip is tried first; then EINVAL drops a feature, the others turn cycles into
 * cpu-clock. Any other errno is final. The caller opens the event again after each step.
 */
#include "record/event/event_fallback.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "record/event/event_attr.h"
#include "record/machine/attr_feature.h"

static void add_modifier(struct asked_event *event, char letter)
{
	char *name = xasprintf(strchr(event->name, ':') ? "%s%c" : "%s:%c", event->name, letter);

	free(event->name);
	event->name = name;
}

/* cycles -> cpu-clock, if there are no hardware counters. The name keeps the modifiers that cpu-clock has, too. */
static bool to_clock(struct asked_event *event, bool idle, struct strbuf *notices)
{
	char *cycles = event->name;

	if (!event_attr_fall_back_to_clock(&event->attr, idle))
		return false;
	event->name = xstrdup("cpu-clock");
	for (const char *letter = strchr(cycles, ':'); letter && *letter; letter++)
		if (strchr("ukh", *letter))
			add_modifier(event, *letter);
	strbuf_addf(
		notices,
		"%.*s: this machine has no hardware counters (a virtual machine?): recording %s instead\n",
		(int)strcspn(cycles, ":"), cycles, event->name);
	free(cycles);
	return true;
}

static bool to_user(struct asked_event *event, const struct fallback_options *options, struct strbuf *notices)
{
	const int paranoid_level = options->paranoid_level();

	if (event->attr.exclude_kernel || event->attr.exclude_user || paranoid_level <= 1)
		return false;
	event->attr.exclude_kernel = 1;
	event->attr.exclude_callchain_kernel = 1;
	event->attr.exclude_hv = 1;
	strbuf_addf(notices,
		    "%s: user space only, since kernel.perf_event_paranoid is %d; 'sysctl "
		    "kernel.perf_event_paranoid=1' or CAP_PERFMON lets the kernel be seen\n",
		    event->name, paranoid_level);
	add_modifier(event, 'u');
	return true;
}

bool event_fallback(struct asked_event *event, int open_errno, const struct fallback_options *options,
		    struct strbuf *notices)
{
	if (open_errno == EACCES || open_errno == EPERM)
		return to_user(event, options, notices);
	if (open_errno != EINVAL && open_errno != ENOENT && open_errno != ENODEV && open_errno != ENXIO &&
	    open_errno != EOPNOTSUPP)
		return false;
	if (event->attr.precise_ip && event->precise_max) {
		event->attr.precise_ip--;
		return true;
	}
	if (open_errno == EINVAL)
		return attr_feature_strip(&event->attr) != NULL;
	if (open_errno == EOPNOTSUPP && event->attr.precise_ip) /* the event exists, but is less precise */
		return false;
	return to_clock(event, options->idle, notices);
}
