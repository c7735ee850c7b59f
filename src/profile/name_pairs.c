/* There are only a few pairs, so they are scanned; weighted names may be as many as threads, so they have an index. */

#include "profile/name_pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define LARGE_PART 0.05

static void add_pair(struct name_pairs *pairs, char *before, char *after, bool found)
{
	struct name_pair *pair;

	pair = ARRAY_ADD(pairs->list, pairs->count, pairs->capacity);
	*pair = (struct name_pair){ .before = before, .after = after, .found = found };
	snprintf(pair->comm_before, COMM_SIZE, "%s", before);
	snprintf(pair->comm_after, COMM_SIZE, "%s", after);
}

int name_pairs_parse(struct name_pairs *pairs, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1])
		return error_set(err, "'%s' is not OLD=NEW", text);
	add_pair(pairs, xstrndup(text, (size_t)(equals - text)), xstrdup(equals + 1), false);
	return 0;
}

void name_pairs_fini(struct name_pairs *pairs)
{
	for (size_t i = 0; i < pairs->count; i++) {
		free(pairs->list[i].before);
		free(pairs->list[i].after);
	}
	free(pairs->list);
	*pairs = (struct name_pairs){ 0 };
}

const char *name_pairs_before(const struct name_pairs *pairs, const char *name)
{
	for (size_t i = 0; pairs && i < pairs->count; i++)
		if (!strcmp(pairs->list[i].after, name))
			return pairs->list[i].before;
	return name;
}

const char *name_pairs_after(const struct name_pairs *pairs, const char *name)
{
	for (size_t i = 0; pairs && i < pairs->count; i++)
		if (!strcmp(pairs->list[i].before, name))
			return pairs->list[i].after;
	return name;
}

const char *name_pairs_comm_before(const struct name_pairs *pairs, const char *name)
{
	for (size_t i = 0; pairs && i < pairs->count; i++)
		if (!strcmp(pairs->list[i].comm_after, name))
			return pairs->list[i].comm_before;
	return name;
}

const char *name_pairs_comm_after(const struct name_pairs *pairs, const char *name)
{
	for (size_t i = 0; pairs && i < pairs->count; i++)
		if (!strcmp(pairs->list[i].comm_before, name))
			return pairs->list[i].comm_after;
	return name;
}

/* --- found pairs ---------------------------------------------------------------- */

static bool has_name(const void *items, uint32_t item, const void *key)
{
	return !strcmp(((const struct named_weight *)items)[item].name, key);
}

static uint64_t hash_name(const char *name)
{
	return hash_bytes(name, strlen(name));
}

static struct named_weight *find_weight(const struct named_weights *weights, const char *name)
{
	const uint32_t found =
		hash_table_find(&weights->by_name, hash_name(name), has_name, weights->list, name);

	return found == HASH_TABLE_NONE ? NULL : &weights->list[found];
}

void named_weights_add(struct named_weights *weights, const char *name, double part)
{
	struct named_weight *known = find_weight(weights, name);

	if (known) {
		known->part += part;
		return;
	}
	hash_table_insert(&weights->by_name, hash_name(name), (uint32_t)weights->count);
	*ARRAY_ADD(weights->list, weights->count, weights->capacity) = (struct named_weight){ name, part };
}

void named_weights_fini(struct named_weights *weights)
{
	free(weights->list);
	hash_table_fini(&weights->by_name);
	*weights = (struct named_weights){ 0 };
}

/* The only name of a large part `here` that is not there. NULL if there is none, or more than one. */
static const char *lone_name(const struct named_weights *here, const struct named_weights *there)
{
	const char *name = NULL;

	for (size_t i = 0; i < here->count; i++) {
		if (here->list[i].part < LARGE_PART || find_weight(there, here->list[i].name))
			continue;
		if (name)
			return NULL;
		name = here->list[i].name;
	}
	return name;
}

void name_pairs_find(struct name_pairs *pairs, const struct named_weights *before,
		     const struct named_weights *after)
{
	const char *old = lone_name(before, after), *new = lone_name(after, before);

	if (!old || !new)
		return;
	for (size_t i = 0; i < pairs->count; i++)
		if (!strcmp(pairs->list[i].before, old) && !strcmp(pairs->list[i].after, new))
			return;
	add_pair(pairs, xstrdup(old), xstrdup(new), true);
}
