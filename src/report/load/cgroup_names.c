/* Interns cgroups by id. A sample that comes before its cgroup's record gets the name "cgroup ID", and keeps it. */
#include "report/load/cgroup_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "profile/intern_table.h"

struct cgroup {
	uint64_t id;
	uint32_t name; /* string in the profile; 0: none yet */
};

struct cgroup_names {
	struct intern_table cgroups;
};

static bool same_id(const void *items, uint32_t item, const void *key)
{
	return ((const struct cgroup *)items + item)->id == ((const struct cgroup *)key)->id;
}

struct cgroup_names *cgroup_names_create(void)
{
	struct cgroup_names *names = xcalloc(1, sizeof(*names));

	intern_table_init(&names->cgroups, sizeof(struct cgroup), same_id);
	return names;
}

void cgroup_names_destroy(struct cgroup_names *names)
{
	if (!names)
		return;
	intern_table_fini(&names->cgroups);
	free(names);
}

static struct cgroup *cgroup_of(struct cgroup_names *names, uint64_t id)
{
	struct cgroup fresh = { .id = id };
	uint32_t number = intern_table_add(&names->cgroups, hash_u64(id), &fresh);

	return (struct cgroup *)names->cgroups.items + number;
}

int cgroup_names_learn(struct cgroup_names *names, const struct event *event, struct raw_profile *profile,
		       struct error *err)
{
	struct byte_reader r = event_payload(event);
	uint64_t id = byte_reader_u64(&r);
	const char *path = byte_reader_string(&r, byte_reader_left(&r));

	if (!byte_reader_ok(&r))
		return error_set(err, "the path of a cgroup is missing");
	cgroup_of(names, id)->name = raw_profile_string(profile, path);
	return 0;
}

uint32_t cgroup_names_find(struct cgroup_names *names, uint64_t id, struct raw_profile *profile)
{
	struct cgroup *cgroup = cgroup_of(names, id);
	char text[32];

	if (!cgroup->name) {
		snprintf(text, sizeof(text), "cgroup %" PRIu64, id);
		cgroup->name = raw_profile_string(profile, text);
	}
	return cgroup->name;
}
