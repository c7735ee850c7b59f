/*
 * Files written by xprof, finished ones and those whose writer was killed, are read by xprof, and by perf if it is
 * installed.
 */

#include "format/write/perf_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/perf_file.h"
#include "format/sample.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { SAMPLES = 100, PERIOD = 1001001 };

static const struct perf_event_attr clock_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(clock_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_freq = 999,
	.freq = 1,
	.mmap = 1,
	.mmap2 = 1,
	.comm = 1,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_PERIOD,
};

static const uint64_t clock_ids[] = { 11, 12 }, faults_ids[] = { 21, 22 };

static char directory[] = "/tmp/xprof-test-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(path, sizeof(path), "%s/perf.data", directory);
	return 0;
}

static int empty_directory(void **state)
{
	char old[80];

	(void)state;
	snprintf(old, sizeof(old), "%s.old", path);
	unlink(path);
	unlink(old);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(directory);
}

/* The records of a small recording, as the kernel would deliver them. */
static struct perf_data_builder *build_records(void)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);

	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = clock_attr, .ids = { 11, 12 }, .id_count = 2 });
	perf_data_builder_comm_exec(b, 100, 100, "worker", 1000);
	perf_data_builder_mmap2(b, &(struct built_mmap){ .pid = 100,
							 .tid = 100,
							 .start = 0x400000,
							 .length = 0x10000,
							 .prot = 5,
							 .flags = 2,
							 .misc = PERF_RECORD_MISC_USER,
							 .path = "/usr/bin/worker",
							 .time_ns = 1001 });
	for (unsigned int i = 0; i < SAMPLES; i++)
		perf_data_builder_sample(b, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
								    .id = 11 + i % 2,
								    .ip = 0x400100 + i % 3,
								    .pid = 100,
								    .tid = 100,
								    .time_ns = 2000 + i,
								    .period = PERIOD });
	perf_data_builder_finished_round(b);
	return b;
}

static struct perf_writer *begin_with(const char *to, const struct perf_writer_options *options)
{
	static const uint8_t build_id[20] = { 0x12, 0x34, [19] = 0xff };
	static const char *const command[] = { "xprof", "record", "--", "worker" };
	static const uint32_t cpus[] = { 2, 2 };
	struct perf_event_attr faults = clock_attr;
	const struct written_event events[] = {
		{ .attr = &clock_attr, .name = "cpu-clock:u", .ids = clock_ids, .id_count = 2 },
		{ .attr = &faults, .name = "page-faults", .ids = faults_ids, .id_count = 2 },
	};
	struct error err = { 0 };
	struct perf_writer *writer = perf_writer_over(output_file_create(to, &err));

	if (!writer)
		fail_msg("%s", err.message);
	assert_int_equal(perf_writer_configure(writer, options, &err), 0);
	faults.config = PERF_COUNT_SW_PAGE_FAULTS;
	perf_writer_set_string(writer, HEADER_HOSTNAME, "sirius");
	perf_writer_set_string(writer, HEADER_OSRELEASE, "6.18.0");
	perf_writer_set_string(writer, HEADER_VERSION, "0.1");
	perf_writer_set_string(writer, HEADER_ARCH, "x86_64");
	perf_writer_set_feature(writer, HEADER_NRCPUS, cpus, sizeof(cpus));
	perf_writer_set_strings(writer, HEADER_CMDLINE, command, 4);
	perf_writer_add_build_id(writer, "/usr/bin/worker", PERF_RECORD_MISC_USER, build_id,
				 sizeof(build_id));
	if (perf_writer_begin(writer, events, 2, &err) != 0)
		fail_msg("%s", err.message);
	return writer;
}

static struct perf_writer *begin(const char *to)
{
	return begin_with(to, &(struct perf_writer_options){ 0 });
}

enum ending { FINISHED, KILLED };

/* Writes the recording to `path`. */
static void record_with(enum ending ending, const struct perf_writer_options *options)
{
	static const uint64_t times[] = { 2000, 2099 };
	struct perf_data_builder *b = build_records();
	struct perf_writer *writer = begin_with(path, options);
	struct error err = { 0 };

	assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
	assert_int_equal(perf_writer_data_bytes(writer) > b->records.size, 1);
	if (ending == FINISHED) {
		perf_writer_set_feature(writer, HEADER_SAMPLE_TIME, times, sizeof(times));
		assert_int_equal(perf_writer_finish(writer, &err), 0);
	} else {
		/* Flushes, then appends something that is never flushed. */
		assert_int_equal(perf_writer_flush(writer, &err), 0);
		assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
	}
	perf_writer_close(writer);
	perf_data_builder_destroy(b);
}

