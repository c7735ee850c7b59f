/* Sorts the recording's DSOs once by the strings that a profile has of them; a binary search then finds them. */
#include "report/load/recorded_dsos.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "process/process_table.h"

struct identity {
	const char *path, *name, *build_id;
};

static int compare(const struct identity *identity, const struct dso *dso)
{
	char hex[BUILD_ID_HEX_SIZE];
	int order = strcmp(identity->path, dso->path);

	if (order == 0)
		order = strcmp(identity->name, dso->name);
	return order ? order : strcmp(identity->build_id, build_id_hex(&dso->build_id, hex));
}

static int compare_dsos(const void *a, const void *b)
{
	const struct dso *dso = *(const struct dso *const *)a;
	char hex[BUILD_ID_HEX_SIZE];

	return compare(&(struct identity){ dso->path, dso->name, build_id_hex(&dso->build_id, hex) },
		       *(const struct dso *const *)b);
}

static int compare_key(const void *key, const void *item)
{
	return compare(key, *(const struct dso *const *)item);
}

void recorded_dsos_init(struct recorded_dsos *dsos, const struct loaded_profile *loaded)
{
	*dsos = (struct recorded_dsos){ .profile = loaded->profile,
					.count = loaded->processes ?
							 process_table_dso_count(loaded->processes) :
							 0 };
	dsos->items = xmalloc((dsos->count + 1) * sizeof(struct dso *));
	for (size_t i = 0; i < dsos->count; i++)
		dsos->items[i] = process_table_dso(loaded->processes, (uint32_t)i);
	qsort(dsos->items, dsos->count, sizeof(struct dso *), compare_dsos);
}

void recorded_dsos_fini(struct recorded_dsos *dsos)
{
	free(dsos->items);
}

const struct dso *recorded_dsos_find(const struct recorded_dsos *dsos, uint32_t profile_dso)
{
	const struct profile_dso *wanted = profile_dso_at(dsos->profile, profile_dso);
	const struct identity identity = { profile_text(dsos->profile, wanted->path),
					   profile_text(dsos->profile, wanted->name),
					   profile_text(dsos->profile, wanted->build_id) };
	const struct dso **found =
		bsearch(&identity, dsos->items, dsos->count, sizeof(struct dso *), compare_key);

	return found ? *found : NULL;
}
