#include "format/event.h"

#include <linux/perf_event.h>
#include <sys/mman.h>

#include "format/perf_file.h"
#include "support/cmocka.h"
#include "support/perf_data_builder.h"

static const enum built_byte_order orders[] = { BUILD_NATIVE, BUILD_SWAPPED };

static const struct perf_event_attr with_trailer = {
	.size = sizeof(with_trailer),
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
	.sample_id_all = 1,
};

static struct perf_data_builder *builder(enum built_byte_order order)
{
	struct perf_data_builder *b = perf_data_builder_create(order);

	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = with_trailer, .ids = { 7 }, .id_count = 1 });
	b->trailer_cpu = 3;
	return b;
}

/* The record as the walk over the file returns it. */
static struct event record_of(const struct perf_data_builder *b)
{
	struct byte_reader r = byte_reader_over(b->records.bytes, b->records.size, b->swap);
	struct event event = { .swap = b->swap };

	event.type = byte_reader_u32(&r);
	event.misc = byte_reader_u16(&r);
	event.size = byte_reader_u16(&r);
	event.payload = r.next;
	event.payload_size = byte_reader_left(&r);
	assert_int_equal(event.size, b->records.size);
	return event;
}

static void mmap2_has_device_and_inode_or_a_build_id(void **state)
{
	static const uint8_t build_id[16] = { 0xde, 0xad };
	const struct built_mmap plain = { .pid = 10,
					  .tid = 11,
					  .start = 0x7f0000000000,
					  .length = 0x2000,
					  .file_offset = 0x1000,
					  .device_major = 8,
					  .device_minor = 1,
					  .inode = 99,
					  .inode_generation = 5,
					  .prot = PROT_READ | PROT_EXEC,
					  .flags = MAP_PRIVATE,
					  .path = "/usr/lib/libc.so.6" };
	struct built_mmap identified = plain;

	(void)state;
	identified.build_id = build_id;
	identified.build_id_size = sizeof(build_id);
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		struct mmap_record record;
		struct error err;
		struct event event;

		perf_data_builder_mmap2(b, &plain);
		event = record_of(b);
		assert_int_equal(event_decode_mmap(&event, &record, &err), 0);
		assert_int_equal(record.pid, 10);
		assert_int_equal(record.tid, 11);
		assert_true(record.start == 0x7f0000000000);
		assert_int_equal(record.length, 0x2000);
		assert_int_equal(record.file_offset, 0x1000);
		assert_int_equal(record.device_major, 8);
		assert_int_equal(record.device_minor, 1);
		assert_int_equal(record.inode, 99);
		assert_int_equal(record.inode_generation, 5);
		assert_int_equal(record.prot, PROT_READ | PROT_EXEC);
		assert_int_equal(record.flags, MAP_PRIVATE);
		assert_int_equal(record.build_id_size, 0);
		assert_string_equal(record.path, "/usr/lib/libc.so.6");

		strbuf_reset(&b->records);
		perf_data_builder_mmap2(b, &identified);
		event = record_of(b);
		assert_int_equal(event_decode_mmap(&event, &record, &err), 0);
		assert_int_equal(record.build_id_size, 16);
		assert_memory_equal(record.build_id, build_id, 16);
		assert_int_equal(record.inode, 0);
		assert_int_equal(record.prot, PROT_READ | PROT_EXEC);
		perf_data_builder_destroy(b);
	}
}

