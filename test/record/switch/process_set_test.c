#include "record/switch/process_set.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka.h"
#include "support/temp_tree.h"

static void note(struct process_set *set, uint32_t type, uint32_t pid)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
	} record = { .header = { .type = type, .size = sizeof(record) }, .pid = pid, .tid = pid };

	process_set_note(set, (const uint8_t *)&record, sizeof(record));
}

static void add_name(int pid, void *context)
{
	char *names = context;

	snprintf(names + strlen(names), 64 - strlen(names), " %d", pid);
}

static void live_in(const struct temp_tree *tree, int pid)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/comm", pid);
	temp_tree_file(tree, path, "live\n");
}

static void processes_that_live_are_visited_once(void **state)
{
	const struct temp_tree *tree = *state;
	struct process_set *set = process_set_create(tree->root);
	char names[64] = "";

	live_in(tree, 7);
	live_in(tree, 8);
	process_set_add(set, 7);
	note(set, PERF_RECORD_FORK, 8);
	note(set, PERF_RECORD_COMM, 8);
	note(set, PERF_RECORD_FORK, 9); /* has ended */
	note(set, PERF_RECORD_MMAP2, 7);
	note(set, PERF_RECORD_SAMPLE, 11);
	note(set, PERF_RECORD_MMAP, UINT32_MAX); /* the kernel */
	process_set_each(set, add_name, names);
	assert_string_equal(names, " 7 8");
	assert_int_equal(process_set_count(set), 2);
	process_set_destroy(set);
}

/* 2,500 forks a second for a minute, which is long enough: ended processes are dropped every half second. */
static void of_many_processes_that_end_some_thousand_are_kept(void **state)
{
	const struct temp_tree *tree = *state;
	struct process_set *set = process_set_create(tree->root);
	size_t most = 0;

	live_in(tree, 7);
	process_set_add(set, 7);
	for (uint32_t number = 0; number < 2500u * 60; number++) {
		note(set, PERF_RECORD_FORK, 100 + number % 4000000);
		if (process_set_count(set) > most)
			most = process_set_count(set);
	}
	assert_true(most <= 1025);
	assert_true(most > 1000);
	process_set_destroy(set);
}

static void a_record_that_is_cut_is_left_out(void **state)
{
	const struct temp_tree *tree = *state;
	struct process_set *set = process_set_create(tree->root);
	const struct perf_event_header header = { .type = PERF_RECORD_COMM, .size = 8 };

	process_set_note(set, (const uint8_t *)&header, sizeof(header));
	assert_int_equal(process_set_count(set), 0);
	process_set_destroy(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(processes_that_live_are_visited_once, temp_tree_set_up,
						temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(of_many_processes_that_end_some_thousand_are_kept,
						temp_tree_set_up, temp_tree_tear_down),
		cmocka_unit_test_setup_teardown(a_record_that_is_cut_is_left_out, temp_tree_set_up,
						temp_tree_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
