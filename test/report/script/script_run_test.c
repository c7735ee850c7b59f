#include "report/script/script_run.h"

#include <linux/perf_event.h>
#include <stdlib.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

enum { PLAIN = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD };

static struct perf_data_builder *begin_registers(uint64_t sample_type, uint64_t registers)
{
	struct perf_data_builder *b = perf_data_builder_create(BUILD_NATIVE);

	perf_data_builder_add_event(
		b, &(struct built_event){ .attr = { .size = sizeof(struct perf_event_attr),
						    .sample_type = sample_type,
						    .branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK,
						    .sample_regs_user = registers,
						    .sample_id_all = 1 },
					  .name = "cycles",
					  .ids = { 5 },
					  .id_count = 1 });
	perf_data_builder_feature_string(b, HEADER_ARCH, "x86_64");
	return b;
}

static struct perf_data_builder *begin(uint64_t sample_type)
{
	return begin_registers(sample_type, 0);
}

/* A program at 0x400000, file offset 0x1000, in process 10, whose name is "worker". */
static void add_process(struct perf_data_builder *b)
{
	perf_data_builder_comm(b, 10, 10, "worker", 1);
	perf_data_builder_mmap2(b, &(struct built_mmap){ .pid = 10,
							 .tid = 10,
							 .start = 0x400000,
							 .length = 0x10000,
							 .file_offset = 0x1000,
							 .prot = 5,
							 .misc = PERF_RECORD_MISC_USER,
							 .path = "/no/such/prog",
							 .time_ns = 2 });
}

/* A sample of that process, in user mode. */
static struct built_sample sample_at(uint64_t time_ns, uint64_t ip)
{
	return (struct built_sample){
		.misc = PERF_RECORD_MISC_USER, .ip = ip, .pid = 10, .tid = 10, .time_ns = time_ns, .period = 7
	};
}

static void add_sample(struct perf_data_builder *b, uint64_t time_ns, uint64_t ip)
{
	const struct built_sample sample = sample_at(time_ns, ip);

	perf_data_builder_sample(b, &sample);
}

/* A sample whose chain has everything: a marker for the mode, and then the instruction. */
static struct built_sample chain_sample(uint64_t time_ns, const uint64_t *chain, size_t count)
{
	struct built_sample sample = sample_at(time_ns, chain[1]);

	if (chain[0] == PERF_CONTEXT_KERNEL)
		sample.misc = PERF_RECORD_MISC_KERNEL;
	sample.callchain = chain;
	sample.callchain_count = count;
	return sample;
}

static void add_chain(struct perf_data_builder *b, uint64_t time_ns, const uint64_t *chain, size_t count)
{
	const struct built_sample sample = chain_sample(time_ns, chain, count);

	perf_data_builder_sample(b, &sample);
}

static const struct script_filter everything = { 0 };

static struct script_request request(void)
{
	return (struct script_request){
		.style = { .fields = script_default_fields, .callchains = true, .stacks.max_stack = 127 },
		.filter = &everything,
		.symbols = { .symfs = "/proc/nonexistent" }
	};
}

static struct script_request request_fields(const char *fields)
{
	struct script_request wanted = request();
	struct error err;

	assert_int_equal(script_fields_parse(&wanted.style.fields, fields, &err), 0);
	return wanted;
}

/* The text of the built file; free() it. NULL if the request fails. */
static char *run(struct perf_data_builder *b, struct script_request request, struct error *err)
{
	struct script_losses losses;
	struct perf_file *file;
	char *text = NULL;
	size_t size;
	int result;

	perf_data_builder_finish_file(b);
	file = perf_data_builder_open(b);
	request.out = open_memstream(&text, &size);
	result = script_run(file, &request, &losses, err);
	fclose(request.out);
	perf_file_close(file);
	perf_data_builder_destroy(b);
	if (result == 0)
		return text;
	free(text);
	return NULL;
}

static void assert_text(struct perf_data_builder *b, struct script_request wanted, const char *expected)
{
	struct error err;
	char *text = run(b, wanted, &err);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void samples_are_lines_in_order_of_time(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);

	(void)state;
	add_process(b);
	add_sample(b, 3000000000, 0x400123);
	add_sample(b, 2000001999, 0x500000);
	perf_data_builder_finished_round(b);
	assert_text(
		b, request(),
		"          worker    10     2.000001:          7 cycles:            500000 [unknown] ([unknown])\n"
		"          worker    10     3.000000:          7 cycles:            400123 [unknown] "
		"(/no/such/prog)\n");
}

