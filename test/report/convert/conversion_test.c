#include "report/convert/conversion.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/event.h"
#include "format/perf_abi.h"
#include "format/sample.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"
#include "support/temp_tree.h"

static const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

static const struct perf_event_attr clock_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = PERF_ATTR_SIZE_VER7,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.sample_id_all = 1,
};

static const uint8_t build_id[20] = { 0xb1, 0x1d };

struct fixture {
	struct temp_tree tree;
	char input[96], output[96], kept[104];
	struct perf_data_builder *b;
	struct conversion_counts counts;
	struct perf_file *file; /* the output, when it is open */
};

static struct fixture begin(enum built_byte_order order, const struct perf_event_attr *attr)
{
	struct fixture fixture = { .b = perf_data_builder_create(order) };

	temp_tree_create(&fixture.tree);
	snprintf(fixture.input, sizeof(fixture.input), "%s/in.data", fixture.tree.root);
	snprintf(fixture.output, sizeof(fixture.output), "%s/out.data", fixture.tree.root);
	snprintf(fixture.kept, sizeof(fixture.kept), "%s.old", fixture.output);
	perf_data_builder_add_event(
		fixture.b,
		&(struct built_event){ .attr = *attr, .name = "my-clock", .ids = { 11, 12 }, .id_count = 2 });
	return fixture;
}

static void add_records(struct fixture *fixture)
{
	perf_data_builder_comm(fixture->b, 100, 100, "worker", 1000);
	perf_data_builder_mmap2(fixture->b, &(struct built_mmap){ .pid = 100,
								  .start = 0x400000,
								  .length = 0x1000,
								  .prot = 5,
								  .path = "/bin/worker",
								  .time_ns = 1001 });
	perf_data_builder_sample(
		fixture->b, &(struct built_sample){ .id = 12, .ip = 0x400100, .pid = 100, .time_ns = 2 });
	perf_data_builder_finished_round(fixture->b);
}

static int run(struct fixture *fixture, struct conversion_options options, struct error *err)
{
	perf_data_builder_save(fixture->b, fixture->input);
	options.input = fixture->input;
	options.output = fixture->output;
	return conversion_run(&options, &fixture->counts, err);
}

static void convert(struct fixture *fixture, struct conversion_options options)
{
	struct error err;

	if (run(fixture, options, &err) != 0)
		fail_msg("%s", err.message);
	fixture->file = perf_file_open(fixture->output, &err);
	if (!fixture->file)
		fail_msg("%s", err.message);
}

static void end(struct fixture *fixture)
{
	perf_file_close(fixture->file);
	perf_data_builder_destroy(fixture->b);
	temp_tree_remove(&fixture->tree);
}

/* The output's records are these bytes. */
static void assert_records(struct fixture *fixture, const struct strbuf *expected)
{
	struct byte_reader r = byte_reader_over(expected->bytes, expected->size, false);
	struct event event;
	struct error err;

	while (perf_file_next(fixture->file, &event, &err) == 1) {
		byte_reader_skip(&r, PERF_RECORD_HEADER_SIZE);
		assert_memory_equal(event.payload, r.next, event.payload_size);
		byte_reader_skip(&r, event.payload_size);
	}
	assert_true(byte_reader_ok(&r));
	assert_int_equal(byte_reader_left(&r), 0);
	assert_string_equal(perf_file_damage(fixture->file)->first_reason, "");
}

static void assert_says_the_same(const struct fixture *fixture)
{
	const struct perf_features *features = perf_file_features(fixture->file);
	const struct event_desc *event = perf_file_event(fixture->file, 0);

	assert_int_equal(perf_file_event_count(fixture->file), 1);
	assert_string_equal(event->name, "my-clock");
	assert_int_equal(event->attr.sample_type, clock_attr.sample_type);
	assert_int_equal(perf_file_event_by_id(fixture->file, 12), 0);
	assert_string_equal(features->hostname, "build-host");
	assert_int_equal(perf_file_swapped(fixture->file), fixture->b->swap);
}

