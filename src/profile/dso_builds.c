/*
 * For each side a table of DSO names with one build-id and a flag that there are, or may be, several. A second recording with
 * another build-id, or with none, sets the flag, and then offsets in that DSO are not trusted.
 */
#include "profile/dso_builds.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/str_pool.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

/* A DSO on one side. */
struct side_dso {
	uint32_t name;
	uint32_t build_id; /* 0, the empty text, if not known */
	bool several;      /* builds, or perhaps several, because not all are known */
};

struct dso_builds {
	struct str_pool *texts;
	struct intern_table dsos[COMPARE_SIDES]; /* struct side_dso, by name */
};

static bool name_equal(const void *items, uint32_t item, const void *key)
{
	return ((const struct side_dso *)items)[item].name == ((const struct side_dso *)key)->name;
}

struct dso_builds *dso_builds_create(void)
{
	struct dso_builds *builds = xcalloc(1, sizeof(*builds));

	builds->texts = str_pool_create();
	for (int side = 0; side < COMPARE_SIDES; side++)
		intern_table_init(&builds->dsos[side], sizeof(struct side_dso), name_equal);
	return builds;
}

void dso_builds_destroy(struct dso_builds *builds)
{
	if (!builds)
		return;
	for (int side = 0; side < COMPARE_SIDES; side++)
		intern_table_fini(&builds->dsos[side]);
	str_pool_destroy(builds->texts);
	free(builds);
}

void dso_builds_add(struct dso_builds *builds, int side, const struct profile *profile)
{
	struct intern_table *dsos = &builds->dsos[side];

	for (uint32_t i = 0; i < profile_dso_count(profile); i++) {
		const struct profile_dso *dso = profile_dso_at(profile, i);
		const struct side_dso own = {
			.name = str_pool_add(builds->texts, profile_text(profile, dso->name)),
			.build_id = str_pool_add(builds->texts, profile_text(profile, dso->build_id)),
		};
		const size_t before = dsos->count;
		const uint32_t number = intern_table_add(dsos, hash_u64(own.name), &own);
		struct side_dso *known = (struct side_dso *)dsos->items + number;

		if (dsos->count == before && (!own.build_id || own.build_id != known->build_id))
			known->several = true;
	}
}

static const struct side_dso *find(const struct dso_builds *builds, int side, const char *name)
{
	const struct side_dso key = { .name = str_pool_find(builds->texts, name) };
	const uint32_t number = intern_table_find(&builds->dsos[side], hash_u64(key.name), &key);

	return number == UINT32_MAX ? NULL : (const struct side_dso *)builds->dsos[side].items + number;
}

bool dso_builds_agree(const struct dso_builds *builds, const struct name_pairs *pairs, int side,
		      const char *name)
{
	const char *other_name =
		side == COMPARE_BEFORE ? name_pairs_after(pairs, name) : name_pairs_before(pairs, name);
	const struct side_dso *own = find(builds, side, name);
	const struct side_dso *other = find(builds, COMPARE_SIDES - 1 - side, other_name);

	if (!own || own->several)
		return false;
	if (!other)
		return true;
	return !other->several && own->name == other->name && own->build_id &&
	       own->build_id == other->build_id;
}

void dso_builds_drop_nameless(const struct dso_builds *builds, const struct name_pairs *pairs, int side,
			      struct profile *profile)
{
	const uint32_t dso_count = profile_dso_count(profile);
	bool *agree = xcalloc((size_t)dso_count + 1, sizeof(*agree));

	for (uint32_t i = 0; i < dso_count; i++)
		agree[i] = dso_builds_agree(builds, pairs, side,
					    profile_text(profile, profile_dso_at(profile, i)->name));
	for (uint32_t i = 0; i < profile_location_count(profile); i++) {
		const struct profile_location *location = profile_location_at(profile, i);

		if (location->function != PROFILE_NONE && !profile_location_is_named(profile, location) &&
		    !agree[location->dso])
			profile_set_function(profile, i, PROFILE_NONE);
	}
	free(agree);
}
