/*
 * A perf.data of any bytes: opened, walked, every record decoded by everything
 * that decodes it. What claims to be a pipe is read as one too, and must give
 * the same records. Seeds: the files of test/data and of the corpus.
 */

#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/perf_file.h"
#include "format/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct totals {
	uint64_t records, record_bytes, samples, periods;
};

static volatile uint64_t sink;

static void touch_words(const struct sample *sample, const uint8_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sink += sample_word(sample, words, i);
}

static void touch_bytes(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sink += bytes[i];
}

static void use_sample(const struct sample *sample, const struct perf_attr *attr)
{
	uint64_t value;

	touch_words(sample, sample->callchain, sample->callchain_count);
	touch_words(sample, sample->branches, sample->branch_count * 3);
	if (sample->branch_counters)
		touch_words(sample, sample->branch_counters, sample->branch_count);
	for (size_t i = 0; i < sample->read_count; i++)
		sink += sample_read_value(sample, attr, i).id;
	for (unsigned int reg = 0; reg < 70; reg++)
		if (sample_user_reg(sample, reg, &value) == 0)
			sink += value;
	touch_bytes(sample->raw, sample->raw_size);
	touch_bytes(sample->user_stack, sample->user_stack_size);
	touch_bytes(sample->aux, sample->aux_size);
}

static void use_event(const struct perf_file *file, const struct event *event, struct totals *totals)
{
	size_t number = perf_file_event_of(file, event);
	union {
		struct mmap_record mmap;
		struct comm_record comm;
		struct task_record task;
		struct lost_record lost;
		struct ksymbol_record ksymbol;
		struct switch_record switching;
	} record;
	struct sample_id id;
	struct sample sample;
	struct error err;
	char name[24];

	touch_bytes((const uint8_t *)event_type_name(event->type, name), 1);
	touch_bytes(event->payload, event->payload_size);
	if (event_decode_mmap(event, &record.mmap, &err) == 0)
		touch_bytes((const uint8_t *)record.mmap.path, strlen(record.mmap.path));
	if (event_decode_comm(event, &record.comm, &err) == 0)
		touch_bytes((const uint8_t *)record.comm.comm, strlen(record.comm.comm));
	if (event_decode_ksymbol(event, &record.ksymbol, &err) == 0)
		touch_bytes((const uint8_t *)record.ksymbol.name, strlen(record.ksymbol.name));
	event_decode_task(event, &record.task, &err);
	event_decode_lost(event, &record.lost, &err);
	event_decode_switch(event, &record.switching, &err);
	if (number == SIZE_MAX)
		return;
	event_sample_id(event, &perf_file_event(file, number)->attr, &id, &err);
	if (event->type != PERF_RECORD_SAMPLE ||
	    sample_decode(&sample, event, &perf_file_event(file, number)->attr, &err) != 0)
		return;
	use_sample(&sample, &perf_file_event(file, number)->attr);
	totals->samples++;
	totals->periods += sample.period;
}

static void use_features(const struct perf_file *file)
{
	const struct perf_features *features = perf_file_features(file);

	for (size_t i = 0; i < features->build_id_count; i++)
		touch_bytes((const uint8_t *)features->build_ids[i].path,
			    strlen(features->build_ids[i].path));
	for (size_t i = 0; i < features->command_line_count; i++)
		sink += strlen(features->command_line[i]);
	for (unsigned int i = 0; i < HEADER_FEATURE_BITS; i++) {
		struct byte_reader bytes = perf_file_feature_bytes(file, i);

		touch_bytes(bytes.next, byte_reader_left(&bytes));
	}
	for (size_t i = 0; i < perf_file_event_count(file); i++)
		sink += strlen(perf_file_event(file, i)->name);
}

static struct totals walk(struct perf_file *file)
{
	/* Compression makes many records of few bytes; the first of them are as good as all. */
	enum { RECORDS_MAX = 200000 };
	struct totals totals = { 0 };
	struct event event;
	struct error err;

	while (totals.records < RECORDS_MAX && perf_file_next(file, &event, &err) == 1) {
		totals.records++;
		totals.record_bytes += event.size;
		use_event(file, &event, &totals);
		if (perf_file_percent(file) > 100)
			abort();
	}
	use_features(file);
	return totals;
}

static void compare_with_pipe(const uint8_t *bytes, size_t size, const struct totals *expected)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct perf_file *file;
	struct totals totals;
	struct error err;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	file = perf_file_open_stream(fd, "fuzz", &err);
	if (!file)
		abort();
	totals = walk(file);
	if (memcmp(&totals, expected, sizeof(totals)) != 0)
		abort();
	perf_file_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	struct perf_file *file = perf_file_open_memory(bytes, size, "fuzz", &err);
	struct totals totals;

	if (!file)
		return 0;
	totals = walk(file);
	if (perf_file_mode(file) == PERF_FILE_PIPE)
		compare_with_pipe(bytes, size, &totals);
	perf_file_close(file);
	return 0;
}