static const struct conversion_options as_it_is = { .compression_level = CONVERSION_KEEPS_COMPRESSION };

static void a_file_is_copied_record_by_record_in_its_byte_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture fixture = begin(orders[i], &clock_attr);

		add_records(&fixture);
		perf_data_builder_feature_string(fixture.b, HEADER_HOSTNAME, "build-host");
		perf_data_builder_finish_file(fixture.b);
		convert(&fixture, as_it_is);
		assert_says_the_same(&fixture);
		assert_records(&fixture, &fixture.b->records);
		assert_int_equal(fixture.counts.records, 4);
		assert_int_equal(fixture.counts.samples, 1);
		end(&fixture);
	}
}

static void a_pipe_becomes_a_file_and_its_build_ids_a_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture fixture = begin(orders[i], &clock_attr);
		struct strbuf expected;

		strbuf_init(&expected);
		add_records(&fixture);
		strbuf_add(&expected, fixture.b->records.bytes, fixture.b->records.size);
		perf_data_builder_build_id_record(fixture.b, 2, build_id, "/bin/worker");
		perf_data_builder_feature_string(fixture.b, HEADER_HOSTNAME, "build-host");
		perf_data_builder_finish_pipe(fixture.b);
		convert(&fixture, as_it_is);
		assert_true(fixture.counts.was_pipe);
		assert_int_equal(perf_file_mode(fixture.file), PERF_FILE_SEEKABLE);
		assert_says_the_same(&fixture);
		assert_int_equal(perf_file_features(fixture.file)->build_id_count, 1);
		assert_string_equal(perf_file_features(fixture.file)->build_ids[0].path, "/bin/worker");
		assert_records(&fixture, &expected);
		strbuf_fini(&expected);
		end(&fixture);
	}
}

static void a_file_of_a_killed_recorder_gets_its_feature_table(void **state)
{
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);
	const char hostname[4 + 64] = { 64, 0, 0, 0, 'b', 'u', 'i', 'l', 'd', '-', 'h', 'o', 's', 't' };

	(void)state;
	perf_data_builder_feature_record(fixture.b, HEADER_HOSTNAME, hostname, sizeof(hostname));
	add_records(&fixture);
	fixture.b->never_patched = true;
	perf_data_builder_finish_file(fixture.b);
	convert(&fixture, as_it_is);
	assert_string_equal(perf_file_features(fixture.file)->hostname, "build-host");
	assert_true(fixture.counts.damage.truncated);
	assert_false(perf_file_damage(fixture.file)->truncated);
	end(&fixture);
}

static void an_aux_trace_is_found_by_its_new_place(void **state)
{
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);
	static const uint64_t old_index[3] = { 1, 0xdead, 0xbeef };
	struct byte_reader index;
	struct event event;
	const uint8_t *bytes;
	struct error err;
	size_t size;

	(void)state;
	perf_data_builder_begin(fixture.b, PERF_RECORD_AUXTRACE, 0);
	perf_data_builder_u64(fixture.b, 8);
	perf_data_builder_end(fixture.b);
	strbuf_add(&fixture.b->records, "thetrace", 8);
	add_records(&fixture);
	perf_data_builder_feature(fixture.b, HEADER_AUXTRACE, old_index, sizeof(old_index));
	perf_data_builder_finish_file(fixture.b);
	convert(&fixture, as_it_is);
	assert_int_equal(perf_file_next(fixture.file, &event, &err), 1);
	assert_int_equal(event.type, PERF_RECORD_AUXTRACE);
	assert_int_equal(perf_file_next_payload(fixture.file, &bytes, &size, &err), 1);
	assert_int_equal(size, 8);
	assert_memory_equal(bytes, "thetrace", 8);
	index = perf_file_feature_bytes(fixture.file, HEADER_AUXTRACE);
	assert_int_equal(byte_reader_u64(&index), 1);
	assert_int_equal(byte_reader_u64(&index), event.file_offset);
	assert_int_equal(byte_reader_u64(&index), event.size + 8);
	end(&fixture);
}