static void record(enum ending ending)
{
	record_with(ending, &(struct perf_writer_options){ 0 });
}

static uint64_t count_samples(struct perf_file *file)
{
	struct event event;
	struct sample sample;
	struct error err;
	uint64_t samples = 0;

	while (perf_file_next(file, &event, &err) == 1) {
		if (event.type != PERF_RECORD_SAMPLE)
			continue;
		assert_int_equal(perf_file_event_of(file, &event), 0);
		assert_int_equal(sample_decode(&sample, &event, &perf_file_event(file, 0)->attr, &err), 0);
		assert_int_equal(sample.period, PERIOD);
		samples++;
	}
	return samples;
}

static void check_with_xprof(const char *from)
{
	struct error err = { 0 };
	struct perf_file *file = perf_file_open(from, &err);
	const struct perf_features *features;

	if (!file)
		fail_msg("%s", err.message);
	assert_int_equal(count_samples(file), SAMPLES);
	assert_int_equal(perf_file_event_count(file), 2);
	assert_string_equal(perf_file_event(file, 0)->name, "cpu-clock:u");
	assert_string_equal(perf_file_event(file, 1)->name, "page-faults");
	assert_int_equal(perf_file_event(file, 0)->attr.size_bytes, 128);
	assert_int_equal(perf_file_event_by_id(file, 22), 1);
	features = perf_file_features(file);
	assert_string_equal(features->hostname, "sirius");
	assert_int_equal(features->command_line_count, 4);
	assert_string_equal(features->command_line[3], "worker");
	assert_int_equal(features->build_id_count, 1);
	assert_string_equal(features->build_ids[0].path, "/usr/bin/worker");
	assert_int_equal(features->build_ids[0].build_id[19], 0xff);
	assert_string_equal(perf_file_damage(file)->first_reason, "");
	perf_file_close(file);
}

