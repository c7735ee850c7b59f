/* A set is an interned row of string numbers, one for each key. */

#include "profile/sample_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/str_pool.h"
#include "base/xalloc.h"
#include "profile/intern_table.h"

struct key_set {
	uint32_t texts[SAMPLE_KEY_COUNT]; /* 0 for keys that are not wanted */
};

struct field_names {
	uint32_t names[SAMPLE_KEY_MAX_FIELDS]; /* 0 if none */
};

struct sample_keys {
	struct sample_key_request request;
	struct str_pool *strings;
	struct intern_table sets;
	uint32_t *groups; /* by set; NULL until finished */
	struct field_names *fields;
	size_t event_count, event_capacity;
};

static bool sets_equal(const void *items, uint32_t item, const void *key)
{
	return memcmp((const struct key_set *)items + item, key, sizeof(struct key_set)) == 0;
}

static void init(struct sample_keys *keys)
{
	keys->strings = str_pool_create();
	intern_table_init(&keys->sets, sizeof(struct key_set), sets_equal);
}

static void fini(struct sample_keys *keys)
{
	str_pool_destroy(keys->strings);
	intern_table_fini(&keys->sets);
	free(keys->groups);
	free(keys->fields);
	keys->groups = NULL;
	keys->fields = NULL;
	keys->event_count = keys->event_capacity = 0;
}

struct sample_keys *sample_keys_create(const struct sample_key_request *request)
{
	struct sample_keys *keys = xcalloc(1, sizeof(*keys));

	keys->request = *request;
	init(keys);
	return keys;
}

void sample_keys_destroy(struct sample_keys *keys)
{
	if (!keys)
		return;
	fini(keys);
	free(keys);
}

void sample_keys_clear(struct sample_keys *keys)
{
	fini(keys);
	init(keys);
}

const struct sample_key_request *sample_keys_request(const struct sample_keys *keys)
{
	return &keys->request;
}

static uint64_t hash_set(const struct key_set *set)
{
	return hash_bytes(set->texts, sizeof(set->texts));
}

uint32_t sample_keys_add(struct sample_keys *keys, const char *const texts[SAMPLE_KEY_COUNT])
{
	struct key_set set = { { 0 } };

	for (int key = 0; key < SAMPLE_KEY_COUNT; key++)
		if (keys->request.wanted[key] && texts[key])
			set.texts[key] = str_pool_add(keys->strings, texts[key]);
	return 1 + intern_table_add(&keys->sets, hash_set(&set), &set);
}

uint32_t sample_keys_count(const struct sample_keys *keys)
{
	return (uint32_t)keys->sets.count;
}

static struct key_set *set_at(const struct sample_keys *keys, uint32_t set)
{
	return (struct key_set *)keys->sets.items + set - 1;
}

void sample_keys_set(struct sample_keys *keys, uint32_t set, enum sample_key key, const char *text)
{
	set_at(keys, set)->texts[key] = str_pool_add(keys->strings, text);
}

static struct key_set without_marks(const struct key_set *set)
{
	struct key_set rest = *set;

	rest.texts[SAMPLE_KEY_BRANCH_MARKS] = 0;
	return rest;
}

static bool groups_equal(const void *items, uint32_t item, const void *key)
{
	const struct key_set rest = without_marks((const struct key_set *)items + item);

	return sets_equal(&rest, 0, key);
}

void sample_keys_finish(struct sample_keys *keys)
{
	const uint32_t count = sample_keys_count(keys);
	struct hash_table index;

	free(keys->groups);
	keys->groups = xcalloc((size_t)count + 1, sizeof(*keys->groups));
	hash_table_init(&index);
	for (uint32_t set = 1; set <= count; set++) {
		const struct key_set compared = without_marks(set_at(keys, set));
		const uint64_t hash = hash_set(&compared);
		uint32_t first = hash_table_find(&index, hash, groups_equal, keys->sets.items, &compared);

		if (first == HASH_TABLE_NONE) {
			first = set - 1;
			hash_table_insert(&index, hash, first);
		}
		keys->groups[set] = first + 1;
	}
	hash_table_fini(&index);
}

uint32_t sample_keys_group(const struct sample_keys *keys, uint32_t set)
{
	return keys->groups ? keys->groups[set] : set;
}

const char *sample_keys_text(const struct sample_keys *keys, uint32_t set, enum sample_key key)
{
	return set ? str_pool_text(keys->strings, set_at(keys, set)->texts[key]) : "";
}

void sample_keys_name_field(struct sample_keys *keys, uint32_t event, enum sample_key key, const char *name)
{
	keys->fields =
		array_grow(keys->fields, &keys->event_capacity, (size_t)event + 1, sizeof(*keys->fields));
	while (keys->event_count <= event)
		keys->fields[keys->event_count++] = (struct field_names){ { 0 } };
	keys->fields[event].names[key - SAMPLE_KEY_FIELD] = str_pool_add(keys->strings, name);
}

const char *sample_keys_field_name(const struct sample_keys *keys, uint32_t event, enum sample_key key)
{
	const uint32_t name =
		event < keys->event_count ? keys->fields[event].names[key - SAMPLE_KEY_FIELD] : 0;

	return name ? str_pool_text(keys->strings, name) : NULL;
}