static void a_trace_that_is_cut_short_is_announced_as_long_as_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fixture fixture = begin(orders[i], &clock_attr);
		const uint8_t *bytes;
		struct event event;
		struct error err;
		size_t size;

		perf_data_builder_begin(fixture.b, PERF_RECORD_AUXTRACE, 0);
		perf_data_builder_u64(fixture.b, 1000); /* size of what follows */
		for (int field = 0; field < 4; field++)
			perf_data_builder_u64(fixture.b, 0);
		perf_data_builder_end(fixture.b);
		perf_data_builder_bytes(fixture.b, "thetrace", 8);
		fixture.b->never_finished = true;
		perf_data_builder_finish_file(fixture.b);
		convert(&fixture, as_it_is);
		assert_int_equal(perf_file_next(fixture.file, &event, &err), 1);
		assert_int_equal(event.type, PERF_RECORD_AUXTRACE);
		assert_int_equal(perf_file_payload_bytes(fixture.file), 8);
		assert_int_equal(perf_file_next_payload(fixture.file, &bytes, &size, &err), 1);
		assert_int_equal(size, 8);
		assert_memory_equal(bytes, "thetrace", 8);
		assert_int_equal(perf_file_next(fixture.file, &event, &err), 0);
		assert_false(perf_file_damage(fixture.file)->truncated);
		end(&fixture);
	}
}

static void a_recording_without_records_stays_one_that_was_finished(void **state)
{
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);
	struct event event;
	struct error err;

	(void)state;
	perf_data_builder_finish_file(fixture.b);
	convert(&fixture, as_it_is);
	/* data.size 0 would say that the recorder was killed. */
	assert_int_equal(perf_file_next(fixture.file, &event, &err), 1);
	assert_int_equal(event.type, PERF_RECORD_FINISHED_ROUND);
	assert_int_equal(perf_file_next(fixture.file, &event, &err), 0);
	assert_false(perf_file_damage(fixture.file)->truncated);
	assert_int_equal(fixture.counts.records, 0);
	end(&fixture);
}

static void plain_samples_have_no_registers_and_it_is_said(void **state)
{
	struct perf_event_attr attr = clock_attr;
	const uint64_t registers[] = { 333 };
	struct fixture fixture;
	struct sample sample;
	struct event event;
	struct error err;

	(void)state;
	attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr.sample_regs_user = 1 << 3;
	fixture = begin(BUILD_NATIVE, &attr);
	perf_data_builder_sample(fixture.b, &(struct built_sample){ .id = 11,
								    .ip = 0x400100,
								    .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
								    .user_regs = registers,
								    .user_stack = "stack bytes here",
								    .user_stack_size = 16,
								    .user_stack_dumped = 16 });
	perf_data_builder_finish_file(fixture.b);
	convert(&fixture, (struct conversion_options){ .plain_samples = true });
	assert_int_equal(perf_file_event(fixture.file, 0)->attr.sample_type,
			 clock_attr.sample_type | PERF_SAMPLE_CALLCHAIN);
	assert_int_equal(perf_file_next(fixture.file, &event, &err), 1);
	assert_int_equal(event.size,
			 8 + 5 * 8); /* nothing is unwound from one register: the chain is empty */
	assert_int_equal(sample_decode(&sample, &event, &perf_file_event(fixture.file, 0)->attr, &err), 0);
	assert_int_equal(sample.ip, 0x400100);
	assert_int_equal(fixture.counts.plain_samples, 1);
	assert_int_equal(fixture.counts.plain_bytes,
			 2 * 8 + 8 + 16 + 8 - 8); /* less the size of the chain, which was added */
	end(&fixture);
}

