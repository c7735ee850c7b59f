/* Each column of sample keys with the option of xprof record that fills it. */

#include "report/table/key_needs.h"

#include <string.h>

/* The recorded data, and the option that records it. NULL: every recording has it. */
static const char *const remedies[SAMPLE_KEY_COUNT] = {
#define WEIGHT_REMEDY "weights are recorded with 'xprof record -W'"
#define LATENCY_REMEDY "latencies are recorded with 'xprof record -W', where the CPU has them"
#define DATA_REMEDY "memory accesses are recorded with 'xprof record -d'"
#define WAIT_REMEDY "time off the CPU is recorded with 'xprof record --off-cpu'"
#define ADDRESS_REMEDY "data addresses are recorded with 'xprof record -d'"
#define BRANCH_REMEDY "branches are recorded with 'xprof record -b', where the CPU has them"
	[SAMPLE_KEY_TIME] = "times are recorded with 'perf record -T', and always by xprof",
	[SAMPLE_KEY_LOCAL_WEIGHT] = WEIGHT_REMEDY,
	[SAMPLE_KEY_WEIGHT] = WEIGHT_REMEDY,
	[SAMPLE_KEY_LOCAL_INS_LAT] = LATENCY_REMEDY,
	[SAMPLE_KEY_INS_LAT] = LATENCY_REMEDY,
	[SAMPLE_KEY_LOCAL_P_STAGE_CYC] = LATENCY_REMEDY,
	[SAMPLE_KEY_P_STAGE_CYC] = LATENCY_REMEDY,
	[SAMPLE_KEY_LOCAL_RETIRE_LAT] = LATENCY_REMEDY,
	[SAMPLE_KEY_RETIRE_LAT] = LATENCY_REMEDY,
	[SAMPLE_KEY_TRANSACTION] = "transactions are recorded with 'xprof record --transaction'",
	[SAMPLE_KEY_CODE_PAGE_SIZE] = "sizes of pages are recorded with 'xprof record --code-page-size'",
	[SAMPLE_KEY_DATA_PAGE_SIZE] = "sizes of pages are recorded with 'xprof record --data-page-size'",
	[SAMPLE_KEY_PHYS_DADDR] = "physical addresses are recorded with 'xprof record --phys-data'",
	[SAMPLE_KEY_MEM] = DATA_REMEDY,
	[SAMPLE_KEY_SNOOP] = DATA_REMEDY,
	[SAMPLE_KEY_TLB] = DATA_REMEDY,
	[SAMPLE_KEY_LOCKED] = DATA_REMEDY,
	[SAMPLE_KEY_BLOCKED] = DATA_REMEDY,
	[SAMPLE_KEY_SYMBOL_DADDR] = ADDRESS_REMEDY,
	[SAMPLE_KEY_DSO_DADDR] = ADDRESS_REMEDY,
	[SAMPLE_KEY_STATE] = WAIT_REMEDY,
	[SAMPLE_KEY_WAIT] = WAIT_REMEDY,
	[SAMPLE_KEY_WAKER] = WAIT_REMEDY,
	[SAMPLE_KEY_WAIT_TIME] = WAIT_REMEDY,
	[SAMPLE_KEY_SYMBOL_FROM] = BRANCH_REMEDY,
	[SAMPLE_KEY_SYMBOL_TO] = BRANCH_REMEDY,
	[SAMPLE_KEY_DSO_FROM] = BRANCH_REMEDY,
	[SAMPLE_KEY_DSO_TO] = BRANCH_REMEDY,
	[SAMPLE_KEY_ADDR_FROM] = BRANCH_REMEDY,
	[SAMPLE_KEY_ADDR_TO] = BRANCH_REMEDY,
	[SAMPLE_KEY_SRCLINE_FROM] = BRANCH_REMEDY,
	[SAMPLE_KEY_SRCLINE_TO] = BRANCH_REMEDY,
	[SAMPLE_KEY_MISPREDICT] = BRANCH_REMEDY,
	[SAMPLE_KEY_IN_TX] = BRANCH_REMEDY,
	[SAMPLE_KEY_ABORT] = BRANCH_REMEDY,
	[SAMPLE_KEY_CYCLES] = BRANCH_REMEDY,
};

int key_needs_check_accesses(const struct profile_facts *facts, struct error *err)
{
	if (profile_facts_have_key(facts, SAMPLE_KEY_MEM))
		return 0;
	return error_set(err,
			 "%s: --mem-mode: no sample is a memory access; record them with 'xprof record -d "
			 "-W' and a memory event",
			 facts->path);
}

int key_needs_check_branches(const struct profile_facts *facts, const char *option, struct error *err)
{
	/* The events of a pipe are known only when its records have been read. */
	if (facts->event_count == 0 || profile_facts_have_key(facts, SAMPLE_KEY_SYMBOL_FROM))
		return 0;
	return error_set(err, "%s: %s: no sample has branches; " BRANCH_REMEDY, facts->path, option);
}

static int no_column(const struct sample_key_field *field, struct error *err)
{
	return error_set(err, "--sort: " LAYOUT_NO_COLUMN, (int)strlen(field->name), field->name);
}

bool key_needs_lack_tracepoints(const struct layout *layout, const struct profile_facts *facts)
{
	return facts->event_count > 0 && !profile_facts_have_tracepoints(facts) &&
	       (layout->field_count || layout->samples.wanted[SAMPLE_KEY_TRACE]);
}

int key_needs_check(const struct layout *layout, const struct profile_facts *facts, struct error *err)
{
	/* The events of a pipe are known only when its records have been read. */
	if (facts->event_count == 0)
		return 0;
	for (size_t i = 0; i < layout->outputs.count; i++) {
		const enum column column = layout->outputs.items[i];
		enum sample_key key;

		if (!column_is_sample_key(column))
			continue;
		key = column_sample_key(column);
		if (remedies[key] && !profile_facts_have_key(facts, key))
			return error_set(err, "%s: column %s: no sample has it; %s", facts->path,
					 column_name(column), remedies[key]);
	}
	return 0;
}

static bool is_known(const struct sample_keys *keys, const struct profile_facts *facts, uint32_t field)
{
	for (size_t event = 0; event < facts->event_count; event++)
		if (sample_keys_field_name(keys, (uint32_t)event,
					   (enum sample_key)(SAMPLE_KEY_FIELD + field)))
			return true;
	return false;
}

int key_needs_check_fields(const struct layout *layout, const struct sample_keys *keys,
			   const struct profile_facts *facts, struct error *err)
{
	/* Without samples of tracepoints, their fields are not known. */
	if (profile_facts_have_tracepoints(facts) && !(keys && sample_keys_count(keys)))
		return 0;
	for (uint32_t i = 0; i < layout->field_count; i++)
		if (layout->samples.fields[i].name[0] && !(keys && is_known(keys, facts, i)))
			return no_column(&layout->samples.fields[i], err);
	return 0;
}
