#include "record/event/event_attr.h"

#include "record/machine/attr_feature.h"
#include "support/cmocka.h"

static const struct event_spec cycles = { .type = PERF_TYPE_HARDWARE,
					  .config = PERF_COUNT_HW_CPU_CYCLES,
					  .exclude_guest = true };
static const struct event_spec cpu_clock = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK };
static const struct event_spec tracepoint = { .type = PERF_TYPE_TRACEPOINT, .config = 316 };
static const struct sampling_options at_999_hz = { .frequency = 999 };

static void one_sampler_of_a_workload_says_only_what_is_needed(void **state)
{
	struct perf_event_attr attr = event_attr_sampler(&cycles, &at_999_hz, false, false);

	(void)state;
	assert_int_equal(attr.sample_type,
			 PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD);
	assert_true(attr.freq && attr.sample_freq == 999);
	assert_true(attr.disabled && attr.inherit && attr.sample_id_all && attr.exclude_guest);
	assert_true(!attr.mmap && !attr.comm && !attr.task);
	assert_true(attr.size <= PERF_ATTR_SIZE_VER7);
	assert_int_equal(event_attr_sample_time_offset(&attr), 8 + 8 + 8);
}

static void any_thread_adds_the_cpu_and_several_events_their_identifier(void **state)
{
	struct perf_event_attr attr = event_attr_sampler(&cycles, &at_999_hz, true, true);

	(void)state;
	assert_true(attr.sample_type & PERF_SAMPLE_CPU);
	assert_true(attr.sample_type & PERF_SAMPLE_IDENTIFIER);
	assert_false(attr.inherit);
	assert_int_equal(event_attr_sample_time_offset(&attr), 8 + 8 + 8 + 8);
	assert_int_equal(event_attr_sample_id_size(&attr), 4 * 8); /* TID, TIME, CPU, IDENTIFIER */
}

static void a_fixed_period_is_not_said_in_every_sample(void **state)
{
	const struct sampling_options every_thousand = { .period = 1000, .rate_given = true };
	struct perf_event_attr attr = event_attr_sampler(&cycles, &every_thousand, false, false);

	(void)state;
	assert_true(!attr.freq && attr.sample_period == 1000);
	assert_false(attr.sample_type & PERF_SAMPLE_PERIOD);
}

static void a_tracepoint_is_sampled_each_time_unless_a_rate_is_given(void **state)
{
	const struct sampling_options given = { .frequency = 999, .rate_given = true };
	struct perf_event_attr each = event_attr_sampler(&tracepoint, &at_999_hz, false, false);
	struct perf_event_attr rated = event_attr_sampler(&tracepoint, &given, false, false);

	(void)state;
	assert_true(!each.freq && each.sample_period == 1);
	assert_true(each.sample_type & PERF_SAMPLE_RAW);
	assert_true(rated.freq && rated.sample_freq == 999);
}

