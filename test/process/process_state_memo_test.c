#include "process/process_state_memo.h"

#include <stdio.h>

#include "support/cmocka.h"
#include "support/state_record.h"

struct fixture {
	struct process_table *table;
	struct state_record record;
	struct process_state_memo memo;
};

static int setup(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .table = process_table_create() };
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	state_record_fini(&f->record);
	process_table_destroy(f->table);
	return 0;
}

static void apply(struct fixture *f, const struct event *event, uint64_t time_ns)
{
	struct error err;

	assert_int_equal(process_table_apply(f->table, event, time_ns, &err), 0);
}

static void map(struct fixture *f, uint32_t pid, uint64_t start, uint64_t inode, uint64_t time_ns)
{
	const struct mmap_of mmap = {
		.pid = pid, .start = start, .length = 0x1000, .path = "/lib/a.so", .inode = inode
	};

	apply(f, state_mmap2(&f->record, &mmap), time_ns);
}

static void assert_same(struct fixture *f, uint32_t pid, uint64_t time_ns)
{
	const struct process_state found = process_state_memo_find(&f->memo, f->table, pid, time_ns),
				   expected = process_table_state(f->table, pid, time_ns);

	if (!process_state_equal(&found, &expected))
		fail_msg("process %u at %llu", pid, (unsigned long long)time_ns);
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void a_state_that_holds_is_not_asked_for_again(void **state)
{
	struct fixture *f = *state;
	struct time_span span;

	map(f, 7, 0x1000, 1, 10);
	map(f, 7, 0x2000, 2, 20);
	assert_same(f, 7, 15);
	span = f->memo.entries[7].span;
	assert_int_equal(span.from_ns, 10);
	assert_int_equal(span.until_ns, 20);
	assert_same(f, 7, 19);
	assert_memory_equal(&span, &f->memo.entries[7].span, sizeof(span));
	assert_same(f, 7, 20);
	assert_int_equal(f->memo.entries[7].span.from_ns, 20);
}

static void a_record_that_is_applied_ends_what_is_known(void **state)
{
	struct fixture *f = *state;

	map(f, 7, 0x1000, 1, 10);
	assert_same(f, 7, 30);
	map(f, 7, 0x2000, 2, 20);
	assert_same(f, 7, 30);
	apply(f, state_fork(&f->record, 7, 7, 1, 1), 25);
	assert_same(f, 7, 30);
	assert_same(f, 7, 22);
}

static void compare_with_table(struct fixture *f, uint32_t pids)
{
	enum { ROUNDS = 4000, TIMES = 300 }; /* many changes at one time */
	struct mapping mapping;
	uint32_t seed = pids;

	for (int i = 0; i < ROUNDS; i++) {
		const uint32_t pid = 1 + next(&seed) % pids;
		const uint64_t time_ns = (uint64_t)(i * TIMES / ROUNDS) + next(&seed) % 20;

		if (next(&seed) % 4 == 0)
			map(f, pid, 0x1000 * (1 + next(&seed) % 8), next(&seed) % 5, time_ns);
		if (next(&seed) % 20 == 0)
			apply(f, state_fork(&f->record, pid, pid, 1 + next(&seed) % pids, 1), time_ns);
		if (next(&seed) % 50 == 0) /* builds an index over many changes */
			(void)process_table_find(f->table, pid, time_ns, ADDRESS_USER, 0x1000, &mapping);
		for (int asked = 0; asked < 8; asked++)
			assert_same(f, 1 + next(&seed) % pids, next(&seed) % (TIMES + 20));
	}
}

static void states_of_any_records_in_any_order_are_those_of_the_table(void **state)
{
	compare_with_table(*state, 3);
}

static void so_are_those_of_more_processes_than_are_remembered(void **state)
{
	compare_with_table(*state, PROCESS_STATE_MEMO_ENTRIES + 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_state_that_holds_is_not_asked_for_again, setup, teardown),
		cmocka_unit_test_setup_teardown(a_record_that_is_applied_ends_what_is_known, setup, teardown),
		cmocka_unit_test_setup_teardown(states_of_any_records_in_any_order_are_those_of_the_table,
						setup, teardown),
		cmocka_unit_test_setup_teardown(so_are_those_of_more_processes_than_are_remembered, setup,
						teardown),
	};

	return cmocka_run_group_tests_name("process/process_state_memo", tests, NULL, NULL);
}
