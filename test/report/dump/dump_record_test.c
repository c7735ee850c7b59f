#include "report/dump/dump_record.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/full_sample.h"

struct fixture {
	struct perf_data_builder *builder;
	struct dump_out out;
	struct error err;
	int damaged; /* records that did not decode */
};

static struct fixture begin_with(enum built_byte_order order, const struct perf_event_attr *attr)
{
	struct fixture fixture = { .builder = perf_data_builder_create(order) };

	perf_data_builder_add_event(
		fixture.builder,
		&(struct built_event){ .attr = *attr, .name = "cycles", .ids = { 5 }, .id_count = 1 });
	perf_data_builder_feature_string(fixture.builder, HEADER_ARCH, "x86_64");
	return fixture;
}

static struct fixture begin(uint64_t sample_type)
{
	return begin_with(BUILD_NATIVE, &(struct perf_event_attr){ .size = sizeof(struct perf_event_attr),
								   .sample_type = sample_type,
								   .sample_id_all = 1 });
}

/* Checking a record without showing it gives the same result, and leaves the output unchanged. */
static void check_again(struct fixture *fixture, const struct perf_file *file, const struct event *event,
			int result)
{
	const size_t size = fixture->out.text.size;

	assert_int_equal(dump_record_check(&fixture->out, file, event, &fixture->err), result);
	assert_int_equal(fixture->out.text.size, size);
	assert_int_equal(strlen(fixture->out.text.bytes), size);
}

/* The text of all records, each without its first field, the offset. */
static const char *dump_all(struct fixture *fixture)
{
	struct strbuf text;
	struct perf_file *file;
	struct event event;
	int result;

	perf_data_builder_finish_file(fixture->builder);
	file = perf_data_builder_open(fixture->builder);
	strbuf_init(&text);
	while (perf_file_next(file, &event, &fixture->err) == 1) {
		dump_out_init(&fixture->out, false, (struct color){ false });
		result = dump_record(&fixture->out, file, &event, false, &fixture->err);
		fixture->damaged += result != 0;
		check_again(fixture, file, &event, result);
		strbuf_adds(&text, strchr(fixture->out.text.bytes, ' ') + 2);
		dump_out_fini(&fixture->out);
	}
	perf_file_close(file);
	fixture->out.text = text;
	return text.bytes;
}

static void end(struct fixture *fixture)
{
	dump_out_fini(&fixture->out);
	perf_data_builder_destroy(fixture->builder);
}

