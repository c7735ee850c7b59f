#include "report/load/recorded_machine.h"

#include <linux/perf_event.h>

#include "support/cmocka.h"
#include "support/perf_data_builder.h"

/* A file with one command's name, and a record that is too short for one. */
struct fixture {
	struct perf_data_builder *builder;
	struct perf_file *file;
	struct recorded_machine machine;
};

static int set_up(void **state)
{
	static struct fixture fixture;
	struct fixture *f = &fixture;

	f->builder = perf_data_builder_create(BUILD_NATIVE);
	perf_data_builder_add_clock(f->builder);
	perf_data_builder_comm(f->builder, 7, 7, "worker", 5);
	perf_data_builder_begin(f->builder, PERF_RECORD_COMM, 0);
	perf_data_builder_u32(f->builder, 7);
	perf_data_builder_end(f->builder);
	perf_data_builder_finish_file(f->builder);
	f->file = perf_data_builder_open(f->builder);
	recorded_machine_init(&f->machine, f->file,
			      (struct debug_file_search){ .symfs = "/proc/nonexistent" });
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	recorded_machine_fini(&f->machine);
	perf_file_close(f->file);
	perf_data_builder_destroy(f->builder);
	return 0;
}

static void records_change_it_and_a_damaged_one_does_not(void **state)
{
	struct fixture *f = *state;
	struct event event;

	assert_int_equal(perf_file_next(f->file, &event, NULL), 1);
	assert_int_equal(recorded_machine_apply(&f->machine, &event, 5), 0);
	assert_string_equal(process_table_comm(f->machine.processes, 7, 7, 5), "worker");
	assert_int_equal(perf_file_next(f->file, &event, NULL), 1);
	assert_int_equal(recorded_machine_apply(&f->machine, &event, 6), -1);
	assert_string_equal(process_table_comm(f->machine.processes, 7, 7, 6), "worker");
}

/* The loaded profile takes the process table like this. */
static void a_part_that_is_taken_away_outlives_it(void **state)
{
	struct fixture *f = *state;
	struct process_table *taken = f->machine.processes;

	f->machine.processes = NULL;
	recorded_machine_fini(&f->machine);
	assert_int_equal(process_table_dso_count(taken), 0);
	process_table_destroy(taken);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_change_it_and_a_damaged_one_does_not),
		TEST(a_part_that_is_taken_away_outlives_it),
	};

	return cmocka_run_group_tests_name("report/load/recorded_machine", tests, NULL, NULL);
}
