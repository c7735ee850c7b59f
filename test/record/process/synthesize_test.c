#include "record/process/synthesize.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "base/byte_reader.h"
#include "format/event.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

/* The records that are synthesized from an artificial /proc and /sys. */
struct fixture {
	struct temp_tree tree;
	char proc[128], sys[128];
	struct strbuf out;
	struct synthesis synthesis;
	size_t read; /* bytes of `out` read so far */
};

static int set_up(void **state)
{
	static struct fixture fixture;

	memset(&fixture, 0, sizeof(fixture));
	temp_tree_create(&fixture.tree);
	snprintf(fixture.proc, sizeof(fixture.proc), "%s/proc", fixture.tree.root);
	snprintf(fixture.sys, sizeof(fixture.sys), "%s/sys", fixture.tree.root);
	strbuf_init(&fixture.out);
	fixture.synthesis = (struct synthesis){ .proc = fixture.proc,
						.sys = fixture.sys,
						.forks = true,
						.trailer_bytes = 16,
						.out = &fixture.out,
						.files = build_id_table_create() };
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	build_id_table_destroy(fixture->synthesis.files);
	strbuf_fini(&fixture->out);
	temp_tree_remove(&fixture->tree);
	return 0;
}

/*
 * Returns the next record. Its sample_id trailer { u32 pid, tid; u64 time } must be zero, except for the time of mappings if
 * there are FORKs.
 */
static struct event next_record(struct fixture *fixture, uint32_t type)
{
	const uint64_t trailer[2] = { 0, type == PERF_RECORD_MMAP2 && fixture->synthesis.forks };
	const uint8_t *bytes = (const uint8_t *)fixture->out.bytes + fixture->read;
	struct perf_event_header header;

	assert_true(fixture->out.size - fixture->read >= sizeof(header));
	memcpy(&header, bytes, sizeof(header));
	assert_int_equal(header.type, type);
	assert_int_equal(header.size % 8, 0);
	assert_true(header.size <= fixture->out.size - fixture->read);
	assert_int_equal(fixture->synthesis.trailer_bytes, sizeof(trailer));
	assert_memory_equal(bytes + header.size - sizeof(trailer), trailer, sizeof(trailer));
	fixture->read += header.size;
	return (struct event){ .type = header.type,
			       .misc = header.misc,
			       .size = header.size,
			       .payload = bytes + sizeof(header),
			       .payload_size = header.size - sizeof(header) };
}

static void assert_no_more(const struct fixture *fixture)
{
	assert_int_equal(fixture->read, fixture->out.size);
}

static void assert_task(struct fixture *fixture, uint32_t pid, uint32_t tid, uint32_t parent,
			const char *name)
{
	struct event fork = next_record(fixture, PERF_RECORD_FORK);
	struct event comm = next_record(fixture, PERF_RECORD_COMM);
	struct task_record task;
	struct comm_record record;

	assert_int_equal(event_decode_task(&fork, &task, NULL), 0);
	assert_int_equal(task.pid, pid);
	assert_int_equal(task.tid, tid);
	assert_int_equal(task.parent_pid, parent);
	assert_int_equal(task.time_ns, 0);
	assert_int_equal(fork.misc,
			 1 << 13); /* PERF_RECORD_MISC_FORK_EXEC: no copy of the parent's mappings */
	assert_int_equal(event_decode_comm(&comm, &record, NULL), 0);
	assert_int_equal(record.pid, pid);
	assert_int_equal(record.tid, tid);
	assert_false(record.exec);
	assert_string_equal(record.comm, name);
}

static void a_process_is_forked_named_mapped_and_followed_by_its_threads(void **state)
{
	struct fixture *fixture = *state;
	struct mmap_record mapping;
	struct event event;

	temp_tree_file(&fixture->tree, "proc/42/stat",
		       "42 (odd ) (name that is long) S 7 42 42 0 -1 4194560 1 2 3");
	temp_tree_file(&fixture->tree, "proc/42/maps",
		       "400000-401000 r--p 00000000 fe:01 77 /usr/bin/odd\n"
		       "401000-403000 r-xp 00001000 fe:01 77 /usr/bin/odd\n"
		       "7f0000-7f1000 rwxp 00000000 00:00 0 \n");
	temp_tree_file(&fixture->tree, "proc/42/task/42/comm", "odd\n");
	temp_tree_file(&fixture->tree, "proc/42/task/43/comm", "worker/0:1-events\n");
	synthesize_process(&fixture->synthesis, 42);

	assert_task(fixture, 42, 42, 7, "odd ) (name tha");
	event = next_record(fixture, PERF_RECORD_MMAP2);
	assert_int_equal(event_decode_mmap(&event, &mapping, NULL), 0);
	assert_int_equal(mapping.pid, 42);
	assert_true(mapping.start == 0x401000 && mapping.length == 0x2000 && mapping.file_offset == 0x1000);
	assert_int_equal(mapping.device_major, 0xfe);
	assert_int_equal(mapping.inode, 77);
	assert_string_equal(mapping.path, "/usr/bin/odd");
	event = next_record(fixture, PERF_RECORD_MMAP2);
	assert_int_equal(event_decode_mmap(&event, &mapping, NULL), 0);
	assert_string_equal(mapping.path, "//anon");
	assert_task(fixture, 42, 43, 42, "worker/0:1-even");
	assert_no_more(fixture);
	assert_int_equal(fixture->synthesis.mapping_count, 2);
}