static void a_finished_file_is_read_back(void **state)
{
	struct stat st;

	(void)state;
	record(FINISHED);
	check_with_xprof(path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_file_whose_writer_was_killed_is_read_up_to_the_last_flush(void **state)
{
	(void)state;
	record(KILLED);
	check_with_xprof(path);
}

/* After any number of flushes, everything flushed can be read. */
static void a_file_is_whole_after_every_flush(void **state)
{
	struct perf_data_builder *b = build_records();
	struct perf_writer *writer = begin(path);
	struct error err;

	(void)state;
	for (uint64_t flushes = 1; flushes <= 5; flushes++) {
		struct perf_file *file;

		assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
		assert_int_equal(perf_writer_flush(writer, &err), 0);
		file = perf_file_open(path, &err);
		assert_non_null(file);
		assert_int_equal(count_samples(file), flushes * SAMPLES);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		perf_file_close(file);
	}
	perf_writer_close(writer);
	perf_data_builder_destroy(b);
}

static const struct perf_writer_options compressing = { .compression_level = 1 };

static void need_compression(void)
{
	if (!compressor_available())
		skip();
}

static void a_compressed_file_is_read_back_finished_or_killed(void **state)
{
	struct perf_file *file;
	struct error err;

	(void)state;
	need_compression();
	record_with(FINISHED, &compressing);
	check_with_xprof(path);
	file = perf_file_open(path, &err);
	assert_int_equal(perf_file_features(file)->compression_level, 1);
	assert_true(perf_file_features(file)->compression_ratio >= 5);
	perf_file_close(file);
	record_with(KILLED, &compressing);
	check_with_xprof(path);
}

static void compressed_data_is_smaller_by_what_is_said(void **state)
{
	struct perf_data_builder *b = build_records();
	struct compression_totals totals;
	struct perf_writer *writer;
	struct error err;
	uint64_t ahead_bytes;

	(void)state;
	need_compression();
	writer = begin_with(path, &compressing);
	ahead_bytes = perf_writer_data_bytes(writer);
	assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
	assert_int_equal(perf_writer_flush(writer, &err), 0);
	totals = perf_writer_compression(writer);
	assert_int_equal(totals.original_bytes, b->records.size - 8); /* FINISHED_ROUND is not compressed */
	assert_int_equal(perf_writer_data_bytes(writer), ahead_bytes + totals.packed_bytes + 8);
	perf_writer_close(writer);
	perf_data_builder_destroy(b);
}

/* A copy of another machine's file: nothing is decoded, so only what the writer adds has to be swapped. */
static void a_file_of_the_other_byte_order_is_copied(void **state)
{
	const struct perf_writer_options options = { .swap = true, .verbatim = true };
	struct perf_data_builder *b = perf_data_builder_create(BUILD_SWAPPED);
	unsigned char attr[72] = { 0 }; /* PERF_ATTR_SIZE_VER1 */
	const uint64_t sample_type = __builtin_bswap64(clock_attr.sample_type);
	const uint64_t period = __builtin_bswap64(PERIOD);
	const struct written_event event = {
		.attr_bytes = attr, .attr_size = sizeof(attr), .ids = clock_ids, .id_count = 1
	};
	struct perf_writer *writer;
	struct perf_file *file;
	struct event read;
	struct sample sample;
	struct error err;

	(void)state;
	memcpy(attr + offsetof(struct perf_event_attr, sample_type), &sample_type, sizeof(sample_type));
	memcpy(attr + offsetof(struct perf_event_attr, sample_period), &period, sizeof(period));
	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = clock_attr, .ids = { 11 }, .id_count = 1 });
	perf_data_builder_sample(b, &(struct built_sample){ .ip = 0x1234, .id = 11, .period = 5 });
	writer = perf_writer_over(output_file_create(path, &err));
	assert_int_equal(perf_writer_configure(writer, &options, &err), 0);
	assert_int_equal(perf_writer_begin(writer, &event, 1, &err), 0);
	assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
	perf_writer_set_feature(writer, 200, "other", 5);
	assert_int_equal(perf_writer_finish(writer, &err), 0);
	perf_writer_close(writer);
	file = perf_file_open(path, &err);
	if (!file)
		fail_msg("%s", err.message);
	assert_true(perf_file_swapped(file));
	assert_int_equal(perf_file_event(file, 0)->attr.size_bytes, 72);
	assert_int_equal(perf_file_event(file, 0)->attr.sample_period_or_freq, PERIOD);
	assert_int_equal(perf_file_event_by_id(file, 11), 0);
	assert_memory_equal(perf_file_feature_bytes(file, 200).next, "other", 5);
	assert_int_equal(perf_file_features(file)->present[0], 0); /* the writer made no EVENT_DESC */
	assert_int_equal(perf_file_next(file, &read, &err), 1);
	assert_int_equal(sample_decode(&sample, &read, &perf_file_event(file, 0)->attr, &err), 0);
	assert_int_equal(sample.ip, 0x1234);
	assert_int_equal(perf_file_next(file, &read, &err), 0);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* HOSTNAME's bit tells the layout of the feature bitmap. A feature of this number would be mistaken for it. */
static void features_of_a_copy_are_found_without_a_host_name(void **state)
{
	enum { LOOKS_LIKE_HOSTNAME = HEADER_HOSTNAME + 32 };
	const struct perf_writer_options options = { .swap = true, .verbatim = true };
	unsigned char attr[64] = { 0 };
	const struct written_event event = { .attr_bytes = attr, .attr_size = sizeof(attr) };
	struct perf_writer *writer;
	struct perf_file *file;
	struct error err;

	(void)state;
	writer = perf_writer_over(output_file_create(path, &err));
	assert_int_equal(perf_writer_configure(writer, &options, &err), 0);
	assert_int_equal(perf_writer_begin(writer, &event, 1, &err), 0);
	perf_writer_set_feature(writer, LOOKS_LIKE_HOSTNAME, "other", 5);
	assert_int_equal(perf_writer_finish(writer, &err), 0);
	perf_writer_close(writer);
	file = perf_file_open(path, &err);
	assert_non_null(file);
	assert_memory_equal(perf_file_feature_bytes(file, LOOKS_LIKE_HOSTNAME).next, "other", 5);
	assert_string_equal(perf_file_features(file)->hostname, "");
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 0);
	perf_file_close(file);
}

