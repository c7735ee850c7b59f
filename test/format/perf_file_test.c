#include "format/perf_file.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/mapped_file.h"
#include "format/sample.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static const struct perf_event_attr cycles = {
	.type = PERF_TYPE_HARDWARE,
	.size = sizeof(cycles),
	.config = PERF_COUNT_HW_CPU_CYCLES,
	.sample_period = 1000,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_PERIOD,
	.sample_id_all = 1,
};

/* Two events, a comm, three samples of the first event and one of the second. */
static struct perf_data_builder *build_recording(enum built_byte_order order)
{
	struct perf_data_builder *b = perf_data_builder_create(order);
	struct built_event instructions = {
		.attr = cycles, .name = "instructions", .ids = { 21, 22 }, .id_count = 2
	};

	instructions.attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	perf_data_builder_add_event(
		b,
		&(struct built_event){ .attr = cycles, .name = "cycles", .ids = { 11, 12 }, .id_count = 2 });
	perf_data_builder_add_event(b, &instructions);
	perf_data_builder_feature_string(b, HEADER_HOSTNAME, "sirius");
	perf_data_builder_comm(b, 100, 100, "worker", 1000);
	for (uint64_t i = 0; i < 3; i++)
		perf_data_builder_sample(
			b, &(struct built_sample){
				   .id = 11 + i % 2, .ip = 0x400100 + i, .time_ns = 2000 + i, .period = 7 });
	perf_data_builder_sample(
		b, &(struct built_sample){ .event = 1, .ip = 0x400200, .time_ns = 2010, .period = 9 });
	return b;
}

static void assert_next(struct perf_file *file, uint32_t type)
{
	struct event event;
	struct error err = { 0 };

	assert_int_equal(perf_file_next(file, &event, &err), 1);
	assert_int_equal(event.type, type);
}

static void assert_end(struct perf_file *file)
{
	struct event event;
	struct error err = { 0 };

	assert_int_equal(perf_file_next(file, &event, &err), 0);
}

/* Reads to the end and returns the sums of periods of both events. */
static void sum_periods(struct perf_file *file, uint64_t periods[2])
{
	struct event event;
	struct sample sample;
	struct error err = { 0 };

	periods[0] = periods[1] = 0;
	while (perf_file_next(file, &event, &err) == 1) {
		size_t number = perf_file_event_of(file, &event);

		if (event.type != PERF_RECORD_SAMPLE)
			continue;
		assert_true(number < 2);
		assert_int_equal(sample_decode(&sample, &event, &perf_file_event(file, number)->attr, &err),
				 0);
		periods[number] += sample.period;
	}
}

static void check_recording(struct perf_file *file)
{
	uint64_t periods[2];

	sum_periods(file, periods);
	assert_int_equal(periods[0], 21);
	assert_int_equal(periods[1], 9);
	assert_int_equal(perf_file_event_count(file), 2);
	assert_string_equal(perf_file_event(file, 0)->name, "cycles");
	assert_string_equal(perf_file_event(file, 1)->name, "instructions");
	assert_int_equal(perf_file_event(file, 1)->id_count, 2);
	assert_int_equal(perf_file_event(file, 1)->ids[1], 22);
	assert_null(perf_file_event(file, 2));
	assert_int_equal(perf_file_event_by_id(file, 22), 1);
	assert_true(perf_file_event_by_id(file, 23) == SIZE_MAX);
	assert_string_equal(perf_file_features(file)->hostname, "sirius");
	assert_string_equal(perf_file_damage(file)->first_reason, "");
}

