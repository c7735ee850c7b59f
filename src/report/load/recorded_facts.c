/*
 * Fills profile_facts.h from a perf.data file: facts about the machine from HEADER_HOSTNAME and similar
 * features, facts about events from their perf_event_attr.
 */
#include "report/load/recorded_facts.h"

#include <assert.h>
#include <linux/perf_event.h>

#include "profile/sample_keys.h"
#include "report/load/recorded_host.h"

enum { SAMPLE_WEIGHT_STRUCT = 1 << 24 }; /* PERF_SAMPLE_WEIGHT_STRUCT of Linux 5.12 */

/* The data that keys of samples are made from: one of these bits of sample_type suffices. Other keys need none. */
static const uint64_t key_sources[SAMPLE_KEY_COUNT] = {
	[SAMPLE_KEY_TIME] = PERF_SAMPLE_TIME,
	[SAMPLE_KEY_LOCAL_WEIGHT] = PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_WEIGHT] = PERF_SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_LOCAL_INS_LAT] = SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_INS_LAT] = SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_LOCAL_P_STAGE_CYC] = SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_P_STAGE_CYC] = SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_LOCAL_RETIRE_LAT] = SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_RETIRE_LAT] = SAMPLE_WEIGHT_STRUCT,
	[SAMPLE_KEY_TRANSACTION] = PERF_SAMPLE_TRANSACTION,
	[SAMPLE_KEY_CODE_PAGE_SIZE] = PERF_SAMPLE_CODE_PAGE_SIZE,
	[SAMPLE_KEY_DATA_PAGE_SIZE] = PERF_SAMPLE_DATA_PAGE_SIZE,
	[SAMPLE_KEY_PHYS_DADDR] = PERF_SAMPLE_PHYS_ADDR,
	[SAMPLE_KEY_MEM] = PERF_SAMPLE_DATA_SRC,
	[SAMPLE_KEY_SNOOP] = PERF_SAMPLE_DATA_SRC,
	[SAMPLE_KEY_TLB] = PERF_SAMPLE_DATA_SRC,
	[SAMPLE_KEY_LOCKED] = PERF_SAMPLE_DATA_SRC,
	[SAMPLE_KEY_BLOCKED] = PERF_SAMPLE_DATA_SRC,
	[SAMPLE_KEY_SYMBOL_DADDR] = PERF_SAMPLE_ADDR,
	[SAMPLE_KEY_DSO_DADDR] = PERF_SAMPLE_ADDR,
	[SAMPLE_KEY_STATE] = PERF_SAMPLE_RAW,
	[SAMPLE_KEY_WAIT] = PERF_SAMPLE_RAW,
	[SAMPLE_KEY_WAKER] = PERF_SAMPLE_RAW,
	[SAMPLE_KEY_WAIT_TIME] = PERF_SAMPLE_RAW,
	[SAMPLE_KEY_SYMBOL_FROM] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_SYMBOL_TO] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_DSO_FROM] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_DSO_TO] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_ADDR_FROM] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_ADDR_TO] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_SRCLINE_FROM] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_SRCLINE_TO] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_MISPREDICT] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_IN_TX] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_ABORT] = PERF_SAMPLE_BRANCH_STACK,
	[SAMPLE_KEY_CYCLES] = PERF_SAMPLE_BRANCH_STACK,
};

/* --- the machine and the command --------------------------------------------- */

static void learn_command(struct profile_facts *facts, const struct perf_features *features)
{
	const size_t count = features->command_line_count;
	const char **words = arena_alloc(&facts->texts, (count + 1) * sizeof(*words));

	for (size_t i = 0; i < count; i++)
		words[i] = profile_facts_text(facts, features->command_line[i]);
	facts->command_line = words;
	facts->command_line_count = count;
}

static void learn_machine(struct profile_facts *facts, const struct perf_features *features)
{
	facts->hostname = profile_facts_text(facts, features->hostname);
	facts->os_release = profile_facts_text(facts, features->os_release);
	facts->arch = profile_facts_text(facts, features->arch);
	facts->cpu_description = profile_facts_text(facts, features->cpu_description);
	facts->recorder = profile_facts_text(facts, features->perf_version);
	facts->cpus_online = features->cpus_online;
	facts->host = recorded_host_of(features);
	learn_command(facts, features);
}

/* --- events -------------------------------------------------------------------- */

static uint64_t sample_keys_of(const struct perf_attr *attr)
{
	uint64_t keys = 0;

	static_assert(SAMPLE_KEY_COUNT <= 64, "a bit for each");
	for (int key = 0; key < SAMPLE_KEY_COUNT; key++)
		if (!key_sources[key] || attr->sample_type & key_sources[key])
			keys |= (uint64_t)1 << key;
	return keys;
}

static void learn_stacks(struct profile_facts *facts, const struct perf_attr *attr)
{
	facts->has_callchains |= (attr->sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
	if (!(attr->sample_type & PERF_SAMPLE_STACK_USER))
		return;
	if (attr->sample_stack_user > facts->largest_dump_bytes)
		facts->largest_dump_bytes = attr->sample_stack_user;
	facts->has_copied_stacks |= perf_attr_has_copied_stacks(attr);
	facts->has_user_chains_beside_dump |= attr->sample_type & PERF_SAMPLE_CALLCHAIN &&
					      !perf_attr_has(attr, PERF_ATTR_EXCLUDE_CALLCHAIN_USER);
}

static void learn_events(struct profile_facts *facts, const struct perf_file *file)
{
	facts->event_count = perf_file_event_count(file);
	facts->events = arena_alloc(&facts->texts, (facts->event_count + 1) * sizeof(*facts->events));
	for (size_t i = 0; i < facts->event_count; i++) {
		const struct event_desc *event = perf_file_event(file, i);

		facts->events[i] =
			(struct event_facts){ .name = profile_facts_text(facts, event->name),
					      .is_tracepoint = event->attr.type == PERF_TYPE_TRACEPOINT,
					      .sample_keys = sample_keys_of(&event->attr) };
		learn_stacks(facts, &event->attr);
	}
}

/* --- everything ------------------------------------------------------------------ */

void recorded_facts_learn(struct profile_facts *facts, const struct perf_file *file)
{
	const struct perf_file_damage *damage = perf_file_damage(file);

	facts->path = profile_facts_text(facts, perf_file_path(file));
	facts->is_cut_off = damage->truncated;
	facts->is_unfinished = damage->unfinished;
	facts->skipped_records = damage->skipped_records;
	facts->has_hardware_traces = perf_file_has_trace(file);
	learn_machine(facts, perf_file_features(file));
	learn_events(facts, file);
}

void recorded_facts_learn_threads(struct profile_facts *facts, struct profile *profile,
				  struct process_table *processes)
{
	const uint32_t count = profile_thread_count(profile);
	uint32_t *names = arena_alloc(&facts->texts, ((size_t)count + 1) * sizeof(*names));

	for (uint32_t i = 0; i < count; i++) {
		const struct profile_thread *thread = profile_thread_at(profile, i);

		names[i] = profile_string(profile, process_table_comm(processes, thread->pid, thread->tid,
								      UINT64_MAX));
	}
	facts->thread_names = names;
}
