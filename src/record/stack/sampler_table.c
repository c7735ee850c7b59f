/* If all samplers have the same record layout, no lookup is needed. Otherwise a hash table maps ids to attrs. */
#include "record/stack/sampler_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"

static bool look_alike(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return a->sample_type == b->sample_type && a->sample_regs_user == b->sample_regs_user &&
	       a->branch_sample_type == b->branch_sample_type;
}

/*
 * If one event of a group asks for branch counters, the kernel writes them into the samples of the whole group:
 * intel_pmu_lbr_save_brstack(), arch/x86/events/intel/lbr.c.
 */
static void share_branch_counters(struct perf_event_attr *group, size_t count)
{
	uint64_t asked = 0;

	for (size_t i = 0; i < count; i++)
		asked |= group[i].branch_sample_type & BRANCH_COUNTERS;
	for (size_t i = 0; i < count; i++)
		group[i].branch_sample_type |= asked;
}

static struct perf_event_attr *copy_layouts(const struct written_event *samplers, size_t sampler_count)
{
	struct perf_event_attr *layouts = xcalloc(sampler_count, sizeof(*layouts));

	for (size_t i = 0; i < sampler_count; i++)
		layouts[i] = *samplers[i].attr;
	for (size_t i = 0; i < sampler_count; i++)
		if (samplers[i].group_size <= sampler_count - i)
			share_branch_counters(&layouts[i], samplers[i].group_size);
	return layouts;
}

static const struct perf_event_attr *common_layout(const struct perf_event_attr *layouts, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (!look_alike(&layouts[0], &layouts[i]))
			return NULL;
	return &layouts[0];
}

static bool has_id(const void *ids, uint32_t number, const void *id)
{
	return ((const struct sampler_id *)ids)[number].id == *(const uint64_t *)id;
}

static void add_ids(struct sampler_table *table, const struct written_event *sampler,
		    const struct perf_event_attr *layout)
{
	if (!(layout->sample_type & PERF_SAMPLE_IDENTIFIER))
		return;
	table->ids = array_grow(table->ids, &table->capacity, table->count + sampler->id_count,
				sizeof(*table->ids));
	for (size_t i = 0; i < sampler->id_count; i++) {
		table->ids[table->count] = (struct sampler_id){ .id = sampler->ids[i], .layout = layout };
		hash_table_insert(&table->by_id, hash_u64(sampler->ids[i]), (uint32_t)table->count++);
	}
}

void sampler_table_init(struct sampler_table *table, const struct written_event *samplers,
			size_t sampler_count)
{
	*table = (struct sampler_table){ .layouts = copy_layouts(samplers, sampler_count) };
	table->common = common_layout(table->layouts, sampler_count);
	for (size_t i = 0; !table->common && i < sampler_count; i++)
		add_ids(table, &samplers[i], &table->layouts[i]);
}

void sampler_table_fini(struct sampler_table *table)
{
	hash_table_fini(&table->by_id);
	free(table->ids);
	free(table->layouts);
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
	return number == HASH_TABLE_NONE ? NULL : table->ids[number].layout;
}