/* As written by Linux 6.18 while another recorder wants build-ids: maj 254 is in place of the size. */
static void mmap2_whose_misc_alone_claims_a_build_id_has_device_and_inode(void **state)
{
	const struct built_mmap mappings[] = {
		{ .device_major = 254,
		  .inode = 0xb57061,
		  .path = "/usr/bin/true" }, /* virtio: 254 is larger than a build-id */
		{ .device_major = 259,
		  .inode = 7,
		  .path = "/usr/bin/true" }, /* NVMe: the reserved bytes are not 0 */
		{ .device_major = 8,
		  .device_minor = 1,
		  .inode = 99,
		  .inode_generation = 5,
		  .path = "/usr/bin/true" },
		{ .device_major = 8, .device_minor = 1, .inode = 99, .path = "/usr/bin/true" },
		{ .path = "[vdso]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(mappings) / sizeof(mappings[0]); i++) {
		struct perf_data_builder *b = builder(orders[i % 2]);
		struct mmap_record record;
		struct error err;
		struct event event;

		perf_data_builder_mmap2(b, &mappings[i]);
		event = record_of(b);
		event.misc |= RECORD_MISC_MMAP_BUILD_ID;
		assert_false(event_mmap2_has_build_id(&event));
		assert_int_equal(event_decode_mmap(&event, &record, &err), 0);
		assert_int_equal(record.build_id_size, 0);
		assert_int_equal(record.device_major, mappings[i].device_major);
		assert_int_equal(record.inode, mappings[i].inode);
		assert_string_equal(record.path, mappings[i].path);
		perf_data_builder_destroy(b);
	}
}

static void mmap_is_executable_unless_it_is_marked_as_data(void **state)
{
	struct perf_data_builder *b = builder(BUILD_NATIVE);
	struct mmap_record record;
	struct error err;
	struct event event;

	(void)state;
	perf_data_builder_mmap(b, &(struct built_mmap){ .start = 0x1000, .length = 16, .path = "[vdso]" });
	event = record_of(b);
	assert_int_equal(event_decode_mmap(&event, &record, &err), 0);
	assert_int_equal(record.prot, PROT_READ | PROT_EXEC);
	event.misc = PERF_RECORD_MISC_MMAP_DATA;
	assert_int_equal(event_decode_mmap(&event, &record, &err), 0);
	assert_int_equal(record.prot, PROT_READ);
	perf_data_builder_destroy(b);
}

static void tasks_comms_losses_symbols_and_switches_are_decoded(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		struct comm_record comm;
		struct task_record task;
		struct lost_record lost;
		struct ksymbol_record ksymbol;
		struct switch_record switching;
		struct error err;
		struct event event;

		perf_data_builder_comm_exec(b, 10, 11, "sh", 1);
		event = record_of(b);
		assert_int_equal(event_decode_comm(&event, &comm, &err), 0);
		assert_true(comm.exec);
		assert_int_equal(comm.tid, 11);
		assert_string_equal(comm.comm, "sh");

		strbuf_reset(&b->records);
		perf_data_builder_fork(b, 20, 10, 21, 11, 77);
		event = record_of(b);
		assert_int_equal(event_decode_task(&event, &task, &err), 0);
		assert_int_equal(task.pid, 20);
		assert_int_equal(task.parent_pid, 10);
		assert_int_equal(task.tid, 21);
		assert_int_equal(task.parent_tid, 11);
		assert_int_equal(task.time_ns, 77);

		strbuf_reset(&b->records);
		perf_data_builder_lost(b, 7, 1234, 1);
		event = record_of(b);
		assert_int_equal(event_decode_lost(&event, &lost, &err), 0);
		assert_int_equal(lost.id, 7);
		assert_int_equal(lost.lost, 1234);

		strbuf_reset(&b->records);
		perf_data_builder_lost_samples(b, 55, 1);
		event = record_of(b);
		assert_int_equal(event_decode_lost(&event, &lost, &err), 0);
		assert_int_equal(lost.id, 0);
		assert_int_equal(lost.lost, 55);

		strbuf_reset(&b->records);
		perf_data_builder_ksymbol(b, 0xffffffffc0000000, 64, 1, 1, "bpf_prog_1", 1);
		event = record_of(b);
		assert_int_equal(event_decode_ksymbol(&event, &ksymbol, &err), 0);
		assert_true(ksymbol.address == 0xffffffffc0000000);
		assert_int_equal(ksymbol.length, 64);
		assert_int_equal(ksymbol.type, 1);
		assert_int_equal(ksymbol.flags, 1);
		assert_string_equal(ksymbol.name, "bpf_prog_1");

		strbuf_reset(&b->records);
		perf_data_builder_switch(b, true, 10, 11, 1);
		event = record_of(b);
		assert_int_equal(event_decode_switch(&event, &switching, &err), 0);
		assert_true(switching.out);
		assert_false(switching.preempt);
		assert_int_equal(switching.next_prev_pid, 0);

		strbuf_reset(&b->records);
		perf_data_builder_begin(b, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
		perf_data_builder_u32(b, 30);
		perf_data_builder_u32(b, 31);
		perf_data_builder_end(b);
		event = record_of(b);
		assert_int_equal(event_decode_switch(&event, &switching, &err), 0);
		assert_true(switching.preempt);
		assert_int_equal(switching.next_prev_pid, 30);
		assert_int_equal(switching.next_prev_tid, 31);
		perf_data_builder_destroy(b);
	}
}

static void the_trailer_is_read_from_the_end_of_the_record(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct perf_data_builder *b = builder(orders[i]);
		const struct perf_attr attr = { .sample_type = with_trailer.sample_type,
						.flags = 1 << PERF_ATTR_SAMPLE_ID_ALL };
		const struct perf_attr without = { .sample_type = with_trailer.sample_type };
		struct sample_id id;
		struct error err;
		struct event event;

		perf_data_builder_comm(b, 10, 11, "worker", 4242);
		event = record_of(b);
		assert_int_equal(event_sample_id(&event, &attr, &id, &err), 0);
		assert_int_equal(id.pid, 10);
		assert_int_equal(id.tid, 11);
		assert_int_equal(id.time_ns, 4242);
		assert_int_equal(id.id, 7);
		assert_int_equal(id.stream_id, 7);
		assert_int_equal(id.cpu, 3);
		assert_int_equal(event_sample_id(&event, &without, &id, &err), 0);
		assert_int_equal(id.time_ns, 0);
		event.payload_size = 40; /* the trailer takes 48 */
		assert_int_equal(event_sample_id(&event, &attr, &id, &err), -1);
		perf_data_builder_destroy(b);
	}
}

