#include "record/process/comm_filter.h"

#include <string.h>

#include "support/cmocka.h"
#include "support/state_record.h"

static const struct perf_event_attr with_time = { .sample_type = PERF_SAMPLE_TIME };

struct fixture {
	struct comm_filter *filter;
	struct state_record record;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .filter = comm_filter_create("make,cc1", &with_time) };
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	comm_filter_destroy(fixture->filter);
	state_record_fini(&fixture->record);
	return 0;
}

static void name(struct fixture *fixture, uint32_t tid, const char *comm, uint64_t time_ns)
{
	comm_filter_apply(fixture->filter, state_comm(&fixture->record, tid, tid, comm, true), time_ns);
}

static void fork_at(struct fixture *fixture, uint32_t parent, uint32_t child, uint64_t time_ns)
{
	comm_filter_apply(fixture->filter, state_fork(&fixture->record, child, child, parent, parent),
			  time_ns);
}

static void exit_at(struct fixture *fixture, uint32_t tid, uint64_t time_ns)
{
	comm_filter_apply(fixture->filter, state_exit(&fixture->record, tid, tid), time_ns);
}

static void threads_are_chosen_by_name(void **state)
{
	struct fixture *fixture = *state;

	name(fixture, 1, "make", 0);
	name(fixture, 2, "cc1", 0);
	name(fixture, 3, "cc1plus", 0);
	assert_true(comm_filter_accepts(fixture->filter, 1, 100));
	assert_true(comm_filter_accepts(fixture->filter, 2, 100));
	assert_false(comm_filter_accepts(fixture->filter, 3, 100));
	assert_false(comm_filter_accepts(fixture->filter, 4, 100));
}

static void a_name_holds_from_its_time_on(void **state)
{
	struct fixture *fixture = *state;

	name(fixture, 1, "sh", 0);
	name(fixture, 1, "cat", 300); /* from another ring, so not in order of time */
	name(fixture, 1, "make", 200);
	assert_false(comm_filter_accepts(fixture->filter, 1, 199));
	assert_true(comm_filter_accepts(fixture->filter, 1, 200));
	assert_true(comm_filter_accepts(fixture->filter, 1, 299));
	assert_false(comm_filter_accepts(fixture->filter, 1, 300));
}

static void a_child_has_the_name_that_its_parent_had(void **state)
{
	struct fixture *fixture = *state;

	fork_at(fixture, 1, 2, 100);
	fork_at(fixture, 2, 3, 150);
	fork_at(fixture, 1, 4, 400);
	name(fixture, 1, "make", 50); /* noted after the forks */
	name(fixture, 1, "sh", 300);
	assert_true(comm_filter_accepts(fixture->filter, 2, 500));
	assert_true(comm_filter_accepts(fixture->filter, 3, 500));
	assert_false(comm_filter_accepts(fixture->filter, 4, 500));
}

static void what_is_known_outlives_rounds(void **state)
{
	struct fixture *fixture = *state;

	name(fixture, 1, "make", 50);
	fork_at(fixture, 1, 2, 100);
	for (int round = 0; round < 3; round++)
		comm_filter_end_round(fixture->filter);
	name(fixture, 1, "sh", 300);
	comm_filter_end_round(fixture->filter);
	assert_true(comm_filter_accepts(fixture->filter, 2, 400));
	assert_false(comm_filter_accepts(fixture->filter, 1, 400));
	/* Noted before a sample that arrives in the next round. */
	assert_true(comm_filter_accepts(fixture->filter, 1, 299));
	comm_filter_end_round(fixture->filter);
	assert_true(comm_filter_accepts(fixture->filter, 2, 400));
}

static void a_number_is_used_again_by_another_thread(void **state)
{
	struct fixture *fixture = *state;

	name(fixture, 1, "make", 0);
	name(fixture, 2, "sh", 0);
	exit_at(fixture, 2, 200);
	fork_at(fixture, 1, 2, 300);
	assert_false(comm_filter_accepts(fixture->filter, 2, 250));
	assert_true(comm_filter_accepts(fixture->filter, 2, 300));
}