static void call_chains_are_below_with_addresses_in_their_files(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER, 0x400123,
				   0x10 };
	struct perf_data_builder *b = begin(PLAIN | PERF_SAMPLE_CALLCHAIN);

	(void)state;
	add_process(b);
	add_chain(b, 5, chain, 5);
	assert_text(b, request(),
		    "worker    10     0.000000:          7 cycles: \n"
		    "\tffffffff81000000 [unknown] ([unknown])\n"
		    "\t            1123 [unknown] (/no/such/prog)\n"
		    "\t              10 [unknown] ([unknown])\n"
		    "\n");
}

static void without_call_chains_it_is_the_leaf(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, 0x400123 };
	struct perf_data_builder *b = begin(PLAIN | PERF_SAMPLE_CALLCHAIN);
	struct script_request wanted = request();

	(void)state;
	add_process(b);
	add_chain(b, 5, chain, 2);
	wanted.style.callchains = false;
	assert_text(b, wanted,
		    "          worker    10     0.000000:          7 cycles:            400123 [unknown] "
		    "(/no/such/prog)\n");
}

/* Calls from 0x400100 to 0x400180 and then from 0x400200 to 0x400300. */
static void add_sample_with_call_branches(struct perf_data_builder *b, const uint64_t *chain, size_t count)
{
	const uint64_t branches[] = { 0x400200, 0x400300, 0, 0x400100, 0x400180, 0 };
	struct built_sample sample = chain_sample(5, chain, count);

	sample.branches = branches;
	sample.branch_count = 2;
	perf_data_builder_sample(b, &sample);
}

/* --call-graph lbr: the target of the last call and the source of each replace the user part. */
static void call_branches_are_the_user_part_of_a_chain(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, 0x400999 };
	struct perf_data_builder *b = begin(PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK);

	(void)state;
	add_process(b);
	add_sample_with_call_branches(b, chain, 2);
	assert_text(b, request_fields("comm,ip"),
		    "worker \n\t            1300\n\t            1200\n\t            1100\n\n");
}

/* perf limits frames from the stack, but not calls that the hardware recorded. */
static void call_branches_are_all_shown_however_few_frames_are_asked_for(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER, 0x400999 };
	struct perf_data_builder *b = begin(PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK);
	struct script_request wanted = request_fields("comm,ip");

	(void)state;
	add_process(b);
	add_sample_with_call_branches(b, chain, 4);
	wanted.style.stacks.max_stack = 3;
	assert_text(
		b, wanted,
		"worker \n\tffffffff81000000\n\t            1300\n\t            1200\n\t            1100\n\n");
}

static void offsets_of_branches_in_the_kernel_count_from_its_mapping(void **state)
{
	const uint64_t branches[] = { 0xffffffff81000200, 0xffffffff81000300, 0 };
	struct perf_data_builder *b = begin(PLAIN | PERF_SAMPLE_BRANCH_STACK);

	(void)state;
	perf_data_builder_mmap(b, &(struct built_mmap){ .pid = UINT32_MAX,
							.start = 0xffffffff81000000,
							.length = 0x1000,
							.file_offset = 0xffffffff81000000,
							.misc = PERF_RECORD_MISC_KERNEL,
							.path = "[kernel.kallsyms]_text" });
	perf_data_builder_sample(b, &(struct built_sample){ .misc = PERF_RECORD_MISC_KERNEL,
							    .pid = 10,
							    .tid = 10,
							    .time_ns = 5,
							    .branches = branches,
							    .branch_count = 1 });
	assert_text(b, request_fields("brstackoff"), " 0x200/0x300/-/-/-/0/ \n");
}

static void fields_are_in_perfs_order_whatever_order_they_are_asked_for_in(void **state)
{
	const uint64_t regs[] = { 0x11, 0x22 };
	struct perf_data_builder *b =
		begin_registers(PLAIN | PERF_SAMPLE_CPU | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |
					PERF_SAMPLE_REGS_USER | PERF_SAMPLE_PHYS_ADDR,
				3);
	struct script_request wanted =
		request_fields("phys_addr,uregs,weight,addr,misc,time,cpu,tid,pid,comm");

	(void)state;
	perf_data_builder_sample(b, &(struct built_sample){ .misc = PERF_RECORD_MISC_USER,
							    .ip = 0x400123,
							    .pid = 10,
							    .tid = 11,
							    .time_ns = 1234567890,
							    .cpu = 3,
							    .addr = 0xabc,
							    .weight = 99,
							    .user_regs_abi = 2,
							    .user_regs = regs,
							    .phys_addr = 0xdef });
	wanted.style.nanoseconds = true;
	assert_text(b, wanted,
		    "             :11    10/11    [003] U         1.234567890:              abc"
		    "              99 ABI:2    AX:0x11    BX:0x22              def\n");
}

