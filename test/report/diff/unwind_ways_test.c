#include "report/diff/unwind_ways.h"

#include <linux/perf_event.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/state_record.h"

/*
 * Samples without a dump: the recorder kept only their chain, or they are left out. test/e2e/diff_unwind.t compares those with a
 * dump with the output of xprof script.
 */

enum { PID = 7, PROGRAM = 0x400000, LIBRARY = 0x500000, SIZE = 0x10000 };

struct fixture {
	struct process_table *processes;
	struct unwind_ways ways;
};

static struct fixture fixture;

static void map(uint64_t start, const char *path)
{
	state_map(fixture.processes,
		  &(struct mmap_of){ .pid = PID, .start = start, .length = SIZE, .path = path });
}

static int setup(void **state)
{
	fixture = (struct fixture){ .processes = process_table_create() };
	unwind_ways_init(&fixture.ways);
	map(PROGRAM, "/nonexistent/prog");
	map(LIBRARY, "/nonexistent/lib.so");
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unwind_ways_fini(&fixture.ways);
	process_table_destroy(fixture.processes);
	return 0;
}

static const uint64_t user_chain[] = { (uint64_t)PERF_CONTEXT_USER, LIBRARY + 0x10, PROGRAM + 0x20,
				       PROGRAM + 0x30 };

/* A sample of an event with stack dumps. */
static struct sample sample_of(uint16_t misc, const uint64_t *chain, size_t count)
{
	return (struct sample){ .present = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
					   PERF_SAMPLE_STACK_USER,
				.misc = misc,
				.pid = PID,
				.tid = PID,
				.callchain = (const uint8_t *)chain,
				.callchain_count = count };
}

static void a_chain_that_xprof_kept_alone_agrees(void **state)
{
	struct sample sample = sample_of(PERF_RECORD_MISC_USER, user_chain, 4);
	const struct ways_group *group;

	(void)state;
	unwind_ways_add(&fixture.ways, &sample, 1,
			&(struct ways_source){ .processes = fixture.processes, .by_xprof = true });
	unwind_ways_add(&fixture.ways, &sample, 2,
			&(struct ways_source){ .processes = fixture.processes, .by_xprof = true });
	assert_int_equal(fixture.ways.samples, 2);
	assert_int_equal(fixture.ways.proved, 2);
	assert_int_equal(fixture.ways.groups.count, 1);
	group = fixture.ways.groups.items;
	assert_int_equal(group->fault, CHAIN_AGREES);
	assert_int_equal(group->samples, 2);
	assert_int_equal(group->frames, 6);
	assert_int_equal(group->missing, 0);
	assert_true(group->rooted);
	assert_int_equal(fixture.ways.dsos[0].samples, 2);
	assert_int_equal(fixture.ways.dsos[1].samples, 2);
}

static void a_chain_of_any_other_recorder_says_nothing(void **state)
{
	struct sample sample = sample_of(PERF_RECORD_MISC_USER, user_chain, 4);

	(void)state;
	unwind_ways_add(&fixture.ways, &sample, 1,
			&(struct ways_source){ .processes = fixture.processes, .by_xprof = false });
	assert_int_equal(fixture.ways.samples, 0);
	assert_int_equal(fixture.ways.no_dump, 1);
}

static void the_kernels_own_samples_are_no_loss(void **state)
{
	const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000000 };
	struct sample sample = sample_of(PERF_RECORD_MISC_KERNEL, chain, 2);

	(void)state;
	unwind_ways_add(&fixture.ways, &sample, 1,
			&(struct ways_source){ .processes = fixture.processes, .by_xprof = true });
	assert_int_equal(fixture.ways.no_dump, 0);
	assert_int_equal(fixture.ways.kernel_only, 1);
}

static void xprof_is_known_by_its_command_line(void **state)
{
	const char *const by_xprof[] = { "/usr/bin/xprof", "record" }, *const by_perf[] = { "/usr/bin/perf" };

	(void)state;
	assert_true(unwind_ways_is_by_xprof(
		&(struct perf_features){ .command_line = by_xprof, .command_line_count = 2 }));
	assert_false(unwind_ways_is_by_xprof(
		&(struct perf_features){ .command_line = by_perf, .command_line_count = 1 }));
	assert_false(unwind_ways_is_by_xprof(&(struct perf_features){ 0 }));
}

static void a_chain_that_ends_nowhere_does_not_end_at_the_start(void **state)
{
	struct way_names names = { fixture.processes, NULL };
	struct ways_group group = { .fault = CHAIN_ENDS,
				    .at = { WAYS_NONE, 0 },
				    .end = { WAYS_NONE, 0 },
				    .end_missing = 2,
				    .rooted = true };

	(void)state;
	assert_false(unwind_ways_ends_at_start(&group, &names));
	group.rooted = false;
	assert_false(unwind_ways_ends_at_start(&group, &names));
	assert_string_equal(way_names_dso(&names, 0), "prog");
	assert_string_equal(way_names_dso(&names, WAYS_NONE), "[unknown]");
}

/*
 * Does a chain end at a thread's start that ends in this library without names? `missing`: frames after that, found by call frame
 * information.
 */
static bool ends_at_start(const char *library, uint32_t missing)
{
	const struct symbolizer_options options = { .symfs = NULL };
	struct way_names names = { fixture.processes, symbolizer_create(&options) };
	const uint32_t dso = (uint32_t)process_table_dso_count(fixture.processes);
	const struct ways_group group = { .fault = CHAIN_ENDS,
					  .at = { dso, 0x10 },
					  .end = { dso, 0x10 },
					  .end_missing = missing,
					  .rooted = true };
	bool result;

	map(LIBRARY, library);
	assert_string_equal(way_names_dso(&names, dso), strrchr(library, '/') + 1);
	result = unwind_ways_ends_at_start(&group, &names);
	symbolizer_destroy(names.symbolizer);
	return result;
}

static void a_chain_lacks_start_up_code_alone_where_it_ends_in_a_c_library_or_dynamic_linker(void **state)
{
	(void)state;
	assert_true(ends_at_start("/nonexistent/libc.so.6", 2));
	assert_true(ends_at_start("/nonexistent/ld-linux-x86-64.so.2", 2));
	assert_true(
		ends_at_start("/nonexistent/ld-musl-x86_64.so.1", 1)); /* musl's C library is its linker */
	assert_false(ends_at_start("/nonexistent/libcrypto.so.3", 1));
}

static void start_up_code_is_two_frames_at_most(void **state)
{
	(void)state;
	assert_false(ends_at_start("/nonexistent/ld-musl-x86_64.so.1", 3));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_chain_that_xprof_kept_alone_agrees),
		TEST(a_chain_of_any_other_recorder_says_nothing),
		TEST(the_kernels_own_samples_are_no_loss),
		TEST(xprof_is_known_by_its_command_line),
		TEST(a_chain_that_ends_nowhere_does_not_end_at_the_start),
		TEST(a_chain_lacks_start_up_code_alone_where_it_ends_in_a_c_library_or_dynamic_linker),
		TEST(start_up_code_is_two_frames_at_most),
	};

	return cmocka_run_group_tests_name("report/diff/unwind_ways", tests, NULL, NULL);
}