static void terms_of_an_event_win_over_the_options(void **state)
{
	const struct sampling_options with_dumps = {
		.frequency = 999, .call_graph = { .mode = CALL_GRAPH_DWARF, .stack_dump_bytes = 8192 }
	};
	struct event_spec shallow = cpu_clock, without = cpu_clock, small = cpu_clock;
	struct perf_event_attr attr;

	(void)state;
	shallow.max_stack = 2;
	without.call_graph_given = without.inherit_given = true;
	small.stack_dump_bytes = 4096;
	attr = event_attr_sampler(&shallow, &with_dumps, false, false);
	assert_true(attr.sample_type & PERF_SAMPLE_CALLCHAIN && !(attr.sample_type & PERF_SAMPLE_STACK_USER));
	assert_int_equal(attr.sample_max_stack, 2);
	attr = event_attr_sampler(&without, &with_dumps, false, false);
	assert_false(attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_false(attr.inherit);
	attr = event_attr_sampler(&small, &with_dumps, false, false);
	assert_int_equal(attr.sample_stack_user, 4096);
}

static void what_only_options_ask_for_is_added(void **state)
{
	const struct sampling_options options = { .frequency = 999,
						  .thread_stats = true,
						  .data_mappings = true,
						  .context_switches = true,
						  .namespaces = true,
						  .cgroups = true,
						  .extras = { .weight = true, .user_registers = 0x180 } };
	const struct sampling_options none = { .frequency = 999, .no_samples = true };
	struct perf_event_attr sampler = event_attr_sampler(&cycles, &options, false, false);
	struct perf_event_attr sideband = event_attr_sideband(&sampler), first;

	(void)state;
	event_attr_extend_sideband(&sideband, &options);
	first = event_attr_with_sideband(&sampler, &sideband);
	assert_true(sampler.inherit_stat && sampler.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	assert_true(sampler.sample_type & PERF_SAMPLE_WEIGHT_STRUCT &&
		    sampler.sample_type & PERF_SAMPLE_REGS_USER);
	assert_int_equal(sampler.sample_regs_user, 0x180);
	assert_true(first.mmap_data && first.context_switch && first.namespaces && first.cgroup);
	assert_int_equal(event_attr_sampler(&cycles, &none, false, false).sample_period, 0);
}

static void mappings_of_data_are_for_dumps_and_not_needed_for_chains(void **state)
{
	const struct sampling_options dumps = { .call_graph = { .mode = CALL_GRAPH_DWARF,
								.stack_dump_bytes = 16384 } };
	const struct sampling_options chains = { .stacks_are_chains = true };
	const struct sampling_options wanted = { .stacks_are_chains = true, .data_mappings = true };
	struct perf_event_attr sampler = event_attr_sampler(&cycles, &dumps, false, false), sideband;

	(void)state;
	sideband = event_attr_sideband(&sampler);
	event_attr_extend_sideband(&sideband, &dumps);
	assert_true(sideband.mmap_data);
	event_attr_extend_sideband(&sideband, &chains);
	assert_false(sideband.mmap_data);
	event_attr_extend_sideband(&sideband, &wanted);
	assert_true(sideband.mmap_data);
}

static void cpu_clock_leaves_out_the_idle_task_unless_it_is_wanted(void **state)
{
	const struct sampling_options idle = { .frequency = 999, .idle = true };

	(void)state;
	assert_true(event_attr_sampler(&cpu_clock, &at_999_hz, true, false).exclude_idle);
	assert_false(event_attr_sampler(&cpu_clock, &idle, true, false).exclude_idle);
	assert_false(event_attr_sampler(&cycles, &at_999_hz, true, false).exclude_idle);
}

static void stack_dumps_come_with_registers_and_without_the_user_chain(void **state)
{
	const struct sampling_options dwarf = {
		.frequency = 999, .call_graph = { .mode = CALL_GRAPH_DWARF, .stack_dump_bytes = 16384 }
	};
	struct perf_event_attr attr = event_attr_sampler(&cycles, &dwarf, false, false);
	struct perf_event_attr sideband = event_attr_sideband(&attr);

	(void)state;
	assert_true(attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_true(attr.sample_type & PERF_SAMPLE_REGS_USER);
	assert_true(attr.sample_type & PERF_SAMPLE_STACK_USER);
	assert_int_equal(attr.sample_stack_user, 16384);
	assert_true(attr.sample_regs_user == call_graph_user_regs());
	assert_true(attr.exclude_callchain_user && !attr.exclude_callchain_kernel);
	assert_true(sideband.mmap_data);
}

static void with_auto_the_user_chain_comes_too(void **state)
{
	const struct sampling_options automatic = {
		.frequency = 999, .call_graph = { .mode = CALL_GRAPH_AUTO, .stack_dump_bytes = 8192 }
	};
	struct perf_event_attr attr = event_attr_sampler(&cycles, &automatic, false, false);

	(void)state;
	assert_true(attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	assert_true(attr.sample_type & PERF_SAMPLE_REGS_USER);
	assert_int_equal(attr.sample_stack_user, 8192);
	assert_false(attr.exclude_callchain_user || attr.exclude_callchain_kernel);
}

static void the_sideband_event_runs_at_once_and_ends_its_records_as_the_sampler_does(void **state)
{
	struct perf_event_attr sampler = event_attr_sampler(&cycles, &at_999_hz, true, true);
	struct perf_event_attr sideband = event_attr_sideband(&sampler);

	(void)state;
	assert_int_equal(sideband.config, PERF_COUNT_SW_DUMMY);
	assert_false(sideband.disabled);
	assert_true(sideband.mmap && sideband.mmap2 && sideband.comm && sideband.comm_exec && sideband.task &&
		    sideband.build_id && sideband.ksymbol && sideband.bpf_event);
	assert_false(sideband.mmap_data);
	assert_int_equal(event_attr_sample_id_size(&sideband), event_attr_sample_id_size(&sampler));
	assert_false(sideband.sample_type & (PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN));
}

static void all_events_have_the_clock_that_was_asked_for(void **state)
{
	const struct sampling_options boottime = { .frequency = 999, .clock = { .given = true, .id = 7 } };
	struct perf_event_attr attr = event_attr_sampler(&cpu_clock, &boottime, true, false);
	struct perf_event_attr sideband = event_attr_sideband(&attr);

	(void)state;
	assert_true(attr.use_clockid && sideband.use_clockid);
	assert_int_equal(attr.clockid, 7);
	assert_int_equal(sideband.clockid, 7);
	assert_false(event_attr_sampler(&cpu_clock, &at_999_hz, true, false).use_clockid);
}

static void the_file_says_that_sideband_records_come_with_the_first_sampler(void **state)
{
	struct perf_event_attr sampler = event_attr_sampler(&cycles, &at_999_hz, false, false);
	struct perf_event_attr sideband = event_attr_sideband(&sampler);
	struct perf_event_attr both;

	(void)state;
	sideband.build_id = 0; /* an older kernel */
	both = event_attr_with_sideband(&sampler, &sideband);
	assert_int_equal(both.config, PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(both.sample_type, sampler.sample_type);
	assert_true(both.mmap && both.comm_exec && both.task && !both.build_id);
}

static void older_kernels_are_asked_for_one_thing_less_at_a_time(void **state)
{
	static const char *const order[] = { "PERF_FORMAT_LOST", "build_id",  "bpf_event",
					     "ksymbol",          "comm_exec", "mmap2" };
	struct perf_event_attr sampler = event_attr_sampler(&cycles, &at_999_hz, false, false);
	struct perf_event_attr attr = event_attr_sideband(&sampler);

	(void)state;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		assert_string_equal(attr_feature_strip(&attr), order[i]);
	assert_null(attr_feature_strip(&attr));
	assert_true(attr.mmap && attr.comm && attr.task);
	assert_int_equal(attr.read_format, PERF_FORMAT_ID);
}

static void only_cycles_become_the_clock(void **state)
{
	struct perf_event_attr attr = event_attr_sampler(&cycles, &at_999_hz, false, false);
	struct perf_event_attr other = event_attr_sampler(&tracepoint, &at_999_hz, false, false);

	(void)state;
	attr.precise_ip = 2;
	assert_true(event_attr_fall_back_to_clock(&attr, false));
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(attr.precise_ip, 0);
	assert_true(attr.exclude_idle);
	assert_false(event_attr_fall_back_to_clock(&attr, false));
	assert_false(event_attr_fall_back_to_clock(&other, false));
}

static void call_stacks_of_the_cpu_are_its_branches_and_a_chain(void **state)
{
	const struct sampling_options lbr = { .frequency = 999, .call_graph = { .mode = CALL_GRAPH_LBR } };
	struct sampling_options contradiction = lbr;
	const struct perf_event_attr attr = event_attr_sampler(&cycles, &lbr, false, false);
	struct event_spec kernel_only = cycles;

	(void)state;
	assert_true(attr.sample_type & PERF_SAMPLE_BRANCH_STACK && attr.sample_type & PERF_SAMPLE_CALLCHAIN);
	/* PERF_SAMPLE_BRANCH_USER, CALL_STACK, NO_FLAGS, NO_CYCLES, HW_INDEX: the same as perf's */
	assert_int_equal(attr.branch_sample_type, 0x2c801);
	assert_int_equal(event_attr_check_branches(&cycles, &lbr, NULL), 0);
	contradiction.branch_filter = PERF_SAMPLE_BRANCH_ANY;
	assert_int_equal(event_attr_check_branches(&cycles, &contradiction, NULL), -1);
	kernel_only.exclude_user = true;
	assert_int_equal(event_attr_check_branches(&kernel_only, &lbr, NULL), -1);
}

static void branch_stacks_are_what_the_filter_says_and_only_hardware_has_them(void **state)
{
	const struct sampling_options branches = {
		.frequency = 999, .branch_filter = PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER
	};
	struct perf_event_attr attr = event_attr_sampler(&cycles, &branches, false, false);
	struct perf_event_attr sideband = event_attr_sideband(&attr);

	(void)state;
	assert_true(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(attr.branch_sample_type, PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_USER);
	assert_false(sideband.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(sideband.branch_sample_type, 0);
	assert_false(event_attr_fall_back_to_clock(&attr, false));
	attr = event_attr_sampler(&cycles, &at_999_hz, false, false);
	assert_false(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(attr.branch_sample_type, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sampler_of_a_workload_says_only_what_is_needed),
		cmocka_unit_test(any_thread_adds_the_cpu_and_several_events_their_identifier),
		cmocka_unit_test(a_fixed_period_is_not_said_in_every_sample),
		cmocka_unit_test(a_tracepoint_is_sampled_each_time_unless_a_rate_is_given),
		cmocka_unit_test(terms_of_an_event_win_over_the_options),
		cmocka_unit_test(what_only_options_ask_for_is_added),
		cmocka_unit_test(mappings_of_data_are_for_dumps_and_not_needed_for_chains),
		cmocka_unit_test(cpu_clock_leaves_out_the_idle_task_unless_it_is_wanted),
		cmocka_unit_test(stack_dumps_come_with_registers_and_without_the_user_chain),
		cmocka_unit_test(with_auto_the_user_chain_comes_too),
		cmocka_unit_test(the_sideband_event_runs_at_once_and_ends_its_records_as_the_sampler_does),
		cmocka_unit_test(all_events_have_the_clock_that_was_asked_for),
		cmocka_unit_test(the_file_says_that_sideband_records_come_with_the_first_sampler),
		cmocka_unit_test(older_kernels_are_asked_for_one_thing_less_at_a_time),
		cmocka_unit_test(only_cycles_become_the_clock),
		cmocka_unit_test(call_stacks_of_the_cpu_are_its_branches_and_a_chain),
		cmocka_unit_test(branch_stacks_are_what_the_filter_says_and_only_hardware_has_them),
	};

	return cmocka_run_group_tests_name("record/event/event_attr", tests, NULL, NULL);
}