static void a_file_with_branch_stacks_says_so(void **state)
{
	(void)state;
	for (int with = 0; with < 2; with++) {
		struct perf_event_attr attr = clock_attr;
		const struct written_event event = {
			.attr = &attr, .name = "cycles", .ids = clock_ids, .id_count = 1
		};
		struct perf_writer *writer;
		struct perf_file *file;
		struct error err;

		attr.sample_type |= with ? PERF_SAMPLE_BRANCH_STACK : 0;
		writer = perf_writer_over(output_file_create(path, &err));
		assert_false(perf_writer_is_pipe(writer));
		assert_int_equal(perf_writer_begin(writer, &event, 1, &err), 0);
		assert_int_equal(perf_writer_finish(writer, &err), 0);
		perf_writer_close(writer);
		file = perf_file_open(path, &err);
		assert_int_equal(perf_file_features(file)->present[0] >> HEADER_BRANCH_STACK & 1, with);
		perf_file_close(file);
	}
}

static void groups_are_described_by_their_leader_and_size(void **state)
{
	const uint64_t ids[] = { 21, 22, 23 };
	const struct written_event events[] = {
		{ .attr = &clock_attr, .name = "cs", .ids = &ids[0], .id_count = 1 },
		{ .attr = &clock_attr, .name = "cycles", .ids = &ids[1], .id_count = 1, .group_size = 2 },
		{ .attr = &clock_attr, .name = "faults", .ids = &ids[2], .id_count = 1 },
	};
	struct perf_writer *writer;
	struct perf_file *file;
	struct byte_reader r;
	struct error err;

	(void)state;
	writer = perf_writer_over(output_file_create(path, &err));
	assert_int_equal(perf_writer_begin(writer, events, 3, &err), 0);
	assert_int_equal(perf_writer_finish(writer, &err), 0);
	perf_writer_close(writer);
	file = perf_file_open(path, &err);
	r = perf_file_feature_bytes(file, HEADER_GROUP_DESC);
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_string_equal(byte_reader_string(&r, byte_reader_u32(&r)), "{anon_group}");
	assert_int_equal(byte_reader_u32(&r), 1);
	assert_int_equal(byte_reader_u32(&r), 2);
	assert_true(byte_reader_ok(&r));
	assert_int_equal(byte_reader_left(&r), 0);
	perf_file_close(file);
}

static void a_file_that_is_written_aside_has_its_name_when_it_is_finished(void **state)
{
	const struct written_event event = {
		.attr = &clock_attr, .name = "cpu-clock", .ids = clock_ids, .id_count = 1
	};
	struct perf_writer *writer;
	struct error err;

	(void)state;
	writer = perf_writer_create_temporary(path, &err);
	assert_int_equal(perf_writer_begin(writer, &event, 1, &err), 0);
	assert_int_equal(perf_writer_flush(writer, &err), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(perf_writer_finish(writer, &err), 0);
	assert_int_equal(access(path, F_OK), 0);
	perf_writer_close(writer);
}

static void a_fifo_gets_pipe_data(void **state)
{
	struct perf_data_builder *b = build_records();
	struct perf_writer *writer;
	struct perf_file *file;
	struct error err;
	int reader;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	reader = open(path, O_RDWR | O_CLOEXEC); /* keeps the FIFO open; the recording fits into it */
	writer = begin(path);
	assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
	assert_int_equal(perf_writer_finish(writer, &err), 0);
	file = perf_file_open_stream(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), "fifo", &err);
	perf_writer_close(writer);
	close(reader);
	assert_non_null(file);
	assert_int_equal(perf_file_mode(file), PERF_FILE_PIPE);
	assert_int_equal(count_samples(file), SAMPLES);
	assert_string_equal(perf_file_event(file, 1)->name, "page-faults");
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

/* EFBIG replaces ENOSPC: a write stops in the middle, and there is no more room. */
static void a_full_disk_costs_only_what_was_not_flushed(void **state)
{
	const struct rlimit limit = { 20000, RLIM_INFINITY }, unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct perf_data_builder *b = build_records();
	struct perf_writer *writer = begin(path);
	struct perf_file *file;
	struct error err;
	uint64_t flushes = 0;
	struct stat st;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (;;) {
		assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
		if (perf_writer_flush(writer, &err) != 0)
			break;
		flushes++;
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	assert_true(flushes >= 2);
	assert_non_null(strstr(err.message, "everything written before can be read"));
	assert_non_null(strstr(err.message, path));
	assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), -1);
	assert_int_equal(perf_writer_finish(writer, &err), -1);
	perf_writer_close(writer);
	file = perf_file_open(path, &err);
	assert_non_null(file);
	assert_int_equal(count_samples(file), flushes * SAMPLES);
	assert_false(perf_file_damage(file)->truncated);
	perf_file_close(file);
	assert_int_equal(stat(path, &st), 0);
	assert_true((size_t)st.st_size < limit.rlim_cur);
	perf_data_builder_destroy(b);
}

