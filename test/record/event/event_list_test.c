#include "record/event/event_list.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

struct machine {
	struct temp_tree tree;
	char devices[128], tracefs[128];
	const char *tracefs_list[2];
	struct strbuf out;
	struct event_list list;
};

/* A machine that counts only context switches and cycles. */
static bool is_there(uint32_t type, uint64_t config)
{
	return (type == PERF_TYPE_SOFTWARE && config == PERF_COUNT_SW_CONTEXT_SWITCHES) ||
	       (type == PERF_TYPE_HARDWARE && config == PERF_COUNT_HW_CPU_CYCLES);
}

static int set_up(void **state)
{
	static struct machine machine;

	temp_tree_create(&machine.tree);
	temp_tree_file(&machine.tree, "devices/msr/events/tsc", "event=0x00\n");
	temp_tree_file(&machine.tree, "devices/power/events/energy-pkg", "event=0x02\n");
	temp_tree_file(&machine.tree, "devices/power/events/energy-pkg.unit", "Joules\n");
	temp_tree_file(&machine.tree, "devices/uprobe/type", "8\n");
	temp_tree_file(&machine.tree, "tracefs/events/sched/sched_switch/id", "316\n");
	temp_tree_file(&machine.tree, "tracefs/events/sched/sched_switch/format",
		       "\tfield:int common_pid;\toffset:4;\n\tfield:char prev_comm[16];\toffset:8;\n");
	temp_tree_file(&machine.tree, "tracefs/events/irq/irq_entry/id", "319\n");
	snprintf(machine.devices, sizeof(machine.devices), "%s/devices", machine.tree.root);
	snprintf(machine.tracefs, sizeof(machine.tracefs), "%s/tracefs", machine.tree.root);
	machine.tracefs_list[0] = machine.tracefs;
	strbuf_init(&machine.out);
	machine.list = (struct event_list){ .sources = { machine.devices, machine.tracefs_list },
					    .is_there = is_there,
					    .out = &machine.out };
	*state = &machine;
	return 0;
}

static int tear_down(void **state)
{
	struct machine *machine = *state;

	strbuf_fini(&machine->out);
	temp_tree_remove(&machine->tree);
	return 0;
}

static void assert_listed(struct machine *machine, enum event_kind kind, size_t lines, const char *expected)
{
	strbuf_reset(&machine->out);
	assert_int_equal(event_list_add(&machine->list, kind), lines);
	assert_string_equal(machine->out.bytes ? machine->out.bytes : "", expected);
}

static void only_events_that_are_there_are_listed_with_all_their_names(void **state)
{
	assert_listed(*state, EVENT_KIND_SOFTWARE, 1,
		      "  context-switches OR cs                             [Software event]\n");
	assert_listed(*state, EVENT_KIND_HARDWARE, 1,
		      "  cycles OR cpu-cycles                               [Hardware event]\n");
	assert_listed(*state, EVENT_KIND_CACHE, 0, "");
}

static void pmus_have_the_events_of_sysfs(void **state)
{
	assert_listed(*state, EVENT_KIND_PMU, 2,
		      "  msr/tsc/                                           [Kernel PMU event]\n"
		      "  power/energy-pkg/                                  [Kernel PMU event]\n");
}

static void tracepoints_come_with_their_fields_on_request(void **state)
{
	struct machine *machine = *state;

	machine->list.fields = true;
	machine->list.pattern = "sched:*";
	assert_listed(machine, EVENT_KIND_TRACEPOINT, 1,
		      "  sched:sched_switch                                 [Tracepoint event]\n"
		      "      common_pid prev_comm\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(only_events_that_are_there_are_listed_with_all_their_names,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(pmus_have_the_events_of_sysfs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tracepoints_come_with_their_fields_on_request, set_up,
						tear_down),
	};

	return cmocka_run_group_tests_name("record/event/event_list", tests, NULL, NULL);
}
