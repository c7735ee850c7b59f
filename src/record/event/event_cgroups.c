/* Names are counted across all lists, as in perf, so "-e a -G x -e b -G y" means "-e a,b -G x,y". */
#include "record/event/event_cgroups.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

void event_cgroups_add(struct event_cgroups *cgroups, const char *text, size_t events_before)
{
	*ARRAY_ADD(cgroups->items, cgroups->count, cgroups->capacity) =
		(struct event_cgroup_list){ .text = text, .events_before = events_before };
}

void event_cgroups_fini(struct event_cgroups *cgroups)
{
	free(cgroups->items);
	*cgroups = (struct event_cgroups){ 0 };
}

static void set_cgroup(struct event_spec *spec, const char *name, size_t length)
{
	free(spec->cgroup);
	spec->cgroup = xstrndup(name, length);
}

static int refuse(const char *text, const char *name, size_t length, size_t number, size_t event_count,
		  struct error *err)
{
	if (event_count == 0)
		return error_set(err, "-G %s: there is no event before it; give -G after -e", text);
	return error_set(err, "-G %s: '%.*s' is for event %zu, and there %s only %zu before it", text,
			 (int)length, name, number + 1, event_count == 1 ? "is" : "are", event_count);
}

static int apply_list(struct event_cgroups *cgroups, const char *text, struct event_specs *specs,
		      struct error *err)
{
	const char *name = text;

	for (;;) {
		const size_t length = strcspn(name, ",");
		const size_t number = cgroups->name_count++;

		if (length && number >= specs->count)
			return refuse(text, name, length, number, specs->count, err);
		if (length)
			set_cgroup(&specs->items[number], name, length);
		if (length && cgroups->name_count == 1 && name[length] == '\0')
			for (size_t i = 1; i < specs->count; i++)
				set_cgroup(&specs->items[i], name, length);
		if (name[length] == '\0')
			return 0;
		name += length + 1;
	}
}

int event_cgroups_apply(struct event_cgroups *cgroups, size_t events_before, struct event_specs *specs,
			struct error *err)
{
	for (size_t i = 0; i < cgroups->count; i++)
		if (cgroups->items[i].events_before == events_before &&
		    apply_list(cgroups, cgroups->items[i].text, specs, err) < 0)
			return -1;
	return 0;
}
