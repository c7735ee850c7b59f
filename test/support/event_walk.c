#include "support/event_walk.h"

#include <linux/perf_event.h>
#include <string.h>

#include "format/branch_entry.h"

static volatile uint64_t sink;

void event_walk_bytes(const void *bytes, size_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum += ((const uint8_t *)bytes)[i];
	sink = sum;
}

static void walk_text(const char *text)
{
	if (text)
		event_walk_bytes(text, strlen(text));
}

void event_walk_record(const struct event *event)
{
	union {
		struct mmap_record mmap;
		struct comm_record comm;
		struct task_record task;
		struct lost_record lost;
		struct ksymbol_record ksymbol;
		struct switch_record switching;
	} record;
	struct error err;
	char name[24];

	walk_text(event_type_name(event->type, name));
	event_walk_bytes(event->payload, event->payload_size);
	if (event_decode_mmap(event, &record.mmap, &err) == 0)
		walk_text(record.mmap.path);
	if (event_decode_comm(event, &record.comm, &err) == 0)
		walk_text(record.comm.comm);
	if (event_decode_ksymbol(event, &record.ksymbol, &err) == 0)
		walk_text(record.ksymbol.name);
	(void)event_decode_task(event, &record.task, &err);
	(void)event_decode_lost(event, &record.lost, &err);
	(void)event_decode_switch(event, &record.switching, &err);
}

static void walk_words(const struct sample *sample, const uint8_t *words, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += sample_word(sample, words, i);
	sink = sum;
}

int event_walk_sample(const struct event *event, const struct perf_attr *attr, struct sample *sample)
{
	struct sample_id id;
	struct error err;
	uint64_t value;

	(void)event_sample_id(event, attr, &id, &err);
	if (event->type != PERF_RECORD_SAMPLE || sample_decode(sample, event, attr, &err) != 0)
		return 0;
	walk_words(sample, sample->callchain, sample->callchain_count);
	for (size_t i = 0; i < sample->branch_count; i++)
		sink = sample_branch(sample, i).from;
	if (sample->branch_counters)
		walk_words(sample, sample->branch_counters, sample->branch_count);
	for (size_t i = 0; i < sample->read_count; i++)
		sink = sample_read_value(sample, attr, i).id;
	for (unsigned int reg = 0; reg < 70; reg++)
		if (sample_user_reg(sample, reg, &value) == 0)
			sink = value;
	if (sample->intr_regs)
		walk_words(sample, sample->intr_regs, (size_t)__builtin_popcountll(sample->intr_regs_mask));
	event_walk_bytes(sample->raw, sample->raw_size);
	event_walk_bytes(sample->user_stack, sample->user_stack_size);
	event_walk_bytes(sample->aux, sample->aux_size);
	return 1;
}

size_t event_walk_count(struct perf_file *file)
{
	struct event event;
	size_t count = 0;

	while (perf_file_next(file, &event, NULL) == 1)
		count++;
	return count;
}

void event_walk_features(const struct perf_features *features)
{
	walk_text(features->hostname);
	walk_text(features->os_release);
	walk_text(features->perf_version);
	walk_text(features->arch);
	walk_text(features->cpu_description);
	walk_text(features->cpu_id);
	for (size_t i = 0; i < features->build_id_count; i++)
		walk_text(features->build_ids[i].path);
	for (size_t i = 0; i < features->command_line_count; i++)
		walk_text(features->command_line[i]);
}