enum { PLAIN = PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

static void state_records_show_their_fields_and_their_trailer(void **state)
{
	const uint8_t build_id[] = { 0xab, 0xcd };
	struct fixture f = begin(PLAIN);

	(void)state;
	perf_data_builder_comm_exec(f.builder, 10, 11, "worker", 1000000001);
	perf_data_builder_fork(f.builder, 20, 10, 21, 11, 2000000000);
	perf_data_builder_mmap2(f.builder, &(struct built_mmap){ .pid = 10,
								 .tid = 10,
								 .start = 0x400000,
								 .length = 0x1000,
								 .file_offset = 0x2000,
								 .build_id = build_id,
								 .build_id_size = 2,
								 .prot = 5,
								 .flags = 2,
								 .misc = PERF_RECORD_MISC_USER,
								 .path = "/bin/x" });
	perf_data_builder_lost(f.builder, 5, 77, 3);
	perf_data_builder_switch(f.builder, true, 10, 11, 4);
	assert_string_equal(
		dump_all(&f),
		"COMM  size 40  misc 0x2000  exec yes  pid 10  tid 11  comm \"worker\"  "
		"sample_id{pid 10 tid 11 time 1.000000001}\n"
		"FORK  size 48  misc 0x0  pid 20  ppid 10  tid 21  ptid 11  time 2.000000000  "
		"sample_id{pid 20 tid 21 time 2.000000000}\n"
		"MMAP2  size 96  misc 0x4002  mode user  pid 10  tid 10  start 0x400000  length 0x1000  "
		"pgoff 0x2000  build_id abcd  prot 0x5  flags 0x2  path \"/bin/x\"  sample_id{pid 10 tid 10}\n"
		"LOST  size 40  misc 0x0  id 5  lost 77  sample_id{time 0.000000003}\n"
		"SWITCH  size 24  misc 0x2000  direction out  sample_id{pid 10 tid 11 time 0.000000004}\n");
	assert_int_equal(f.damaged, 0);
	end(&f);
}

/*
 * In both byte orders, since each part is read in its own way; without branches, whose flags are bit fields with other bits in
 * the other byte order.
 */
static void check_full_sample(enum built_byte_order order)
{
	struct perf_event_attr attr = full_sample_attr;
	struct fixture f;

	attr.sample_type &= ~(uint64_t)PERF_SAMPLE_BRANCH_STACK;
	f = begin_with(order, &attr);
	perf_data_builder_sample(f.builder, &full_sample);
	assert_string_equal(
		dump_all(&f),
		"SAMPLE  size 336  misc 0x2  mode user  event \"cycles\"  ip 0x400100  pid 10  tid 11  "
		"time 0.000012345  addr 0xadd0  id 7  stream_id 9  cpu 5  period 250000  weight 1  ins_lat 2  "
		"p_stage_cyc 3  data_src 0x15  transaction 0x16  phys_addr 0x17  cgroup 24  data_page_size 4096  "
		"code_page_size 2097152  raw_size 12  user_stack_size 12  aux_size 8\n"
		"    read:\n"
		"        group_of 2\n"
		"        value 1000 id 7\n"
		"        value 2000 id 8\n"
		"    callchain: [kernel] 0xffffffff81000000 [user] 0x400100 0x400200\n"
		"    user_regs:\n"
		"        abi 64 DX 0x14d IP 0x378\n"
		"    intr_regs:\n"
		"        abi 64 DX 0x6f IP 0x70\n");
	assert_int_equal(f.damaged, 0);
	end(&f);
}

static void a_sample_shows_all_its_parts_in_either_byte_order(void **state)
{
	(void)state;
	check_full_sample(BUILD_NATIVE);
	check_full_sample(BUILD_SWAPPED);
}

static void branches_show_their_flags_and_cycles(void **state)
{
	struct fixture f = begin(PERF_SAMPLE_BRANCH_STACK);
	const uint64_t branches[] = { 0x10, 0x20, 1 | 300 << 4, 0x30, 0x40, 2 };

	(void)state;
	perf_data_builder_sample(f.builder,
				 &(struct built_sample){ .branches = branches, .branch_count = 2 });
	assert_string_equal(dump_all(&f), "SAMPLE  size 64  misc 0x0  event \"cycles\"\n"
					  "    branches:\n"
					  "        from 0x10 to 0x20 flags mispredicted cycles 300\n"
					  "        from 0x30 to 0x40 flags predicted\n");
	end(&f);
}

static void what_was_counted_between_branches_is_shown_with_them(void **state)
{
	struct perf_event_attr attr = full_sample_attr;
	struct fixture f;

	(void)state;
	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	f = begin_with(BUILD_NATIVE, &attr);
	perf_data_builder_sample(f.builder, &full_sample);
	assert_string_equal(dump_all(&f),
			    "SAMPLE  size 88  misc 0x2  mode user  event \"cycles\"  branch_hw_index 0x11\n"
			    "    branches:\n"
			    "        from 0x10 to 0x20 flags mispredicted counters 0x5\n"
			    "        from 0x30 to 0x40 flags predicted counters 0x6\n");
	end(&f);
}

static void a_record_that_is_too_small_says_so_behind_what_could_be_read(void **state)
{
	struct fixture f = begin(0);

	(void)state;
	perf_data_builder_begin(f.builder, PERF_RECORD_LOST, 0);
	perf_data_builder_u64(f.builder, 5);
	perf_data_builder_end(f.builder);
	perf_data_builder_begin(f.builder, PERF_RECORD_COMM, 0);
	perf_data_builder_u64(f.builder, 0);
	perf_data_builder_bytes(f.builder, "12345678", 8);
	perf_data_builder_end(f.builder);
	assert_string_equal(dump_all(&f), "LOST  size 16  misc 0x0  id 5  sample_id{}  "
					  "damaged: 8 bytes are too few for its type\n"
					  "COMM  size 24  misc 0x0  pid 0  tid 0  sample_id{}  "
					  "damaged: 16 bytes are too few for its type\n");
	assert_int_equal(f.damaged, 2);
	end(&f);
}

static void records_of_the_tools_show_their_fields(void **state)
{
	struct fixture f = begin(PLAIN);

	(void)state;
	perf_data_builder_begin(f.builder, PERF_RECORD_ID_INDEX, 0);
	perf_data_builder_u64(f.builder, 1);
	for (uint64_t word = 5; word < 8; word++)
		perf_data_builder_u64(f.builder, word);
	perf_data_builder_u64(f.builder, UINT64_MAX);
	perf_data_builder_end(f.builder);
	perf_data_builder_begin(f.builder, PERF_RECORD_CPU_MAP, 0);
	perf_data_builder_u16(f.builder, 1);
	perf_data_builder_u16(f.builder, 1);
	perf_data_builder_u16(f.builder, 8);
	perf_data_builder_u16(f.builder, 0);
	perf_data_builder_u64(f.builder, 0xff);
	perf_data_builder_end(f.builder);
	perf_data_builder_finished_round(f.builder);
	perf_data_builder_begin(f.builder, 99, 0);
	perf_data_builder_u64(f.builder, 0);
	perf_data_builder_end(f.builder);
	assert_string_equal(dump_all(&f), "ID_INDEX  size 48  misc 0x0\n"
					  "    entries:\n"
					  "        id 5 idx 6 cpu 7 tid -1\n"
					  "CPU_MAP  size 24  misc 0x0  map_type 1\n"
					  "    mask: 0xff\n"
					  "FINISHED_ROUND  size 8  misc 0x0\n"
					  "UNKNOWN_99  size 16  misc 0x0\n");
	assert_int_equal(f.damaged, 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(state_records_show_their_fields_and_their_trailer),
		cmocka_unit_test(a_sample_shows_all_its_parts_in_either_byte_order),
		cmocka_unit_test(branches_show_their_flags_and_cycles),
		cmocka_unit_test(what_was_counted_between_branches_is_shown_with_them),
		cmocka_unit_test(a_record_that_is_too_small_says_so_behind_what_could_be_read),
		cmocka_unit_test(records_of_the_tools_show_their_fields),
	};

	return cmocka_run_group_tests_name("report/dump/dump_record", tests, NULL, NULL);
}
