/* Each column of sample keys with the bits of sample_type that it is made of. */

#include "report/table/key_needs.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/perf_abi.h"

enum { SAMPLE_WEIGHT_STRUCT = 1 << 24 }; /* PERF_SAMPLE_WEIGHT_STRUCT of Linux 5.12 */

static const struct key_need {
	uint64_t sample_types; /* one of them does */
	const char *remedy;    /* what is recorded, with which option */
} key_needs[SAMPLE_KEY_COUNT] = {
#define WEIGHT_NEED                                                                                      \
	{                                                                                                \
		PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT, "weights are recorded with 'xprof record -W'" \
	}
#define LATENCY_NEED                                                                            \
	{                                                                                       \
		SAMPLE_WEIGHT_STRUCT,                                                           \
			"latencies are recorded with 'xprof record -W', where the CPU has them" \
	}
#define DATA_NEED                                                                           \
	{                                                                                   \
		PERF_SAMPLE_DATA_SRC, "memory accesses are recorded with 'xprof record -d'" \
	}
#define ADDRESS_NEED                                                                   \
	{                                                                              \
		PERF_SAMPLE_ADDR, "data addresses are recorded with 'xprof record -d'" \
	}
	[SAMPLE_KEY_TIME] = { PERF_SAMPLE_TIME,
			      "times are recorded with 'perf record -T', and always by xprof" },
	[SAMPLE_KEY_LOCAL_WEIGHT] = WEIGHT_NEED,
	[SAMPLE_KEY_WEIGHT] = WEIGHT_NEED,
	[SAMPLE_KEY_LOCAL_INS_LAT] = LATENCY_NEED,
	[SAMPLE_KEY_INS_LAT] = LATENCY_NEED,
	[SAMPLE_KEY_LOCAL_P_STAGE_CYC] = LATENCY_NEED,
	[SAMPLE_KEY_P_STAGE_CYC] = LATENCY_NEED,
	[SAMPLE_KEY_LOCAL_RETIRE_LAT] = LATENCY_NEED,
	[SAMPLE_KEY_RETIRE_LAT] = LATENCY_NEED,
	[SAMPLE_KEY_TRANSACTION] = { PERF_SAMPLE_TRANSACTION,
				     "transactions are recorded with 'xprof record --transaction'" },
	[SAMPLE_KEY_CODE_PAGE_SIZE] = { PERF_SAMPLE_CODE_PAGE_SIZE,
					"sizes of pages are recorded with 'xprof record --code-page-size'" },
	[SAMPLE_KEY_DATA_PAGE_SIZE] = { PERF_SAMPLE_DATA_PAGE_SIZE,
					"sizes of pages are recorded with 'xprof record --data-page-size'" },
	[SAMPLE_KEY_PHYS_DADDR] = { PERF_SAMPLE_PHYS_ADDR,
				    "physical addresses are recorded with 'xprof record --phys-data'" },
	[SAMPLE_KEY_MEM] = DATA_NEED,
	[SAMPLE_KEY_SNOOP] = DATA_NEED,
	[SAMPLE_KEY_TLB] = DATA_NEED,
	[SAMPLE_KEY_LOCKED] = DATA_NEED,
	[SAMPLE_KEY_BLOCKED] = DATA_NEED,
	[SAMPLE_KEY_SYMBOL_DADDR] = ADDRESS_NEED,
	[SAMPLE_KEY_DSO_DADDR] = ADDRESS_NEED,
};

static uint64_t sample_types_of(const struct perf_file *file)
{
	uint64_t types = 0;

	for (size_t i = 0; i < perf_file_event_count(file); i++)
		types |= perf_file_event(file, i)->attr.sample_type;
	return types;
}

int key_needs_check_accesses(const struct perf_file *file, struct error *err)
{
	if (sample_types_of(file) & PERF_SAMPLE_DATA_SRC)
		return 0;
	return error_set(err,
			 "%s: --mem-mode: no sample is of a memory access; those are recorded with "
			 "'xprof record -d -W' and a memory event",
			 perf_file_path(file));
}

static bool has_tracepoints(const struct perf_file *file)
{
	for (size_t i = 0; i < perf_file_event_count(file); i++)
		if (perf_file_event(file, i)->attr.type == PERF_TYPE_TRACEPOINT)
			return true;
	return false;
}

static int no_column(const struct sample_key_field *field, struct error *err)
{
	return error_set(err, "--sort: " LAYOUT_NO_COLUMN, (int)strlen(field->name), field->name);
}

bool key_needs_lack_tracepoints(const struct layout *layout, const struct perf_file *file)
{
	return perf_file_event_count(file) > 0 && !has_tracepoints(file) &&
	       (layout->field_count || layout->samples.wanted[SAMPLE_KEY_TRACE]);
}

int key_needs_check(const struct layout *layout, const struct perf_file *file, struct error *err)
{
	const uint64_t types = sample_types_of(file);

	/* Of a pipe events become known with the records. */
	if (perf_file_event_count(file) == 0)
		return 0;
	for (size_t i = 0; i < layout->outputs.count; i++) {
		const enum column column = layout->outputs.items[i];
		const struct key_need *need;

		if (!column_is_sample_key(column))
			continue;
		need = &key_needs[column_sample_key(column)];
		if (need->sample_types && !(need->sample_types & types))
			return error_set(err, "%s: column %s: no sample says it; %s", perf_file_path(file),
					 column_name(column), need->remedy);
	}
	return 0;
}

static bool is_known(const struct sample_keys *keys, const struct perf_file *file, uint32_t field)
{
	for (size_t event = 0; event < perf_file_event_count(file); event++)
		if (sample_keys_field_name(keys, (uint32_t)event,
					   (enum sample_key)(SAMPLE_KEY_FIELD + field)))
			return true;
	return false;
}

int key_needs_check_fields(const struct layout *layout, const struct sample_keys *keys,
			   const struct perf_file *file, struct error *err)
{
	/* Without samples of tracepoints it is not known which fields these would have. */
	if (has_tracepoints(file) && !(keys && sample_keys_count(keys)))
		return 0;
	for (uint32_t i = 0; i < layout->field_count; i++)
		if (layout->samples.fields[i].name[0] && !(keys && is_known(keys, file, i)))
			return no_column(&layout->samples.fields[i], err);
	return 0;
}
