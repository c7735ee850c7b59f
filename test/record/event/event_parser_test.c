#include "record/event/event_parser.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

/* A machine with one CPU PMU, one other, and tracefs. */
struct machine {
	struct temp_tree tree;
	char devices[128], tracefs[128];
	const char *tracefs_list[2];
	struct event_sources sources;
};

static int set_up(void **state)
{
	static struct machine machine;
	struct temp_tree *tree = &machine.tree;

	temp_tree_create(tree);
	temp_tree_file(tree, "devices/cpu/type", "4\n");
	temp_tree_file(tree, "devices/cpu/format/event", "config:0-7,32-35\n");
	temp_tree_file(tree, "devices/cpu/format/umask", "config:8-15\n");
	temp_tree_file(tree, "devices/cpu/format/edge", "config:18\n");
	temp_tree_file(tree, "devices/cpu/format/ldlat", "config1:0-15\n");
	temp_tree_file(tree, "devices/cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	temp_tree_file(tree, "devices/cpu_atom/type", "10\n");
	temp_tree_file(tree, "devices/cpu_atom/cpus", "4-7\n");
	temp_tree_file(tree, "devices/msr/type", "9\n");
	temp_tree_file(tree, "devices/msr/format/event", "config:0-63\n");
	temp_tree_file(tree, "devices/msr/events/tsc", "event=0x00\n");
	temp_tree_file(tree, "tracefs/events/sched/sched_switch/id", "316\n");
	temp_tree_file(tree, "tracefs/events/sched/sched_wakeup/id", "317\n");
	temp_tree_file(tree, "tracefs/events/sched/sched_waking/id", "318\n");
	temp_tree_file(tree, "tracefs/events/sched/enable", "0\n");
	temp_tree_file(tree, "tracefs/events/irq/irq_entry/id", "319\n");
	snprintf(machine.devices, sizeof(machine.devices), "%s/devices", tree->root);
	snprintf(machine.tracefs, sizeof(machine.tracefs), "%s/tracefs", tree->root);
	machine.tracefs_list[0] = machine.tracefs;
	machine.sources = (struct event_sources){ machine.devices, machine.tracefs_list };
	*state = &machine;
	return 0;
}

static int tear_down(void **state)
{
	temp_tree_remove(&((struct machine *)*state)->tree);
	return 0;
}

/* Parses the only event of `text`, which must be valid. */
static struct event_spec parse_one(const struct machine *machine, const char *text)
{
	struct event_specs specs = { 0 };
	struct error err = { 0 };
	struct event_spec spec;

	if (event_specs_parse(&specs, text, &machine->sources, &err) < 0)
		fail_msg("%s: %s", text, err.message);
	assert_int_equal(specs.count, 1);
	spec = specs.items[0];
	assert_string_equal(spec.name, strstr(text, "name=") ? "mine" : text);
	event_specs_fini(&specs);
	spec.name = spec.tracepoint = NULL;
	return spec;
}

static void assert_refused(const struct machine *machine, const char *text, const char *expected)
{
	struct event_specs specs = { 0 };
	struct error err = { 0 };

	assert_int_equal(event_specs_parse(&specs, text, &machine->sources, &err), -1);
	assert_string_equal(err.message, expected);
	event_specs_fini(&specs);
}

static void names_of_hardware_software_and_cache_events_become_numbers(void **state)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
		{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
		{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
		{ "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
		{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
		{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0x000000 },
		{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x010000 },
		{ "LLC-store-misses", PERF_TYPE_HW_CACHE, 0x010102 },
		{ "iTLB-prefetches", PERF_TYPE_HW_CACHE, 0x000204 },
		{ "node-loads", PERF_TYPE_HW_CACHE, 0x000006 },
		{ "r1a8", PERF_TYPE_RAW, 0x1a8 },
		{ "rFFFFFFFFFFFFFFFF", PERF_TYPE_RAW, UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct event_spec spec = parse_one(*state, cases[i].text);

		assert_int_equal(spec.type, cases[i].type);
		assert_true(spec.config == cases[i].config);
		assert_false(spec.exclude_user || spec.exclude_kernel || spec.exclude_hypervisor);
		assert_true(spec.exclude_guest);
	}
}

static void modifiers_leave_only_the_levels_that_are_named(void **state)
{
	struct event_spec user = parse_one(*state, "cycles:u"), kernel = parse_one(*state, "cycles:k");
	struct event_spec both = parse_one(*state, "cycles:ukpp"), guest = parse_one(*state, "cycles:G");
	struct event_spec precise = parse_one(*state, "cycles:PDe");

	assert_true(!user.exclude_user && user.exclude_kernel && user.exclude_hypervisor);
	assert_true(kernel.exclude_user && !kernel.exclude_kernel && kernel.exclude_hypervisor);
	assert_true(!both.exclude_user && !both.exclude_kernel && both.exclude_hypervisor);
	assert_int_equal(both.precise, 2);
	assert_true(guest.exclude_host && !guest.exclude_guest);
	assert_true(precise.precise_max && precise.pinned && precise.exclusive);
}

static void a_tracepoint_is_its_id_in_tracefs(void **state)
{
	struct event_spec spec = parse_one(*state, "sched:sched_switch");
	struct event_spec user = parse_one(*state, "sched:sched_switch:u");

	assert_int_equal(spec.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(spec.config, 316);
	assert_true(user.exclude_kernel);
}

static void terms_of_a_pmu_are_spread_over_the_bits_of_its_format(void **state)
{
	/* event=0x1c2: 0xc2 goes into bits 0 to 7, 0x1 into bits 32 to 35 */
	struct event_spec spec = parse_one(*state, "cpu/event=0x1c2,umask=0x3,edge/");
	struct event_spec alias = parse_one(*state, "cpu/mem-loads/pp");
	struct event_spec raw = parse_one(*state, "msr/config=0x10,config1=7,period=1000,name=mine/u");
	struct event_spec bare = parse_one(*state, "mem-loads");

	assert_int_equal(spec.type, 4);
	assert_true(spec.config == (0xc2 | 0x3 << 8 | 1 << 18 | UINT64_C(1) << 32));
	assert_true(alias.config == (0xcd | 0x1 << 8) && alias.config1 == 3 && alias.precise == 2);
	assert_true(raw.type == 9 && raw.config == 0x10 && raw.config1 == 7 && raw.period == 1000);
	assert_true(raw.exclude_kernel);
	assert_true(bare.type == 4 && bare.config == alias.config);
}

/* As in perf, because sysfs does not list all of their names. */
static void events_that_the_kernel_numbers_may_be_those_of_one_pmu(void **state)
{
	const struct machine *machine = *state;
	struct event_spec only = parse_one(machine, "cpu/cycles/");
	struct event_specs specs = { 0 };

	assert_true(only.type == PERF_TYPE_HARDWARE && only.config == PERF_COUNT_HW_CPU_CYCLES);
	assert_null(only.cpus);
	assert_int_equal(event_specs_parse(&specs, "cpu_atom/instructions/pp", &machine->sources, NULL), 0);
	assert_true(specs.items[0].type == PERF_TYPE_HARDWARE && specs.items[0].precise == 2);
	assert_true(specs.items[0].config == (UINT64_C(10) << 32 | PERF_COUNT_HW_INSTRUCTIONS));
	assert_string_equal(specs.items[0].cpus, "4-7\n");
	event_specs_fini(&specs);
	assert_int_equal(event_specs_parse(&specs, "msr/cycles/", &machine->sources, NULL), -1);
	assert_int_equal(event_specs_parse(&specs, "cpu/cpu-clock/", &machine->sources, NULL), -1);
	event_specs_fini(&specs);
}

static void commas_separate_events_but_not_inside_slashes(void **state)
{
	const struct machine *machine = *state;
	struct event_specs specs = { 0 };

	assert_int_equal(
		event_specs_parse(&specs, "cycles,cpu/event=1,umask=2/,cs:u", &machine->sources, NULL), 0);
	assert_int_equal(event_specs_parse(&specs, "faults", &machine->sources, NULL), 0);
	assert_int_equal(specs.count, 4);
	assert_string_equal(specs.items[1].name, "cpu/event=1,umask=2/");
	assert_string_equal(specs.items[2].name, "cs:u");
	assert_string_equal(specs.items[3].name, "faults");
	event_specs_fini(&specs);
	assert_int_equal(specs.count, 0);
}

static void what_is_wrong_is_said_with_the_event_and_a_way_out(void **state)
{
	const struct machine *machine = *state;
	char expected[512];

	assert_refused(machine, "cycels", "event 'cycels': no such event; did you mean cycles?");
	assert_refused(machine, "cycles,cpu-clok:u",
		       "event 'cpu-clok:u': no such event; did you mean cpu-clock?");
	assert_refused(machine, "cycles,", "an event's name is missing");
	assert_refused(machine, "cycles:upppp",
		       "event 'cycles:upppp': more than three p: precise_ip ends at 3");
	assert_refused(
		machine, "cycles:x",
		"event 'cycles:x': modifier 'x' is unknown: use u, k, h, G, H, I, p (up to ppp), P, D, e, S or W");
	assert_refused(machine, "cpu/event=1",
		       "event 'cpu/event=1': the closing slash is missing: PMU/TERM=VALUE,.../");
	assert_refused(machine, "cpu/event=x/", "event 'cpu/event=x/': term 'event': 'x' is not a number");
	assert_refused(
		machine, "cpu/umask=0x100/",
		"event 'cpu/umask=0x100/': term 'umask': its value has more bits than the PMU accepts");
	assert_refused(machine, "{cycles,cs", "a group's closing brace is missing: {cycles,instructions}");
	assert_refused(machine, "{cycles,}", "an event's name is missing");
	assert_refused(machine, "{cycles,cs}cs", "'cs' after a group: separate events with commas");
	assert_refused(machine, "cycles}",
		       "event 'cycles}': braces go around a group of events: {cycles,instructions}:u");
	assert_refused(
		machine, "{cycles,cs}:x",
		"modifiers of the group: modifier 'x' is unknown: use u, k, h, G, H, I, p (up to ppp), P, D, e, S or W");
	snprintf(expected, sizeof(expected), "event 'cpu2/x/': no such PMU; 'ls %s' shows them",
		 machine->devices);
	assert_refused(machine, "cpu2/x/", expected);
	snprintf(expected, sizeof(expected),
		 "event 'sched:nothing': no such tracepoint; 'ls %s/events' shows them", machine->tracefs);
	assert_refused(machine, "sched:nothing", expected);
	snprintf(expected, sizeof(expected),
		 "event 'sched:n*': no tracepoint matches; 'ls %s/events' shows their systems",
		 machine->tracefs);
	assert_refused(machine, "sched:n*", expected);
	assert_refused(
		machine, "cs/max-stak=2/",
		"event 'cs/max-stak=2/': 'max-stak' is not a term of this event: use period, freq, name, call-graph, "
		"stack-size, max-stack, inherit, no-inherit or branch_type");
}

static void any_event_takes_terms(void **state)
{
	struct event_spec clock = parse_one(*state, "cpu-clock/freq=99,max-stack=2/u");
	struct event_spec dumps = parse_one(*state, "faults/call-graph=dwarf,stack-size=4096,no-inherit/");
	struct event_spec plain = parse_one(*state, "cycles/call-graph=no,period=7/");
	struct event_spec pmu = parse_one(*state, "cpu/event=1,max-stack=5/");
	struct event_spec traced = parse_one(*state, "sched:sched_switch/name=mine/");

	assert_true(clock.type == PERF_TYPE_SOFTWARE && clock.frequency == 99 && clock.max_stack == 2);
	assert_true(clock.exclude_kernel);
	assert_true(dumps.call_graph_given && dumps.call_graph.mode == CALL_GRAPH_DWARF);
	assert_true(dumps.stack_dump_bytes == 4096 && dumps.inherit_given && !dumps.inherit);
	assert_true(plain.call_graph_given && plain.call_graph.mode == CALL_GRAPH_NONE && plain.period == 7);
	assert_true(pmu.type == 4 && pmu.config == 1 && pmu.max_stack == 5);
	assert_int_equal(traced.config, 316);
}

static void a_tracepoint_keeps_its_name_whatever_it_is_called(void **state)
{
	struct event_specs specs = { 0 };

	assert_int_equal(event_specs_parse(&specs, "sched:sched_switch/name=mine/",
					   &((struct machine *)*state)->sources, NULL),
			 0);
	assert_string_equal(specs.items[0].name, "mine");
	assert_string_equal(specs.items[0].tracepoint, "sched:sched_switch");
	event_specs_fini(&specs);
}

static void a_pattern_is_every_tracepoint_that_matches(void **state)
{
	const struct machine *machine = *state;
	struct event_specs specs = { 0 };

	assert_int_equal(event_specs_parse(&specs, "cs,{sched:*wak*:u,*:irq_[e]*}", &machine->sources, NULL),
			 0);
	assert_int_equal(specs.count, 4);
	assert_string_equal(specs.items[1].name, "sched:sched_wakeup:u");
	assert_string_equal(specs.items[2].name, "sched:sched_waking:u");
	assert_string_equal(specs.items[3].name, "irq:irq_entry");
	assert_true(specs.items[1].exclude_kernel && !specs.items[3].exclude_kernel);
	assert_int_equal(specs.items[1].group_size, 3);
	event_specs_fini(&specs);
	assert_int_equal(event_specs_parse(&specs, "sched:sched_w*/max-stack=2/k", &machine->sources, NULL),
			 0);
	assert_int_equal(specs.count, 2);
	assert_true(specs.items[1].max_stack == 2 && specs.items[1].exclude_user);
	event_specs_fini(&specs);
}

static void breakpoints_have_an_address_a_size_and_an_access(void **state)
{
	struct event_spec plain = parse_one(*state, "mem:0x1000"), write = parse_one(*state, "mem:4096/8:w");
	struct event_spec code = parse_one(*state, "mem:0x1000:x:u");

	assert_true(plain.type == PERF_TYPE_BREAKPOINT && plain.config1 == 0x1000);
	assert_true(plain.config2 == 4 && plain.breakpoint_type == 3);
	assert_true(write.config1 == 0x1000 && write.config2 == 8 && write.breakpoint_type == 2);
	assert_true(code.config2 == sizeof(long) && code.breakpoint_type == 4 && code.exclude_kernel);
	assert_refused(*state, "mem:0x1000:q",
		       "event 'mem:0x1000:q': 'q' is not an access: use r, w, rw or x");
	assert_refused(
		*state, "mem:main",
		"event 'mem:main': breakpoints are mem:ADDRESS[/BYTES][:r|w|rw|x], with 1, 2, 4 or 8 bytes");
}

static void groups_may_be_read_with_samples_and_be_weak(void **state)
{
	const struct machine *machine = *state;
	struct event_specs specs = { 0 };

	assert_int_equal(event_specs_parse(&specs, "{cs,cycles:I}:SW", &machine->sources, NULL), 0);
	assert_true(specs.items[0].sample_read && specs.items[0].weak && !specs.items[0].exclude_idle);
	assert_true(specs.items[1].exclude_idle);
	event_specs_fini(&specs);
	assert_refused(machine, "cs:b",
		       "event 'cs:b': modifier 'b' counts with BPF, as perf stat does; leave it out");
}

static void options_can_restrict_and_group_all_events(void **state)
{
	const struct machine *machine = *state;
	struct event_specs specs = { 0 };

	assert_int_equal(event_specs_parse(&specs, "cs,{cycles,faults}", &machine->sources, NULL), 0);
	assert_int_equal(event_specs_restrict(&specs, "k", NULL), 0);
	event_specs_group(&specs);
	for (size_t i = 0; i < 3; i++)
		assert_true(specs.items[i].exclude_user && !specs.items[i].exclude_kernel);
	assert_string_equal(specs.items[0].name, "cs:k");
	assert_true(specs.items[0].group_size == 3 && specs.items[1].group_size == 0);
	event_specs_fini(&specs);
}

static void braces_make_a_group_led_by_its_first_event(void **state)
{
	const struct machine *machine = *state;
	static const char *const names[] = { "cs", "cycles:u", "page-faults:ku", "cpu/event=1,umask=2/u",
					     "cpu-clock" };
	struct event_specs specs = { 0 };
	struct error err = { 0 };

	if (event_specs_parse(&specs, "cs,{cycles,page-faults:k,cpu/event=1,umask=2/}:u,{cpu-clock}",
			      &machine->sources, &err) < 0)
		fail_msg("%s", err.message);
	assert_int_equal(specs.count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(specs.items[i].name, names[i]);
	assert_int_equal(specs.items[0].group_size, 0);
	assert_int_equal(specs.items[1].group_size, 3);
	assert_int_equal(specs.items[2].group_size, 0);
	assert_int_equal(specs.items[4].group_size, 0); /* one event is not a group */
	assert_true(specs.items[1].exclude_kernel && !specs.items[1].exclude_user);
	assert_false(specs.items[0].exclude_kernel || specs.items[4].exclude_kernel);
	event_specs_fini(&specs);
}

static void without_tracefs_the_command_that_mounts_it_is_named(void **state)
{
	const char *const nowhere[] = { "/proc/nonexistent", NULL };
	const struct event_sources sources = { ((struct machine *)*state)->devices, nowhere };
	struct event_specs specs = { 0 };
	struct error err = { 0 };

	assert_int_equal(event_specs_parse(&specs, "sched:sched_switch", &sources, &err), -1);
	assert_string_equal(err.message,
			    "event 'sched:sched_switch': tracepoints need tracefs, which is not mounted: "
			    "'mount -t tracefs nodev /sys/kernel/tracing' as root");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_hardware_software_and_cache_events_become_numbers),
		cmocka_unit_test(modifiers_leave_only_the_levels_that_are_named),
		cmocka_unit_test(a_tracepoint_is_its_id_in_tracefs),
		cmocka_unit_test(terms_of_a_pmu_are_spread_over_the_bits_of_its_format),
		cmocka_unit_test(events_that_the_kernel_numbers_may_be_those_of_one_pmu),
		cmocka_unit_test(commas_separate_events_but_not_inside_slashes),
		cmocka_unit_test(what_is_wrong_is_said_with_the_event_and_a_way_out),
		cmocka_unit_test(any_event_takes_terms),
		cmocka_unit_test(a_tracepoint_keeps_its_name_whatever_it_is_called),
		cmocka_unit_test(a_pattern_is_every_tracepoint_that_matches),
		cmocka_unit_test(breakpoints_have_an_address_a_size_and_an_access),
		cmocka_unit_test(groups_may_be_read_with_samples_and_be_weak),
		cmocka_unit_test(options_can_restrict_and_group_all_events),
		cmocka_unit_test(braces_make_a_group_led_by_its_first_event),
		cmocka_unit_test(without_tracefs_the_command_that_mounts_it_is_named),
	};

	return cmocka_run_group_tests_name("record/event/event_parser", tests, set_up, tear_down);
}