/* Linux 6.19: the user part comes when the thread is back in user space, maybe in another CPU's ring. */
static void plain_samples_have_the_part_of_their_chain_that_came_later(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000000, (uint64_t)-640, 77 };
	const uint64_t whole[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000000,
				   (uint64_t)PERF_CONTEXT_USER, 0x400010, 0x400020 };
	struct perf_event_attr attr = clock_attr;
	char *flags = (char *)&attr + offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t);
	uint64_t word;
	struct fixture fixture;
	struct sample sample;
	struct event event;

	(void)state;
	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	memcpy(&word, flags, sizeof(word));
	word |= (uint64_t)1 << PERF_ATTR_DEFER_CALLCHAIN;
	memcpy(flags, &word, sizeof(word));
	fixture = begin(BUILD_NATIVE, &attr);
	perf_data_builder_begin(fixture.b, RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(fixture.b, 77);
	perf_data_builder_u64(fixture.b, 3);
	for (size_t i = 2; i < 5; i++)
		perf_data_builder_u64(fixture.b, whole[i]);
	perf_data_builder_trailer(fixture.b, 7, 8, 9);
	perf_data_builder_end(fixture.b);
	perf_data_builder_sample(fixture.b, &(struct built_sample){ .id = 11,
								    .misc = PERF_RECORD_MISC_KERNEL,
								    .ip = chain[1],
								    .pid = 7,
								    .tid = 8,
								    .time_ns = 6,
								    .callchain = chain,
								    .callchain_count = 4 });
	perf_data_builder_finished_round(fixture.b);
	perf_data_builder_finish_file(fixture.b);
	convert(&fixture, (struct conversion_options){ .plain_samples = true });
	assert_false(perf_attr_has(&perf_file_event(fixture.file, 0)->attr, PERF_ATTR_DEFER_CALLCHAIN));
	assert_int_equal(perf_file_next(fixture.file, &event, NULL), 1);
	assert_int_equal(sample_decode(&sample, &event, &perf_file_event(fixture.file, 0)->attr, NULL), 0);
	assert_int_equal(sample.callchain_count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_true(sample_callchain_entry(&sample, i) == whole[i]);
	assert_int_equal(fixture.counts.joined_samples, 1);
	while (perf_file_next(fixture.file, &event, NULL) == 1)
		assert_int_not_equal(event.type, RECORD_CALLCHAIN_DEFERRED);
	end(&fixture);
}

static void a_record_longer_than_its_size_field_goes_in_pieces(void **state)
{
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);
	enum { PAYLOAD = 150000 };
	struct event event;
	struct error err;

	(void)state;
	/* simpleperf's 32-bit size: its upper half, then the lower */
	strbuf_add_u32(&fixture.b->records, SIMPLEPERF_RECORD_KERNEL_SYMBOL, false);
	strbuf_add_u16(&fixture.b->records, (PAYLOAD + 8) >> 16, false);
	strbuf_add_u16(&fixture.b->records, (uint16_t)(PAYLOAD + 8), false);
	for (uint32_t i = 0; i < PAYLOAD / 4; i++)
		strbuf_add_u32(&fixture.b->records, i, false);
	perf_data_builder_finish_file(fixture.b);
	convert(&fixture, as_it_is);
	assert_true(fixture.counts.output_bytes > PAYLOAD + 8 + 3 * 8);
	assert_int_equal(perf_file_next(fixture.file, &event, &err), 1);
	assert_int_equal(event.type, SIMPLEPERF_RECORD_KERNEL_SYMBOL);
	assert_int_equal(event.payload_size, PAYLOAD);
	assert_memory_equal(event.payload, fixture.b->records.bytes + 8, PAYLOAD);
	assert_int_equal(perf_file_next(fixture.file, &event, &err), 0);
	end(&fixture);
}

static void zeros_behind_what_old_readers_know_of_an_attr_are_cut(void **state)
{
	(void)state;
	for (int used = 0; used < 2; used++) {
		struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);

		fixture.b->attr_bytes = 144;
		fixture.b->events[0].attr.size = 144;
		add_records(&fixture);
		perf_data_builder_finish_file(fixture.b);
		fixture.b->out.bytes[104 + 136] = (char)used; /* after the header */
		convert(&fixture, as_it_is);
		assert_int_equal(perf_file_event(fixture.file, 0)->attr_size, used ? 144 : 128);
		assert_int_equal(fixture.counts.cut_attrs, 0);
		end(&fixture);
	}
}

