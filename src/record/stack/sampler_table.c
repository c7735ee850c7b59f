/* If all samplers have the same record layout, no lookup is needed. Otherwise a hash table maps ids to attrs. */
#include "record/stack/sampler_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static bool look_alike(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->sample_type == b->sample_type && a->sample_regs_user == b->sample_regs_user &&
	       a->branch_sample_type == b->branch_sample_type;
}

static const struct perf_event_attr *common_attr(const struct written_event *samplers, size_t sampler_count)
{
	for (size_t i = 1; i < sampler_count; i++)
		if (!look_alike(samplers[0].attr, samplers[i].attr))
			return NULL;
	return samplers[0].attr;
}

static bool has_id(const void *ids, uint32_t number, const void *id)
{
	return ((const struct sampler_id *)ids)[number].id == *(const uint64_t *)id;
}

static void add_ids(struct sampler_table *table, const struct written_event *sampler)
{
	if (!(sampler->attr->sample_type & PERF_SAMPLE_IDENTIFIER))
		return;
	table->ids = array_grow(table->ids, &table->capacity, table->count + sampler->id_count,
				sizeof(*table->ids));
	for (size_t i = 0; i < sampler->id_count; i++) {
		table->ids[table->count] =
			(struct sampler_id){ .id = sampler->ids[i], .attr = sampler->attr };
		hash_table_insert(&table->by_id, hash_u64(sampler->ids[i]), (uint32_t)table->count++);
	}
}

void sampler_table_init(struct sampler_table *table, const struct written_event *samplers,
			size_t sampler_count)
{
	*table = (struct sampler_table){ .common = common_attr(samplers, sampler_count) };
	hash_table_init(&table->by_id);
	for (size_t i = 0; !table->common && i < sampler_count; i++)
		add_ids(table, &samplers[i]);
}

void sampler_table_fini(struct sampler_table *table)
{
	hash_table_fini(&table->by_id);
	free(table->ids);
}

const struct perf_event_attr *sampler_table_find(const struct sampler_table *table, const uint8_t *record,
						 size_t size)
{
	const size_t place = sizeof(struct perf_event_header); /* PERF_SAMPLE_IDENTIFIER comes first */
	uint32_t number;
	uint64_t id;

	if (table->common || size < place + sizeof(id))
		return table->common;
	memcpy(&id, record + place, sizeof(id));
	number = hash_table_find(&table->by_id, hash_u64(id), has_id, table->ids, &id);
	return number == HASH_TABLE_NONE ? NULL : table->ids[number].attr;
}