static void filters_leave_samples_out(void **state)
{
	struct script_filter filter = { .times = { .items = { { 20, 30 } }, .count = 1 } };
	struct perf_data_builder *b = begin(PLAIN);
	struct script_request wanted = request_fields("ip");

	(void)state;
	wanted.filter = &filter;
	add_process(b);
	add_sample(b, 10, 1);
	add_sample(b, 20, 2);
	add_sample(b, 30, 3);
	add_sample(b, 40, 4);
	text_list_parse(&filter.choice.comms, "other,worker");
	assert_text(b, wanted, "                2\n                3\n");
	text_list_fini(&filter.choice.comms);
}

static void records_are_shown_where_they_belong(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);
	struct script_request wanted = request_fields("comm");

	(void)state;
	add_process(b);
	add_sample(b, 20, 1);
	perf_data_builder_comm_exec(b, 10, 10, "other", 15);
	perf_data_builder_exit(b, 10, 9, 10, 9, 30);
	wanted.show_task_events = wanted.show_mmap_events = true;
	assert_text(
		b, wanted,
		"          worker PERF_RECORD_COMM: worker:10/10\n"
		"          worker PERF_RECORD_MMAP2 10/10: [0x400000(0x10000) @ 0x1000 00:00 0 0]: r-xp /no/such/prog\n"
		"           other PERF_RECORD_COMM exec: other:10/10\n"
		"           other \n"
		"           other PERF_RECORD_EXIT(10:10):(9:9)\n");
}

/* Records of the kernel and of perf about containers and the kernel's own code. */
static void add_kernel_records(struct perf_data_builder *b)
{
	perf_data_builder_begin(b, PERF_RECORD_NAMESPACES, 0);
	perf_data_builder_u32(b, 10);
	perf_data_builder_u32(b, 10);
	perf_data_builder_u64(b, 5);
	for (uint64_t i = 0; i < 5; i++) {
		perf_data_builder_u64(b, 4);
		perf_data_builder_u64(b, 0xf0 + i);
	}
	perf_data_builder_trailer(b, 10, 10, 11);
	perf_data_builder_end(b);
	perf_data_builder_begin(b, PERF_RECORD_CGROUP, 0);
	perf_data_builder_u64(b, 44);
	perf_data_builder_text(b, "/sys");
	perf_data_builder_trailer(b, 10, 10, 12);
	perf_data_builder_end(b);
	perf_data_builder_ksymbol(b, 0xffffffffc0001000, 64, 1, 0, "bpf_prog", 13);
	perf_data_builder_begin(b, PERF_RECORD_BPF_EVENT, 0);
	perf_data_builder_u16(b, 1);
	perf_data_builder_u16(b, 0);
	perf_data_builder_u32(b, 33);
	perf_data_builder_bytes(b, "tagbytes", 8);
	perf_data_builder_trailer(b, 10, 10, 14);
	perf_data_builder_end(b);
	perf_data_builder_begin(b, PERF_RECORD_TEXT_POKE, 0);
	perf_data_builder_u64(b, 0xffffffff81000000);
	perf_data_builder_u16(b, 2);
	perf_data_builder_u16(b, 18);
	perf_data_builder_bytes(b, "ab0123456789abcdefgh", 20);
	perf_data_builder_trailer(b, 10, 10, 15);
	perf_data_builder_end(b);
}

static void records_of_the_kernel_are_shown_with_all_they_hold(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);
	struct script_request wanted = request_fields("tid");

	(void)state;
	add_process(b);
	add_kernel_records(b);
	wanted.show_namespace_events = wanted.show_cgroup_events = wanted.show_bpf_events =
		wanted.show_text_poke_events = true;
	assert_text(b, wanted,
		    "   10 PERF_RECORD_NAMESPACES 10/10 - nr_namespaces: 5\n"
		    "\t\t[0/net: 4/0xf0, 1/uts: 4/0xf1, 2/ipc: 4/0xf2, 3/pid: 4/0xf3, \n"
		    "\t\t 4/user: 4/0xf4]\n"
		    "   10 PERF_RECORD_CGROUP cgroup: 44 /sys\n"
		    "    0 PERF_RECORD_KSYMBOL addr ffffffffc0001000 len 64 type 1 flags 0x0 name bpf_prog\n"
		    "   10 PERF_RECORD_BPF_EVENT type 1, flags 0, id 33\n"
		    "   10 PERF_RECORD_TEXT_POKE ffffffff81000000  old len 2 new len 18\n"
		    "            Old bytes: 61 62\n"
		    "            New bytes: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66\n"
		    "            New bytes: 67 68\n");
}