static void compression_is_kept_given_and_taken_away(void **state)
{
	static const int levels[] = { 3, CONVERSION_KEEPS_COMPRESSION, 0 };
	static const unsigned int expected[] = { 3, 3, 0 };
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);

	(void)state;
	if (!compressor_available())
		skip();
	for (int i = 0; i < 100; i++)
		add_records(&fixture);
	perf_data_builder_finish_file(fixture.b);
	for (size_t i = 0; i < 3; i++) {
		convert(&fixture, (struct conversion_options){ .compression_level = levels[i] });
		assert_int_equal(perf_file_features(fixture.file)->compression_level, expected[i]);
		assert_int_equal(fixture.counts.was_compressed, i > 0);
		assert_records(&fixture, &fixture.b->records);
		perf_file_close(fixture.file);
		/* The next one reads what this one wrote. */
		strbuf_reset(&fixture.b->out);
		assert_int_equal(rename(fixture.output, fixture.input), 0);
		if (i < 2) {
			int fd = open(fixture.input, O_RDONLY | O_CLOEXEC);
			char bytes[65536];
			ssize_t size = read(fd, bytes, sizeof(bytes));

			close(fd);
			assert_true(size > 0);
			strbuf_add(&fixture.b->out, bytes, (size_t)size);
		}
	}
	fixture.file = NULL;
	end(&fixture);
}

static void what_has_the_outputs_name_is_kept_also_if_it_is_the_input(void **state)
{
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);
	struct stat before, kept;

	(void)state;
	strcpy(fixture.output, fixture.input);
	snprintf(fixture.kept, sizeof(fixture.kept), "%s.old", fixture.output);
	add_records(&fixture);
	perf_data_builder_finish_file(fixture.b);
	perf_data_builder_save(fixture.b, fixture.input);
	assert_int_equal(stat(fixture.input, &before), 0);
	convert(&fixture, as_it_is);
	assert_records(&fixture, &fixture.b->records);
	assert_int_equal(stat(fixture.kept, &kept), 0);
	assert_int_equal(kept.st_size, before.st_size);
	end(&fixture);
}

static void a_file_without_events_is_refused_and_the_output_stays(void **state)
{
	struct fixture fixture = begin(BUILD_NATIVE, &clock_attr);
	struct error err;

	(void)state;
	fixture.b->event_count = 0;
	perf_data_builder_finish_pipe(fixture.b);
	temp_tree_file(&fixture.tree, "out.data", "precious");
	assert_int_equal(run(&fixture, as_it_is, &err), -1);
	assert_non_null(strstr(err.message, "no event is described in it"));
	assert_int_equal(access(fixture.kept, F_OK), -1);
	assert_int_equal(access(fixture.output, F_OK), 0);
	end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_copied_record_by_record_in_its_byte_order),
		cmocka_unit_test(a_pipe_becomes_a_file_and_its_build_ids_a_table),
		cmocka_unit_test(a_file_of_a_killed_recorder_gets_its_feature_table),
		cmocka_unit_test(an_aux_trace_is_found_by_its_new_place),
		cmocka_unit_test(a_trace_that_is_cut_short_is_announced_as_long_as_it_is),
		cmocka_unit_test(a_recording_without_records_stays_one_that_was_finished),
		cmocka_unit_test(plain_samples_have_no_registers_and_it_is_said),
		cmocka_unit_test(plain_samples_have_the_part_of_their_chain_that_came_later),
		cmocka_unit_test(a_record_longer_than_its_size_field_goes_in_pieces),
		cmocka_unit_test(zeros_behind_what_old_readers_know_of_an_attr_are_cut),
		cmocka_unit_test(compression_is_kept_given_and_taken_away),
		cmocka_unit_test(what_has_the_outputs_name_is_kept_also_if_it_is_the_input),
		cmocka_unit_test(a_file_without_events_is_refused_and_the_output_stays),
	};

	return cmocka_run_group_tests_name("report/convert/conversion", tests, NULL, NULL);
}