static void records_that_end_too_early_are_refused(void **state)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);
	struct mmap_record record;
	struct error err;
	struct event event;

	(void)state;
	perf_data_builder_mmap2(b, &(struct built_mmap){ .path = "/bin/true" });
	event = record_of(b);
	for (size_t size = 0; size < 64 + 10; size++) { /* the fields, and the path with its terminator */
		event.payload_size = size;
		assert_int_equal(event_decode_mmap(&event, &record, &err), -1);
	}
	event.payload_size = 64 + 10;
	assert_int_equal(event_decode_mmap(&event, &record, &err), 0);
	event.file_offset = 0x1f40;
	event.payload_size = 4;
	assert_int_equal(event_decode_mmap(&event, &record, &err), -1);
	assert_string_equal(err.message, "MMAP2 record at offset 0x1f40: 88 bytes are too few for its type");
	perf_data_builder_destroy(b);
}

static void every_type_has_a_name(void **state)
{
	char buffer[24];

	(void)state;
	assert_string_equal(event_type_name(PERF_RECORD_SAMPLE, buffer), "SAMPLE");
	assert_string_equal(event_type_name(PERF_RECORD_FINISHED_ROUND, buffer), "FINISHED_ROUND");
	assert_string_equal(event_type_name(50, buffer), "UNKNOWN_50");
	assert_string_equal(event_type_name(UINT32_MAX, buffer), "UNKNOWN_4294967295");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mmap2_has_device_and_inode_or_a_build_id),
		cmocka_unit_test(mmap2_whose_misc_alone_claims_a_build_id_has_device_and_inode),
		cmocka_unit_test(mmap_is_executable_unless_it_is_marked_as_data),
		cmocka_unit_test(tasks_comms_losses_symbols_and_switches_are_decoded),
		cmocka_unit_test(the_trailer_is_read_from_the_end_of_the_record),
		cmocka_unit_test(records_that_end_too_early_are_refused),
		cmocka_unit_test(every_type_has_a_name),
	};

	return cmocka_run_group_tests_name("format/event", tests, NULL, NULL);
}