static void threads_that_have_ended_are_forgotten(void **state)
{
	struct fixture *fixture = *state;
	uint64_t time_ns = 1;

	name(fixture, 1, "make", 0);
	for (uint32_t tid = 10; tid < 100000; tid++) {
		fork_at(fixture, 1, tid, time_ns++);
		name(fixture, tid, "cc1", time_ns++);
		exit_at(fixture, tid, time_ns++);
		if (tid % 100 == 0)
			comm_filter_end_round(fixture->filter);
	}
	assert_true(comm_filter_thread_count(fixture->filter) < 5000);
	assert_true(comm_filter_accepts(fixture->filter, 1, time_ns));
	assert_true(comm_filter_accepts(fixture->filter, 99999, time_ns - 2));
}

static void names_are_cut_as_the_kernel_cuts_them(void **state)
{
	struct comm_filter *filter = comm_filter_create("a_very_long_name_of_a_thread", &with_time);
	struct state_record record = { 0 };

	(void)state;
	comm_filter_apply(filter, state_comm(&record, 1, 1, "a_very_long_nam", false), 0);
	assert_true(comm_filter_accepts(filter, 1, 1));
	state_record_fini(&record);
	comm_filter_destroy(filter);
}

static void parents_in_a_circle_have_no_name(void **state)
{
	struct fixture *fixture = *state;

	fork_at(fixture, 1, 2, 100);
	fork_at(fixture, 2, 1, 100);
	assert_false(comm_filter_accepts(fixture->filter, 1, 200));
	comm_filter_end_round(fixture->filter);
	comm_filter_end_round(fixture->filter);
	assert_false(comm_filter_accepts(fixture->filter, 2, 200));
}

/* { u32 pid, tid; char comm[8]; u64 time; } after a header. */
static size_t put_comm(uint8_t *to, uint32_t tid, const char comm[static 8], uint64_t time_ns)
{
	const struct perf_event_header header = { .type = PERF_RECORD_COMM, .size = 32 };
	const uint32_t ids[2] = { tid, tid };

	memcpy(to, &header, 8);
	memcpy(to + 8, ids, 8);
	memcpy(to + 16, comm, 8);
	memcpy(to + 24, &time_ns, 8);
	return 32;
}

static void records_have_their_time_at_their_end(void **state)
{
	struct fixture *fixture = *state;
	const struct perf_event_header sample = { .type = PERF_RECORD_SAMPLE, .size = 8 };
	uint8_t records[80];
	size_t size = put_comm(records, 7, "sh\0\0\0\0\0", 100);

	memcpy(records + size, &sample, 8);
	size += 8;
	size += put_comm(records + size, 7, "make\0\0\0", 200);
	comm_filter_note(fixture->filter, records, size);
	assert_false(comm_filter_accepts(fixture->filter, 7, 150));
	assert_true(comm_filter_accepts(fixture->filter, 7, 250));
}

static void a_record_that_is_cut_off_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	uint8_t record[32];

	(void)put_comm(record, 7, "make\0\0\0", 200);
	comm_filter_note(fixture->filter, record, 31);
	assert_int_equal(comm_filter_thread_count(fixture->filter), 0);
}

#define FILTER_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILTER_TEST(threads_are_chosen_by_name),
		FILTER_TEST(a_name_holds_from_its_time_on),
		FILTER_TEST(a_child_has_the_name_that_its_parent_had),
		FILTER_TEST(what_is_known_outlives_rounds),
		FILTER_TEST(a_number_is_used_again_by_another_thread),
		FILTER_TEST(threads_that_have_ended_are_forgotten),
		cmocka_unit_test(names_are_cut_as_the_kernel_cuts_them),
		FILTER_TEST(parents_in_a_circle_have_no_name),
		FILTER_TEST(records_have_their_time_at_their_end),
		FILTER_TEST(a_record_that_is_cut_off_is_not_read),
	};

	return cmocka_run_group_tests_name("record/process/comm_filter", tests, NULL, NULL);
}
