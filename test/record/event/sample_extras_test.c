#include "record/event/sample_extras.h"

#include <string.h>

#include "record/event/call_graph.h"
#include "support/cmocka.h"

static void each_wish_is_a_field(void **state)
{
	const struct sample_extras extras = { .address = true, .cgroup = true, .interrupt_registers = 3 };
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_IP };

	(void)state;
	sample_extras_apply(&extras, &attr);
	assert_true(attr.sample_type == (PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC |
					 PERF_SAMPLE_CGROUP | PERF_SAMPLE_REGS_INTR));
	assert_int_equal(attr.sample_regs_intr, 3);
}

static void registers_of_a_stack_dump_stay_whole(void **state)
{
	const struct sample_extras extras = { .user_registers = 3 };
	struct perf_event_attr attr = { .sample_type = PERF_SAMPLE_REGS_USER, .sample_regs_user = 0xff };

	(void)state;
	sample_extras_apply(&extras, &attr);
	assert_int_equal(attr.sample_regs_user, 0xff);
}

static void registers_are_chosen_by_name(void **state)
{
	struct error err = { .message = "" };
	uint64_t registers;

	(void)state;
	if (call_graph_user_regs() == 0)
		skip();
	assert_int_equal(sample_registers_parse(&registers, NULL, &err), 0);
	assert_true(registers == call_graph_user_regs());
	assert_int_equal(sample_registers_parse(&registers, "sp,SP", &err), 0);
	assert_int_equal(__builtin_popcountll(registers), 1);
	assert_int_equal(sample_registers_parse(&registers, "sp,xyz", &err), -1);
	assert_non_null(strstr(err.message, "'xyz' is not a register of this machine; there are "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_wish_is_a_field),
		cmocka_unit_test(registers_of_a_stack_dump_stay_whole),
		cmocka_unit_test(registers_are_chosen_by_name),
	};

	return cmocka_run_group_tests_name("record/event/sample_extras", tests, NULL, NULL);
}