static void namespaces_that_are_not_all_there_are_not_shown(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);
	struct script_request wanted = request();

	(void)state;
	perf_data_builder_begin(b, PERF_RECORD_NAMESPACES, 0);
	perf_data_builder_u32(b, 10);
	perf_data_builder_u32(b, 10);
	perf_data_builder_u64(b, UINT64_MAX);
	perf_data_builder_trailer(b, 10, 10, 11);
	perf_data_builder_end(b);
	wanted.show_namespace_events = true;
	assert_text(b, wanted, "");
}

static void rounds_are_shown_in_the_order_of_the_file(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);
	struct script_request wanted = request_fields("ip");

	(void)state;
	add_sample(b, 30, 1);
	add_sample(b, 20, 2);
	perf_data_builder_finished_round(b);
	add_sample(b, 40, 3);
	wanted.show_round_events = true;
	assert_text(b, wanted,
		    "                1\n                2\nPERF_RECORD_FINISHED_ROUND\n                3\n");
}

/* In the order of records: a sample does not know a later record of the same time. */
static void of_records_with_equal_times_the_first_does_not_know_the_second(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);

	(void)state;
	add_sample(b, 20, 1);
	perf_data_builder_comm(b, 10, 10, "worker", 20);
	add_sample(b, 20, 1);
	perf_data_builder_finished_round(b);
	assert_text(b, request_fields("comm"), "             :10 \n          worker \n");
}

static void add_deferred_sample(struct perf_data_builder *b, uint64_t time_ns, uint64_t cookie)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000 + time_ns, (uint64_t)-640,
				   cookie };

	add_chain(b, time_ns, chain, 4);
}

/* Linux 6.19: the user part comes when the thread is back in user space, for all samples with the cookie. */
static void deferred_chains_are_joined_by_thread_and_cookie(void **state)
{
	struct perf_data_builder *b = begin(PLAIN | PERF_SAMPLE_CALLCHAIN);

	(void)state;
	add_process(b);
	add_deferred_sample(b, 5, 76);
	add_deferred_sample(b, 6, 77);
	add_deferred_sample(b, 7, 77);
	perf_data_builder_begin(b, 22 /* PERF_RECORD_CALLCHAIN_DEFERRED */, PERF_RECORD_MISC_USER);
	perf_data_builder_u64(b, 77);
	perf_data_builder_u64(b, 3);
	perf_data_builder_u64(b, PERF_CONTEXT_USER);
	perf_data_builder_u64(b, 0x400123);
	perf_data_builder_u64(b, 0x400456);
	perf_data_builder_trailer(b, 10, 10, 8);
	perf_data_builder_end(b);
	add_deferred_sample(b, 9, 78);
	assert_text(b, request_fields("comm,ip"),
		    "worker \n\tffffffff81000005\n\n"
		    "worker \n\tffffffff81000006\n\t            1123\n\t            1456\n\n"
		    "worker \n\tffffffff81000007\n\t            1123\n\t            1456\n\n"
		    "worker \n\tffffffff81000009\n\n");
}

/* A sample in the kernel with a dump: by the frame pointer, the call of 0x400123 is just before 0x400457. */
static struct perf_data_builder *begin_with_dump(const uint64_t *chain, size_t chain_count)
{
	static const uint64_t bp_sp_ip[] = { 0x7008, 0x7000, 0x400123 };
	static const uint64_t stack[] = { 1, 0x7018, 0x400457, 0, 0 };
	struct perf_data_builder *b = begin_registers(
		PLAIN | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER, 7 << 6);
	struct built_sample sample = chain_sample(5, chain, chain_count);

	add_process(b);
	sample.user_regs_abi = PERF_SAMPLE_REGS_ABI_64;
	sample.user_regs = bp_sp_ip;
	sample.user_stack = stack;
	sample.user_stack_size = sample.user_stack_dumped = sizeof(stack);
	perf_data_builder_sample(b, &sample);
	return b;
}

static struct script_request addresses(enum unwind_choice unwind)
{
	struct script_request wanted = request_fields("comm,ip");

	wanted.style.stacks.unwind = unwind;
	return wanted;
}

/* As perf: shows a return address of an unwound frame as the address before it. */
static void a_stack_dump_is_unwound_below_the_kernels_part(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, 0xffffffff81000010 };

	(void)state;
	assert_text(begin_with_dump(chain, 3), addresses(UNWIND_AUTO),
		    "worker \n\tffffffff81000000\n\tffffffff81000010\n"
		    "\t            1123\n\t            1456\n\n");
}