static void without_forks_a_process_is_named_and_mapped(void **state)
{
	struct fixture *fixture = *state;
	struct comm_record record;
	struct event event;

	temp_tree_file(&fixture->tree, "proc/42/stat", "42 (odd) S 7 42 42 0 -1 4194560 1 2 3");
	temp_tree_file(&fixture->tree, "proc/42/maps", "401000-403000 r-xp 00001000 fe:01 77 /usr/bin/odd\n");
	temp_tree_file(&fixture->tree, "proc/42/task/42/comm", "odd\n");
	temp_tree_file(&fixture->tree, "proc/42/task/43/comm", "worker\n");
	fixture->synthesis.forks = false;
	synthesize_process(&fixture->synthesis, 42);

	event = next_record(fixture, PERF_RECORD_COMM);
	assert_int_equal(event_decode_comm(&event, &record, NULL), 0);
	assert_string_equal(record.comm, "odd");
	next_record(fixture, PERF_RECORD_MMAP2);
	event = next_record(fixture, PERF_RECORD_COMM);
	assert_int_equal(event_decode_comm(&event, &record, NULL), 0);
	assert_string_equal(record.comm, "worker");
	assert_no_more(fixture);
}

static void namespaces_come_on_request(void **state)
{
	struct fixture *fixture = *state;
	struct byte_reader r;
	struct event event;

	temp_tree_file(&fixture->tree, "proc/42/stat", "42 (a) S 1 42 42 0 -1 0 1");
	temp_tree_file(&fixture->tree, "proc/42/maps", "");
	temp_tree_file(&fixture->tree, "proc/42/ns/net", "");
	fixture->synthesis.namespaces = true;
	synthesize_process(&fixture->synthesis, 42);
	next_record(fixture, PERF_RECORD_FORK);
	event = next_record(fixture, PERF_RECORD_NAMESPACES);
	r = byte_reader_over(event.payload, event.payload_size, false);
	assert_int_equal(byte_reader_u32(&r), 42);
	assert_int_equal(byte_reader_u32(&r), 42);
	assert_int_equal(byte_reader_u64(&r), 7);
	assert_true(byte_reader_u64(&r) != 0 && byte_reader_u64(&r) != 0); /* net's device and inode */
	assert_int_equal(byte_reader_u64(&r), 0);                          /* uts: missing */
}

static void cgroups_have_their_paths_below_the_mount(void **state)
{
	struct fixture *fixture = *state;
	char mounts[512];
	struct event event;

	snprintf(mounts, sizeof(mounts), "none %s/v2 cgroup2 rw 0 0\nnone %s/v1 cgroup rw,perf_event 0 0\n",
		 fixture->tree.root, fixture->tree.root);
	temp_tree_file(&fixture->tree, "proc/mounts", mounts);
	temp_tree_file(&fixture->tree, "v1/web/one/cgroup.procs", "");
	temp_tree_file(&fixture->tree, "v2/wrong/cgroup.procs", "");
	synthesize_cgroups(&fixture->synthesis);
	if (fixture->out.size == 0)
		skip(); /* a file system without handles */
	event = next_record(fixture, PERF_RECORD_CGROUP);
	assert_string_equal((const char *)event.payload + 8, "/");
	event = next_record(fixture, PERF_RECORD_CGROUP);
	assert_string_equal((const char *)event.payload + 8, "/web");
	event = next_record(fixture, PERF_RECORD_CGROUP);
	assert_string_equal((const char *)event.payload + 8, "/web/one");
	assert_no_more(fixture);
}

static void data_mappings_are_marked(void **state)
{
	struct fixture *fixture = *state;

	temp_tree_file(&fixture->tree, "proc/42/stat", "42 (a) S 1 42 42 0 -1 0 1");
	temp_tree_file(&fixture->tree, "proc/42/maps", "400000-401000 r--p 00000000 fe:01 77 /a\n");
	fixture->synthesis.data_mappings = true;
	synthesize_process(&fixture->synthesis, 42);
	assert_task(fixture, 42, 42, 1, "a");
	assert_int_equal(next_record(fixture, PERF_RECORD_MMAP2).misc, PERF_RECORD_MISC_USER | 1 << 13);
	assert_no_more(fixture);
}