static void a_file_is_read_in_either_byte_order(void **state)
{
	const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = build_recording(orders[i]);
		struct perf_file *file;

		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		assert_int_equal(perf_file_mode(file), PERF_FILE_SEEKABLE);
		assert_int_equal(perf_file_swapped(file), orders[i] == BUILD_SWAPPED);
		assert_true(perf_file_is_stable(file));
		check_recording(file);
		assert_false(perf_file_damage(file)->truncated);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void pipe_data_is_read_from_memory_and_from_a_pipe(void **state)
{
	const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = build_recording(orders[i]);
		struct perf_file *file;
		struct error err;
		int ends[2];

		perf_data_builder_finish_pipe(b);
		file = perf_data_builder_open(b);
		assert_int_equal(perf_file_mode(file), PERF_FILE_PIPE);
		check_recording(file);
		assert_int_equal(perf_file_percent(file), 100);
		perf_file_close(file);

		assert_int_equal(pipe(ends), 0);
		assert_int_equal(write(ends[1], b->out.bytes, b->out.size), b->out.size);
		close(ends[1]);
		file = perf_file_open_stream(ends[0], "pipe", &err);
		assert_non_null(file);
		assert_int_equal(perf_file_mode(file), PERF_FILE_PIPE);
		assert_int_equal(perf_file_event_count(file), 0); /* they become known while reading */
		assert_false(perf_file_is_stable(file));
		check_recording(file);
		assert_int_equal(perf_file_size_bytes(file), 0);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void a_file_that_comes_through_a_pipe_is_read_as_a_file(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	struct error err;
	int ends[2];

	(void)state;
	perf_data_builder_finish_file(b);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], b->out.bytes, b->out.size), b->out.size);
	close(ends[1]);
	file = perf_file_open_stream(ends[0], "pipe", &err);
	assert_non_null(file);
	assert_int_equal(perf_file_mode(file), PERF_FILE_SEEKABLE);
	check_recording(file);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void attrs_of_every_size_are_read(void **state)
{
	static const size_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct perf_data_builder *b = build_recording(BUILD_NATIVE);
		struct perf_file *file;

		b->attr_bytes = sizes[i];
		for (size_t e = 0; e < b->event_count; e++)
			b->events[e].attr.size = (uint32_t)sizes[i];
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		check_recording(file);
		assert_int_equal(perf_file_event(file, 0)->attr.size_bytes, sizes[i]);
		perf_file_close(file);
		perf_data_builder_finish_pipe(b);
		file = perf_data_builder_open(b);
		check_recording(file);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void an_attr_may_be_smaller_than_its_stride_or_have_no_size(void **state)
{
	static const uint32_t sizes[] = { 0, 64, 96 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct perf_data_builder *b = build_recording(BUILD_NATIVE);
		struct perf_file *file;

		b->attr_stride = 160;
		for (size_t e = 0; e < b->event_count; e++)
			b->events[e].attr.size = sizes[i];
		perf_data_builder_finish_file(b);
		file = perf_data_builder_open(b);
		check_recording(file);
		perf_file_close(file);
		perf_data_builder_destroy(b);
	}
}

static void a_file_of_the_first_version_is_read(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_SWAPPED);
	struct perf_file *file;

	(void)state;
	b->version1 = true;
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_true(perf_file_swapped(file));
	check_recording(file);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void a_file_whose_writer_was_killed_is_read_to_its_last_whole_record(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	uint64_t periods[2];

	(void)state;
	b->never_patched = true;
	perf_data_builder_finish_file(b);
	b->out.size -= 3; /* within the last sample */
	file = perf_data_builder_open(b);
	assert_false(perf_file_is_stable(file));
	sum_periods(file, periods);
	assert_int_equal(periods[0], 21);
	assert_int_equal(periods[1], 0);
	assert_true(perf_file_damage(file)->truncated);
	assert_int_equal(perf_file_damage(file)->skipped_records, 1);
	assert_non_null(strstr(perf_file_damage(file)->first_reason, "the recorder was killed"));
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void a_cut_file_gives_what_is_in_front_of_the_cut(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);

	(void)state;
	perf_data_builder_finish_file(b);
	for (size_t size = 0; size <= b->out.size; size++) {
		struct error err = { 0 };
		/* In a block of its own, so that a sanitizer notices reads behind its end. */
		void *cut = xmalloc(size ? size : 1);
		struct perf_file *file;
		uint64_t periods[2];

		memcpy(cut, b->out.bytes, size);
		file = perf_file_open_memory(cut, size, "cut", &err);
		if (file) {
			sum_periods(file, periods);
			assert_true(periods[0] <= 21 && periods[1] <= 9);
			assert_int_equal(perf_file_damage(file)->truncated, size < b->out.size);
		} else {
			assert_non_null(strstr(err.message, "cut: "));
		}
		perf_file_close(file);
		free(cut);
	}
	perf_data_builder_destroy(b);
}

/* 200,000 bytes of records. After the first of them was read, the file is cut to 50,000 bytes. */
static void a_file_that_is_cut_while_it_is_read_is_an_error(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	char path[] = "/tmp/xprof-test-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC), result;
	struct error err = { 0 };
	struct perf_file *file;
	struct event event;
	unsigned int records = 0;

	(void)state;
	for (uint64_t i = 0; i < 4000; i++)
		perf_data_builder_sample(b, &(struct built_sample){ .id = 11, .ip = i, .period = 1 });
	perf_data_builder_finish_file(b);
	perf_data_builder_save(b, path);
	file = perf_file_open(path, &err);
	assert_non_null(file);
	assert_next(file, PERF_RECORD_COMM);
	assert_int_equal(ftruncate(fd, 50000), 0);
	while ((result = perf_file_next(file, &event, &err)) == 1)
		records++;
	assert_int_equal(result, -1);
	assert_non_null(strstr(err.message, "the file has become shorter while it was read"));
	assert_in_range(records, 700, 1100);
	perf_file_close(file);
	unlink(path);
	close(fd);
	perf_data_builder_destroy(b);
}

struct stale {
	const uint8_t *first, *next;
	unsigned int count;
};

static void note_stale(void *context, const uint8_t *pages, size_t size_bytes)
{
	struct stale *stale = context;

	if (stale->count++ == 0)
		stale->first = pages;
	else
		assert_ptr_equal(pages, stale->next);
	stale->next = pages + size_bytes;
	mapped_pages_release(pages, size_bytes);
}

/* 80 MiB of records; the last 48 MiB may be in use. */
static void pages_that_were_read_can_be_given_back_by_others(void **state)
{
	enum { SAMPLE_BYTES = 40, COUNT = 80 * 1024 * 1024 / SAMPLE_BYTES };
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	char path[] = "/tmp/xprof-test-XXXXXX";
	struct stale stale = { .count = 0 };
	struct perf_file *file;
	struct error err;
	struct event event;
	uint64_t bytes = 0;

	(void)state;
	close(mkostemp(path, O_CLOEXEC));
	for (uint64_t i = 0; i < COUNT; i++)
		perf_data_builder_sample(b, &(struct built_sample){ .id = 11, .ip = i, .period = 1 });
	perf_data_builder_finish_file(b);
	perf_data_builder_save(b, path);
	perf_data_builder_destroy(b);
	file = perf_file_open(path, &err);
	assert_non_null(file);
	perf_file_on_stale(file, note_stale, &stale);
	while (perf_file_next(file, &event, &err) == 1) {
		bytes += event.size;
		assert_true(!stale.count || event.payload > stale.next + 32 * 1024 * 1024 - 65536);
	}
	assert_true(bytes > 80 * 1024 * 1024);
	assert_in_range(stale.count, 2, 8);
	assert_true((uint64_t)(stale.next - stale.first) > bytes - 48 * 1024 * 1024 - 65536);
	perf_file_close(file);
	unlink(path);
}

static void a_record_smaller_than_its_header_ends_the_file(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	uint64_t periods[2];

	(void)state;
	strbuf_add_zeros(&b->records, 64);
	perf_data_builder_sample(b, &(struct built_sample){ .period = 1 });
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	sum_periods(file, periods);
	assert_int_equal(periods[0], 21);
	assert_true(perf_file_damage(file)->truncated);
	assert_string_equal(perf_file_damage(file)->first_reason,
			    "size 0 is smaller than a record's 8-byte header");
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 64 + 48);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void an_auxtrace_payload_is_not_taken_for_records(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;

	(void)state;
	strbuf_reset(&b->records);
	perf_data_builder_begin(b, PERF_RECORD_AUXTRACE, 0);
	perf_data_builder_u64(b, 100); /* size of the trace */
	perf_data_builder_end(b);
	strbuf_add_zeros(&b->records, 100);
	perf_data_builder_finished_round(b);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_next(file, PERF_RECORD_AUXTRACE);
	assert_next(file, PERF_RECORD_FINISHED_ROUND);
	assert_end(file);
	assert_string_equal(perf_file_damage(file)->first_reason, "");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void an_auxtrace_payload_can_be_asked_for(void **state)
{
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	const uint8_t *bytes;
	struct error err;
	size_t size;

	(void)state;
	strbuf_reset(&b->records);
	perf_data_builder_begin(b, PERF_RECORD_AUXTRACE, 0);
	perf_data_builder_u64(b, 5);
	perf_data_builder_end(b);
	strbuf_add(&b->records, "trace", 5);
	perf_data_builder_finished_round(b);
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_next(file, PERF_RECORD_AUXTRACE);
	assert_int_equal(perf_file_payload_bytes(file), 5);
	assert_int_equal(perf_file_next_payload(file, &bytes, &size, &err), 1);
	assert_int_equal(size, 5);
	assert_memory_equal(bytes, "trace", 5);
	assert_int_equal(perf_file_next_payload(file, &bytes, &size, &err), 0);
	assert_next(file, PERF_RECORD_FINISHED_ROUND);
	assert_int_equal(perf_file_next_payload(file, &bytes, &size, &err), 0);
	assert_end(file);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void features_that_went_ahead_as_records_are_known_without_a_table(void **state)
{
	static const uint8_t build_id[20] = { 1, 2, 3 };
	static const uint32_t cpus[2] = { 8, 4 };
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	uint64_t periods[2];

	(void)state;
	perf_data_builder_feature_record(b, HEADER_NRCPUS, cpus, sizeof(cpus));
	perf_data_builder_build_id_record(b, PERF_RECORD_MISC_USER, build_id, "/usr/bin/worker");
	b->never_patched = true;
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(perf_file_features(file)->cpus_online, 0);
	sum_periods(file, periods);
	assert_int_equal(perf_file_features(file)->cpus_available, 8);
	assert_int_equal(perf_file_features(file)->cpus_online, 4);
	assert_int_equal(perf_file_features(file)->build_id_count, 1);
	assert_string_equal(perf_file_features(file)->build_ids[0].path, "/usr/bin/worker");
	assert_int_equal(perf_file_features(file)->build_ids[0].build_id_size, 20);
	assert_memory_equal(perf_file_features(file)->build_ids[0].build_id, build_id, 20);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void the_feature_table_is_newer_than_records(void **state)
{
	static const uint32_t ahead[2] = { 8, 4 }, final[2] = { 8, 3 };
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	uint64_t periods[2];

	(void)state;
	perf_data_builder_feature_record(b, HEADER_NRCPUS, ahead, sizeof(ahead));
	perf_data_builder_feature(b, HEADER_NRCPUS, final, sizeof(final));
	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	assert_int_equal(perf_file_features(file)->cpus_online, 3);
	sum_periods(file, periods);
	assert_int_equal(perf_file_features(file)->cpus_online, 3);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* Saves the builder's file, or only its records, as a file of the directory. */
static void save_in(const char *directory, const char *name, struct perf_data_builder *b, bool records_only)
{
	char path[64];

	if (records_only) {
		strbuf_reset(&b->out);
		strbuf_add(&b->out, b->records.bytes, b->records.size);
	}
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	perf_data_builder_save(b, path);
}

static void remove_directory(const char *directory)
{
	static const char *const names[] = { "data", "data.0", "data.1" };
	char path[64];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
}

static void all_files_of_a_directory_are_read_without_round_marks(void **state)
{
	char directory[] = "/tmp/xprof-test-XXXXXX";
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	struct error err = { 0 };
	uint64_t periods[2];

	(void)state;
	assert_non_null(mkdtemp(directory));
	perf_data_builder_finished_round(b);
	perf_data_builder_finish_file(b);
	save_in(directory, "data", b, false);
	save_in(directory, "data.0", b, true); /* 4 samples in each */
	save_in(directory, "data.1", b, true);
	file = perf_file_open(directory, &err);
	assert_non_null(file);
	assert_int_equal(perf_file_mode(file), PERF_FILE_DIRECTORY);
	sum_periods(file, periods);
	assert_int_equal(periods[0], 63);
	assert_int_equal(periods[1], 27);
	assert_int_equal(perf_file_percent(file), 100);
	perf_file_close(file);
	remove_directory(directory);
	perf_data_builder_destroy(b);
}

static void add_sample_at(struct perf_data_builder *b, uint64_t time_ns)
{
	perf_data_builder_sample(b, &(struct built_sample){ .id = 11, .ip = time_ns, .time_ns = time_ns });
}

/* The ip of a sample, which equals its time; 0 for other records. */
static uint64_t next_ip(struct perf_file *file)
{
	struct event event;
	struct sample sample;
	struct error err;

	assert_int_equal(perf_file_next(file, &event, &err), 1);
	if (event.type != PERF_RECORD_SAMPLE)
		return 0;
	assert_int_equal(sample_decode(&sample, &event, &perf_file_event(file, 0)->attr, &err), 0);
	return sample.ip;
}

/* One thread of the recorder has a process's records, another one its samples; the records come first. */
static void files_of_a_directory_are_read_side_by_side_in_order_of_time(void **state)
{
	static const uint64_t expected[] = { 0, 10, 20, 0, 40, 50, 30, 60 };

	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		char directory[] = "/tmp/xprof-test-XXXXXX";
		struct perf_data_builder *b = build_recording(swapped ? BUILD_SWAPPED : BUILD_NATIVE);
		struct perf_file *file;
		struct error err = { 0 };

		assert_non_null(mkdtemp(directory));
		strbuf_reset(&b->records);
		perf_data_builder_comm(b, 100, 100, "worker",
				       1000); /* "data" is read first, whatever the times in it */
		perf_data_builder_finish_file(b);
		save_in(directory, "data", b, false);
		strbuf_reset(&b->records);
		add_sample_at(b, 10);
		perf_data_builder_comm(b, 200, 200, "child", 35);
		add_sample_at(b, 50);
		add_sample_at(b, 30); /* late in its own file: comes when it is read */
		save_in(directory, "data.0", b, true);
		strbuf_reset(&b->records);
		add_sample_at(b, 20);
		add_sample_at(b, 40);
		add_sample_at(b, 60);
		save_in(directory, "data.1", b, true);
		file = perf_file_open(directory, &err);
		assert_non_null(file);
		for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
			assert_int_equal(next_ip(file), expected[i]);
		assert_end(file);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);
		remove_directory(directory);
		perf_data_builder_destroy(b);
	}
}

static void damage_of_a_directorys_files_is_the_recordings(void **state)
{
	char directory[] = "/tmp/xprof-test-XXXXXX";
	struct perf_data_builder *b = build_recording(BUILD_NATIVE);
	struct perf_file *file;
	struct error err = { 0 };

	(void)state;
	assert_non_null(mkdtemp(directory));
	perf_data_builder_finish_file(b);
	save_in(directory, "data", b, false);
	b->records.size -= 8; /* cuts the last sample */
	save_in(directory, "data.0", b, true);
	strbuf_reset(&b->records);
	save_in(directory, "data.1", b, true); /* empty */
	file = perf_file_open(directory, &err);
	assert_non_null(file);
	for (int i = 0; i < 5 + 4; i++)
		(void)next_ip(file);
	assert_end(file);
	assert_true(perf_file_damage(file)->truncated);
	assert_int_equal(perf_file_damage(file)->skipped_records, 1);
	perf_file_close(file);
	remove_directory(directory);
	perf_data_builder_destroy(b);
}

static void assert_refused(const char *path, const char *reason)
{
	struct error err = { 0 };

	assert_null(perf_file_open(path, &err));
	if (!strstr(err.message, reason))
		fail_msg("'%s' does not say '%s'", err.message, reason);
}

static void what_is_no_recording_is_refused_with_a_reason(void **state)
{
	char directory[] = "/tmp/xprof-test-XXXXXX", path[64];
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_refused(directory, "is a directory without a file 'data', so it is not a recording");
	snprintf(path, sizeof(path), "%s/file", directory);
	assert_refused(path, "No such file or directory");
	assert_refused(path, "'xprof record'");
	perf_data_builder_save(b, path);
	assert_refused(path, "the file is empty");
	strbuf_adds(&b->out, "#!/bin/sh\necho this is a text\n");
	perf_data_builder_save(b, path);
	assert_refused(path, "not a perf.data file");
	strbuf_reset(&b->out);
	strbuf_adds(&b->out, "PERFILE2");
	perf_data_builder_save(b, path);
	assert_refused(path, "too short for a perf.data file: 8 bytes");
	unlink(path);
	rmdir(directory);
	perf_data_builder_destroy(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_in_either_byte_order),
		cmocka_unit_test(pipe_data_is_read_from_memory_and_from_a_pipe),
		cmocka_unit_test(a_file_that_comes_through_a_pipe_is_read_as_a_file),
		cmocka_unit_test(attrs_of_every_size_are_read),
		cmocka_unit_test(an_attr_may_be_smaller_than_its_stride_or_have_no_size),
		cmocka_unit_test(a_file_of_the_first_version_is_read),
		cmocka_unit_test(a_file_whose_writer_was_killed_is_read_to_its_last_whole_record),
		cmocka_unit_test(a_cut_file_gives_what_is_in_front_of_the_cut),
		cmocka_unit_test(a_file_that_is_cut_while_it_is_read_is_an_error),
		cmocka_unit_test(pages_that_were_read_can_be_given_back_by_others),
		cmocka_unit_test(a_record_smaller_than_its_header_ends_the_file),
		cmocka_unit_test(an_auxtrace_payload_is_not_taken_for_records),
		cmocka_unit_test(an_auxtrace_payload_can_be_asked_for),
		cmocka_unit_test(features_that_went_ahead_as_records_are_known_without_a_table),
		cmocka_unit_test(the_feature_table_is_newer_than_records),
		cmocka_unit_test(all_files_of_a_directory_are_read_without_round_marks),
		cmocka_unit_test(files_of_a_directory_are_read_side_by_side_in_order_of_time),
		cmocka_unit_test(damage_of_a_directorys_files_is_the_recordings),
		cmocka_unit_test(what_is_no_recording_is_refused_with_a_reason),
	};

	return cmocka_run_group_tests_name("format/perf_file", tests, NULL, NULL);
}