static void few_frames_of_a_dump_are_asked_for_apart_from_those_of_the_chain(void **state)
{
	const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffff81000000, 0xffffffff81000010 };
	struct script_request wanted = addresses(UNWIND_AUTO);

	(void)state;
	wanted.style.stacks.max_stack = 1;
	assert_text(begin_with_dump(chain, 3), wanted, "worker \n\tffffffff81000000\n\t            1123\n\n");
}

static void a_chain_is_shown_where_it_goes_on_from_the_end_of_the_dump(void **state)
{
	const uint64_t farther[] = {
		PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER, 0x400123, 0x400457, 0x400888
	};
	const uint64_t longer[] = {
		PERF_CONTEXT_KERNEL, 0xffffffff81000000, PERF_CONTEXT_USER, 0x400123, 0x400777, 0x400888
	};

	(void)state;
	assert_text(
		begin_with_dump(farther, 6), addresses(UNWIND_AUTO),
		"worker \n\tffffffff81000000\n\t            1123\n\t            1457\n\t            1888\n\n");
	/* A chain that leads elsewhere is not better for being longer. */
	assert_text(begin_with_dump(longer, 6), addresses(UNWIND_AUTO),
		    "worker \n\tffffffff81000000\n\t            1123\n\t            1456\n\n");
	assert_text(begin_with_dump(longer, 4), addresses(UNWIND_AUTO),
		    "worker \n\tffffffff81000000\n\t            1123\n\t            1456\n\n");
	assert_text(begin_with_dump(longer, 6), addresses(UNWIND_DWARF),
		    "worker \n\tffffffff81000000\n\t            1123\n\t            1456\n\n");
	assert_text(begin_with_dump(longer, 5), addresses(UNWIND_FP),
		    "worker \n\tffffffff81000000\n\t            1123\n\t            1777\n\n");
}

static void flags_of_a_branch_that_no_trace_was_decoded_for_are_blank(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);

	(void)state;
	add_sample(b, 20, 1);
	assert_text(b, request_fields("event,flags"), "cycles:                         \n");
}

static void a_time_of_day_needs_a_recording_that_says_it(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);
	struct error err;

	(void)state;
	assert_null(run(b, request_fields("+tod"), &err));
	assert_string_equal(err.message, "'tod': the recording does not relate its times to the time of day: "
					 "record with -k CLOCK (-k monotonic)");
}

static void a_field_that_was_not_recorded_is_an_error(void **state)
{
	struct perf_data_builder *b = begin(PLAIN);
	struct error err;

	(void)state;
	assert_null(run(b, request_fields("+cpu"), &err));
	assert_string_equal(err.message, "the samples of 'cycles' have no 'cpu': it was not recorded");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_lines_in_order_of_time),
		cmocka_unit_test(call_chains_are_below_with_addresses_in_their_files),
		cmocka_unit_test(without_call_chains_it_is_the_leaf),
		cmocka_unit_test(call_branches_are_the_user_part_of_a_chain),
		cmocka_unit_test(call_branches_are_all_shown_however_few_frames_are_asked_for),
		cmocka_unit_test(offsets_of_branches_in_the_kernel_count_from_its_mapping),
		cmocka_unit_test(of_records_with_equal_times_the_first_does_not_know_the_second),
		cmocka_unit_test(deferred_chains_are_joined_by_thread_and_cookie),
		cmocka_unit_test(a_stack_dump_is_unwound_below_the_kernels_part),
		cmocka_unit_test(few_frames_of_a_dump_are_asked_for_apart_from_those_of_the_chain),
		cmocka_unit_test(a_chain_is_shown_where_it_goes_on_from_the_end_of_the_dump),
		cmocka_unit_test(flags_of_a_branch_that_no_trace_was_decoded_for_are_blank),
		cmocka_unit_test(a_time_of_day_needs_a_recording_that_says_it),
		cmocka_unit_test(fields_are_in_perfs_order_whatever_order_they_are_asked_for_in),
		cmocka_unit_test(filters_leave_samples_out),
		cmocka_unit_test(records_are_shown_where_they_belong),
		cmocka_unit_test(records_of_the_kernel_are_shown_with_all_they_hold),
		cmocka_unit_test(namespaces_that_are_not_all_there_are_not_shown),
		cmocka_unit_test(rounds_are_shown_in_the_order_of_the_file),
		cmocka_unit_test(a_field_that_was_not_recorded_is_an_error),
	};

	return cmocka_run_group_tests_name("report/script/script_run", tests, NULL, NULL);
}