static void a_kernel_thread_has_no_mappings(void **state)
{
	struct fixture *fixture = *state;

	/* field 9, flags: PF_KTHREAD = 0x200000 = 2097152 */
	temp_tree_file(&fixture->tree, "proc/2/stat", "2 (kthreadd) S 0 0 0 0 -1 2097152 0");
	temp_tree_file(&fixture->tree, "proc/2/maps", "1000-2000 r-xp 00000000 00:00 0 \n");
	synthesize_process(&fixture->synthesis, 2);
	assert_task(fixture, 2, 2, 0, "kthreadd");
	assert_no_more(fixture);
}

static void a_process_that_has_ended_is_left_out(void **state)
{
	struct fixture *fixture = *state;

	synthesize_process(&fixture->synthesis, 4711);
	assert_no_more(fixture);
	assert_int_equal(fixture->synthesis.process_count, 0);
}

static void the_kernel_is_mapped_from_its_first_symbol_with_the_size_of_its_code(void **state)
{
	struct fixture *fixture = *state;
	struct mmap_record mapping;
	struct event event;

	temp_tree_file(
		&fixture->tree, "proc/kallsyms",
		"0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\nffffffff81000000 T _text\n");
	temp_tree_file(&fixture->tree, "proc/iomem",
		       "00100000-bfffffff : System RAM\n  01000000-022090c7 : Kernel code\n");
	temp_tree_file(
		&fixture->tree, "proc/modules",
		"my_mod 16384 0 - Live 0xffffffffc0400000 (O)\nhidden 4096 0 - Live 0x0000000000000000\n");
	assert_true(synthesize_kernel(&fixture->synthesis));

	event = next_record(fixture, PERF_RECORD_MMAP);
	assert_int_equal(event_decode_mmap(&event, &mapping, NULL), 0);
	assert_int_equal(event.misc, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(mapping.pid, UINT32_MAX);
	assert_true(mapping.start == 0xffffffff81000000 && mapping.length == 0x12090c8);
	assert_true(mapping.file_offset == 0xffffffff81000000);
	assert_string_equal(mapping.path, "[kernel.kallsyms]_text");

	event = next_record(fixture, PERF_RECORD_MMAP);
	assert_int_equal(event_decode_mmap(&event, &mapping, NULL), 0);
	assert_true(mapping.start == 0xffffffffc0400000 && mapping.length == 16384);
	assert_string_equal(mapping.path, "[my_mod]");
	assert_no_more(fixture);
}

static void hidden_kernel_addresses_are_noticed(void **state)
{
	struct fixture *fixture = *state;

	temp_tree_file(&fixture->tree, "proc/kallsyms",
		       "0000000000000000 T _stext\n0000000000000000 T _text\n");
	assert_false(synthesize_kernel(&fixture->synthesis));
	assert_no_more(fixture);
}

static void a_bpf_program_is_a_kernel_symbol(void **state)
{
	struct fixture *fixture = *state;
	struct ksymbol_record symbol;
	struct event event;

	synthesize_ksymbol(&fixture->synthesis, 0xffffffffc0001000, 200, "bpf_prog_0123456789abcdef_main");
	event = next_record(fixture, PERF_RECORD_KSYMBOL);
	assert_int_equal(event_decode_ksymbol(&event, &symbol, NULL), 0);
	assert_true(symbol.address == 0xffffffffc0001000 && symbol.length == 200);
	assert_int_equal(symbol.type, PERF_RECORD_KSYMBOL_TYPE_BPF);
	assert_string_equal(symbol.name, "bpf_prog_0123456789abcdef_main");
}

int main(void)
{
#define SYNTHESIS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		SYNTHESIS_TEST(a_process_is_forked_named_mapped_and_followed_by_its_threads),
		SYNTHESIS_TEST(without_forks_a_process_is_named_and_mapped),
		SYNTHESIS_TEST(namespaces_come_on_request),
		SYNTHESIS_TEST(cgroups_have_their_paths_below_the_mount),
		SYNTHESIS_TEST(data_mappings_are_marked),
		SYNTHESIS_TEST(a_kernel_thread_has_no_mappings),
		SYNTHESIS_TEST(a_process_that_has_ended_is_left_out),
		SYNTHESIS_TEST(the_kernel_is_mapped_from_its_first_symbol_with_the_size_of_its_code),
		SYNTHESIS_TEST(hidden_kernel_addresses_are_noticed),
		SYNTHESIS_TEST(a_bpf_program_is_a_kernel_symbol),
	};

	return cmocka_run_group_tests_name("record/process/synthesize", tests, NULL, NULL);
}
