/*
 * One function for each kind of event. A line has the name, or several with OR between them, and a
 * description.
 */
#include "record/event/event_list.h"

#include <dirent.h>
#include <fnmatch.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "record/event/named_event.h"
#include "record/event/tracepoint_fields.h"
#include "record/event/tracepoint_glob.h"

bool event_list_can_open(uint32_t type, uint64_t config)
{
	const struct perf_event_attr attr = { .type = type,
					      .size = PERF_ATTR_SIZE_VER0,
					      .config = config,
					      .disabled = 1,
					      .exclude_kernel = 1 };
	const long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

static size_t add_line(const struct event_list *list, const char *name, const char *what)
{
	if (list->pattern && fnmatch(list->pattern, name, 0) != 0)
		return 0;
	strbuf_addf(list->out, "  %-50s [%s]\n", name, what);
	return 1;
}

struct named_listing {
	const struct event_list *list;
	uint32_t type;
	const char *what;
	char names[256]; /* of the previous event, joined by OR; "" if there is none */
	uint64_t config;
	size_t count;
};

static void end_named(struct named_listing *listing)
{
	if (listing->names[0] && listing->list->is_there(listing->type, listing->config))
		listing->count += add_line(listing->list, listing->names, listing->what);
	listing->names[0] = '\0';
}

/* named_event_each() visits the names of one event one after the other. */
static bool take_named(const struct named_event *event, void *context)
{
	struct named_listing *listing = context;
	const size_t used = strlen(listing->names);

	if (event->type != listing->type)
		return false;
	if (used && event->config == listing->config) {
		snprintf(listing->names + used, sizeof(listing->names) - used, " OR %s", event->name);
		return false;
	}
	end_named(listing);
	listing->config = event->config;
	snprintf(listing->names, sizeof(listing->names), "%s", event->name);
	return false;
}

static size_t add_named(const struct event_list *list, uint32_t type, const char *what)
{
	struct named_listing listing = { .list = list, .type = type, .what = what };

	named_event_each(take_named, &listing);
	end_named(&listing);
	return listing.count;
}

/* An event may have further files NAME.scale, NAME.unit and NAME.snapshot. */
static int is_event_file(const struct dirent *entry)
{
	return !strchr(entry->d_name, '.');
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static size_t add_pmu(const struct event_list *list, const char *pmu)
{
	struct dirent **events;
	char path[PATH_MAX];
	size_t lines = 0;
	int count;

	snprintf(path, sizeof(path), "%s/%s/events", list->sources.pmu_directory, pmu);
	count = scandir(path, &events, is_event_file, alphasort);
	for (int i = 0; i < count; i++) {
		char *name = xasprintf("%s/%s/", pmu, events[i]->d_name);

		lines += add_line(list, name, "Kernel PMU event");
		free(name);
		free(events[i]);
	}
	if (count >= 0)
		free(events);
	return lines;
}

static size_t add_pmus(const struct event_list *list)
{
	struct dirent **pmus;
	size_t lines = 0;
	int count = scandir(list->sources.pmu_directory, &pmus, is_visible, alphasort);

	for (int i = 0; i < count; i++) {
		lines += add_pmu(list, pmus[i]->d_name);
		free(pmus[i]);
	}
	if (count >= 0)
		free(pmus);
	return lines;
}

static bool add_field(const char *name, size_t length, void *context)
{
	strbuf_addf(context, " %.*s", (int)length, name);
	return false;
}

static void add_fields(const struct event_list *list, const char *tracefs, const char *tracepoint)
{
	struct strbuf format = STRBUF_INIT;

	if (tracepoint_format_read(&format, tracefs, tracepoint, NULL) == 0) {
		strbuf_adds(list->out, "     ");
		tracepoint_fields_each(format.bytes, add_field, list->out);
		strbuf_addc(list->out, '\n');
	}
	strbuf_fini(&format);
}

static size_t add_tracepoints(const struct event_list *list)
{
	const char *tracefs = event_sources_find_tracefs(&list->sources);
	struct tracepoint_names names = { 0 };
	size_t lines = 0;

	if (!tracefs || tracepoint_glob_find(&names, tracefs, "*:*", NULL) < 0)
		return 0;
	for (size_t i = 0; i < names.count; i++) {
		if (!add_line(list, names.items[i], "Tracepoint event"))
			continue;
		lines++;
		if (list->fields)
			add_fields(list, tracefs, names.items[i]);
	}
	tracepoint_names_fini(&names);
	return lines;
}

size_t event_list_add(const struct event_list *list, enum event_kind kind)
{
	switch (kind) {
	case EVENT_KIND_HARDWARE: return add_named(list, PERF_TYPE_HARDWARE, "Hardware event");
	case EVENT_KIND_SOFTWARE: return add_named(list, PERF_TYPE_SOFTWARE, "Software event");
	case EVENT_KIND_CACHE: return add_named(list, PERF_TYPE_HW_CACHE, "Hardware cache event");
	case EVENT_KIND_PMU: return add_pmus(list);
	case EVENT_KIND_TRACEPOINT: return add_tracepoints(list);
	default: return 0;
	}
}