/* Writes the records many times at once, and closes the writer. The file becomes as large as it can. */
static void write_more_than_fits(struct perf_writer *writer, const struct perf_data_builder *b)
{
	enum { COPIES = 600, TRIED_LEAST_BYTES = 4096 };
	const struct rlimit limit = { 100000, RLIM_INFINITY }, unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct strbuf records;
	struct error err;
	struct stat st;

	strbuf_init(&records);
	for (int i = 0; i < COPIES; i++)
		strbuf_add(&records, b->records.bytes, b->records.size);
	assert_true(records.size > 5 * limit.rlim_cur);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	if (perf_writer_append(writer, records.bytes, records.size, &err) == 0)
		assert_int_equal(perf_writer_flush(writer, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	assert_non_null(strstr(err.message, "File too large"));
	perf_writer_close(writer);
	assert_int_equal(stat(path, &st), 0);
	assert_true((size_t)st.st_size > limit.rlim_cur - 2 * TRIED_LEAST_BYTES);
	strbuf_fini(&records);
}

static void of_a_large_write_stays_what_fits(void **state)
{
	struct perf_data_builder *b = build_records();
	struct perf_file *file;

	(void)state;
	write_more_than_fits(begin(path), b);
	file = perf_file_open(path, NULL);
	assert_non_null(file);
	assert_true(count_samples(file) > SAMPLES);
	assert_false(perf_file_damage(file)->truncated);
	assert_int_equal(perf_file_damage(file)->skipped_records, 0);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static struct perf_writer *begin_copy(bool swap)
{
	static const uint8_t attr[64] = { 0 };
	const struct perf_writer_options options = { .swap = swap, .verbatim = true };
	const struct written_event event = { .attr_bytes = attr, .attr_size = sizeof(attr) };
	struct perf_writer *writer = perf_writer_over(output_file_create(path, NULL));

	assert_non_null(writer);
	assert_int_equal(perf_writer_configure(writer, &options, NULL), 0);
	assert_int_equal(perf_writer_begin(writer, &event, 1, NULL), 0);
	return writer;
}

static void of_a_large_copy_in_the_other_byte_order_stays_what_fits(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_SWAPPED);
	struct perf_file *file;
	struct event event;

	(void)state;
	for (unsigned int i = 0; i < 40; i++)
		perf_data_builder_comm_exec(b, 100 + i, 100 + i, i % 3 ? "worker" : "a worker's son",
					    1000 + i);
	write_more_than_fits(begin_copy(true), b);
	file = perf_file_open(path, NULL);
	assert_non_null(file);
	while (perf_file_next(file, &event, NULL) == 1)
		assert_int_equal(event.type, PERF_RECORD_COMM);
	assert_false(perf_file_damage(file)->truncated);
	assert_int_equal(perf_file_damage(file)->skipped_records, 0);
	assert_int_equal(perf_file_damage(file)->skipped_bytes, 0);
	perf_file_close(file);
	perf_data_builder_destroy(b);
}

static void the_round_of_an_empty_recording_is_counted_once(void **state)
{
	struct perf_writer *writer = begin_copy(false);

	(void)state;
	assert_int_equal(perf_writer_data_bytes(writer), 0);
	assert_int_equal(perf_writer_finish(writer, NULL), 0);
	assert_int_equal(perf_writer_data_bytes(writer), sizeof(struct perf_event_header));
	perf_writer_close(writer);
}

static void tracing_data_has_a_section_of_its_own_from_the_start(void **state)
{
	static const char tracing[21] = "\x17\x08\x44tracing0.6";
	const struct written_event event = {
		.attr = &clock_attr, .name = "t", .ids = clock_ids, .id_count = 2
	};
	struct perf_data_builder *b = build_records();
	struct error err;
	struct perf_writer *writer = perf_writer_over(output_file_create(path, &err));

	(void)state;
	perf_writer_set_feature(writer, HEADER_TRACING_DATA, tracing, sizeof(tracing));
	assert_int_equal(perf_writer_begin(writer, &event, 1, &err), 0);
	for (int flushes = 0; flushes < 3; flushes++) {
		struct perf_file *file = perf_file_open(path, &err);
		struct byte_reader bytes;

		assert_non_null(file);
		assert_int_equal(count_samples(file), flushes * SAMPLES);
		assert_string_equal(perf_file_damage(file)->first_reason, "");
		bytes = perf_file_feature_bytes(file, HEADER_TRACING_DATA);
		assert_int_equal(byte_reader_left(&bytes), sizeof(tracing));
		assert_memory_equal(bytes.next, tracing, sizeof(tracing));
		perf_file_close(file);
		assert_int_equal(perf_writer_append(writer, b->records.bytes, b->records.size, &err), 0);
		/* now with fewer bytes than the table has */
		assert_int_equal(perf_writer_flush(writer, &err), 0);
		assert_int_equal(perf_writer_append(writer, b->records.bytes + b->records.size - 8, 8, &err),
				 0);
		assert_int_equal(perf_writer_flush(writer, &err), 0);
	}
	assert_int_equal(perf_writer_finish(writer, &err), 0);
	perf_writer_close(writer);
	perf_data_builder_destroy(b);
}

static void names_too_many_for_a_record_go_ahead_one_by_one(void **state)
{
	enum { IDS = 9000 }; /* 72,000 bytes of EVENT_DESC */
	uint64_t *ids = xcalloc(IDS, sizeof(ids[0]));
	const struct written_event event = {
		.attr = &clock_attr, .name = "many", .ids = ids, .id_count = IDS
	};
	struct perf_event_attr other = clock_attr;
	const struct written_event events[] = {
		event, { .attr = &other, .name = "few", .ids = faults_ids, .id_count = 1 }
	};
	struct error err;
	struct perf_writer *writer = perf_writer_over(output_file_create(path, &err));
	struct perf_file *file;

	(void)state;
	for (uint64_t i = 0; i < IDS; i++)
		ids[i] = 100 + i;
	assert_int_equal(perf_writer_begin(writer, events, 2, &err), 0);
	perf_writer_close(writer); /* killed */
	file = perf_file_open(path, &err);
	assert_non_null(file);
	assert_int_equal(count_samples(file), 0);
	assert_string_equal(perf_file_event(file, 0)->name, "many");
	assert_string_equal(perf_file_event(file, 1)->name, "few");
	assert_int_equal(perf_file_event_by_id(file, 100 + IDS - 1), 0);
	perf_file_close(file);

	writer = perf_writer_over(output_file_create("/dev/null", &err));
	assert_int_equal(perf_writer_begin(writer, &event, 1, &err), -1);
	assert_non_null(
		strstr(err.message, "event many has 9000 ids, more than a record in a pipe can hold (8174)"));
	perf_writer_close(writer);
	free(ids);
}

static void a_recording_begins_once_with_an_event(void **state)
{
	struct error err;
	struct perf_writer *writer = perf_writer_over(output_file_create("/dev/null", &err));

	(void)state;
	assert_int_equal(perf_writer_begin(writer, NULL, 0, &err), -1);
	perf_writer_close(writer);
}

/* --- the second opinion --- */

static bool perf_is_installed(void)
{
	return system("perf version >/dev/null 2>&1") == 0;
}

/* Returns the output of a perf command for `path`. Fails the test if the command fails. */
static char *perf(const char *arguments)
{
	char *command = xasprintf("perf %s -i %s 2>&1 </dev/null", arguments, path);
	FILE *pipe = popen(command, "re");
	struct strbuf out;
	char block[4096];
	size_t got;

	assert_non_null(pipe);
	strbuf_init(&out);
	while ((got = fread(block, 1, sizeof(block), pipe)) > 0)
		strbuf_add(&out, block, got);
	if (pclose(pipe) != 0)
		fail_msg("%s: %s", command, out.bytes);
	free(command);
	return strbuf_detach(&out);
}

static void assert_perf_prints(const char *arguments, const char *expected)
{
	char *printed = perf(arguments);

	if (!strstr(printed, expected))
		fail_msg("perf %s does not print '%s' but:\n%s", arguments, expected, printed);
	free(printed);
}

static void assert_perf_script_lines(size_t expected)
{
	char *printed = perf("script -F comm,period,event");
	size_t lines = 0;

	for (const char *line = strstr(printed, "1001001 cpu-clock:u"); line;
	     line = strstr(line + 1, "1001001 cpu-clock:u"))
		lines++;
	assert_int_equal(lines, expected);
	free(printed);
}

static void need_perf(void)
{
	if (!perf_is_installed())
		skip();
}

static void check_with_perf(void)
{
	assert_perf_prints("report --stdio", "# Samples: 100  of event 'cpu-clock:u'");
	assert_perf_prints("report --stdio", "# Event count (approx.): 100100100");
	assert_perf_script_lines(SAMPLES);
	assert_perf_prints("buildid-list", "12340000000000000000000000000000000000ff /usr/bin/worker");
}

static void perf_reads_a_finished_file(void **state)
{
	(void)state;
	need_perf();
	record(FINISHED);
	check_with_perf();
	assert_perf_prints("report --header-only", "# hostname : sirius");
	assert_perf_prints("report --header-only", "# cmdline : xprof record -- worker");
	assert_perf_prints("report --header-only",
			   "name = cpu-clock:u, , id = { 11, 12 }, type = 1, size = 128");
	assert_perf_prints("evlist -v", "page-faults: type: 1, size: 128, config: 0x2");
}

static void perf_reads_a_file_whose_writer_was_killed(void **state)
{
	(void)state;
	need_perf();
	record(KILLED);
	check_with_perf();
	assert_perf_prints("report --header-only", "# data offset");
	assert_perf_prints("evlist -v", "page-faults");
}

static void perf_reads_compressed_files(void **state)
{
	(void)state;
	need_compression();
	need_perf();
	record_with(FINISHED, &compressing);
	check_with_perf();
	assert_perf_prints("report --header-only", "# compressed : Zstd, level = 1, ratio = ");
	record_with(KILLED, &compressing);
	check_with_perf();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_finished_file_is_read_back, empty_directory),
		cmocka_unit_test_teardown(a_file_whose_writer_was_killed_is_read_up_to_the_last_flush,
					  empty_directory),
		cmocka_unit_test_teardown(a_file_is_whole_after_every_flush, empty_directory),
		cmocka_unit_test_teardown(a_compressed_file_is_read_back_finished_or_killed, empty_directory),
		cmocka_unit_test_teardown(compressed_data_is_smaller_by_what_is_said, empty_directory),
		cmocka_unit_test_teardown(a_file_of_the_other_byte_order_is_copied, empty_directory),
		cmocka_unit_test_teardown(features_of_a_copy_are_found_without_a_host_name, empty_directory),
		cmocka_unit_test_teardown(a_file_with_branch_stacks_says_so, empty_directory),
		cmocka_unit_test_teardown(groups_are_described_by_their_leader_and_size, empty_directory),
		cmocka_unit_test_teardown(a_file_that_is_written_aside_has_its_name_when_it_is_finished,
					  empty_directory),
		cmocka_unit_test_teardown(a_fifo_gets_pipe_data, empty_directory),
		cmocka_unit_test_teardown(a_full_disk_costs_only_what_was_not_flushed, empty_directory),
		cmocka_unit_test_teardown(of_a_large_write_stays_what_fits, empty_directory),
		cmocka_unit_test_teardown(of_a_large_copy_in_the_other_byte_order_stays_what_fits,
					  empty_directory),
		cmocka_unit_test_teardown(the_round_of_an_empty_recording_is_counted_once, empty_directory),
		cmocka_unit_test_teardown(tracing_data_has_a_section_of_its_own_from_the_start,
					  empty_directory),
		cmocka_unit_test_teardown(names_too_many_for_a_record_go_ahead_one_by_one, empty_directory),
		cmocka_unit_test_teardown(a_recording_begins_once_with_an_event, empty_directory),
		cmocka_unit_test_teardown(perf_reads_a_finished_file, empty_directory),
		cmocka_unit_test_teardown(perf_reads_a_file_whose_writer_was_killed, empty_directory),
		cmocka_unit_test_teardown(perf_reads_compressed_files, empty_directory),
	};

	return cmocka_run_group_tests_name("format/write/perf_writer", tests, make_directory,
					   remove_directory);
}
