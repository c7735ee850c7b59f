#include "record/recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "format/perf_file.h"
#include "record/event/event_parser.h"
#include "support/cmocka.h"
#include "support/temp_tree.h"

/* Makes whole recordings with the real kernel, and reads them back. */

struct fixture {
	struct temp_tree tree;
	char path[128];
	struct event_specs specs;
	struct recording_plan plan;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	memset(&fixture, 0, sizeof(fixture));
	temp_tree_create(&fixture.tree);
	snprintf(fixture.path, sizeof(fixture.path), "%s/perf.data", fixture.tree.root);
	if (event_specs_parse(&fixture.specs, "cpu-clock:u", &event_sources_system, NULL) < 0)
		return -1;
	fixture.plan =
		(struct recording_plan){ .events = &fixture.specs,
					 .options = { .sampling = { .frequency = 2000 }, .ring_pages = 8 },
					 .output = fixture.path,
					 .version = "1.2.3" };
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	event_specs_fini(&fixture->specs);
	temp_tree_remove(&fixture->tree);
	return 0;
}

/* Records, and returns the workload's status. */
static int record_or_skip(struct fixture *fixture, char *const *workload, struct recording_summary *summary)
{
	struct error err = { 0 };
	struct recording *recording;
	struct strbuf notices;
	int status;

	fixture->plan.workload = workload;
	strbuf_init(&notices);
	recording = recording_open(&fixture->plan, &notices, &err);
	strbuf_fini(&notices);
	if (!recording &&
	    (err.errno_value == EACCES || err.errno_value == EPERM || strstr(err.message, "perf events")))
		skip();
	if (!recording || recording_run(recording, NULL, &err) < 0)
		fail_msg("%s", err.message);
	*summary = recording_summary(recording);
	assert_int_equal(recording_end_workload(recording, -1), WORKLOAD_ENDED);
	status = recording_workload_status(recording);
	recording_close(recording);
	return status;
}

struct record_counts {
	uint64_t samples, execs, exits, rounds;
};

static struct record_counts read_back(const struct fixture *fixture)
{
	struct record_counts counts = { 0 };
	struct perf_file *file = perf_file_open(fixture->path, NULL);
	struct event event;

	assert_non_null(file);
	assert_string_equal(perf_file_features(file)->perf_version, "1.2.3");
	assert_int_equal(perf_file_event_count(file), 1);
	assert_string_equal(perf_file_event(file, 0)->name, "cpu-clock:u");
	while (perf_file_next(file, &event, NULL) > 0) {
		counts.samples += event.type == PERF_RECORD_SAMPLE;
		counts.execs += event.type == PERF_RECORD_COMM && event.misc & RECORD_MISC_COMM_EXEC;
		counts.exits += event.type == PERF_RECORD_EXIT;
		counts.rounds += event.type == PERF_RECORD_FINISHED_ROUND;
	}
	assert_int_equal(perf_file_damage(file)->skipped_records, 0);
	perf_file_close(file);
	return counts;
}

static void a_workloads_file_has_its_exec_its_exit_and_every_sample_that_was_counted(void **state)
{
	char *const workload[] = { "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exit 3",
				   NULL };
	struct recording_summary summary;
	struct record_counts counts;

	assert_int_equal(record_or_skip(*state, workload, &summary), 3);
	counts = read_back(*state);
	assert_int_equal(counts.samples, summary.counts.taken.samples);
	assert_true(counts.samples > 5);
	assert_int_equal(counts.execs, 1);
	assert_int_equal(counts.exits, 1);
	assert_int_equal(counts.rounds, summary.counts.rounds);
	assert_true(summary.counts.taken.first_sample_ns < summary.counts.taken.last_sample_ns);
}

static void duration_ends_the_workload_without_blame(void **state)
{
	char *const workload[] = { "sleep", "60", NULL };
	struct recording_summary summary;

	((struct fixture *)*state)->plan.sampling.duration_ns = 50000000;
	assert_int_equal(record_or_skip(*state, workload, &summary), 0);
	assert_true(summary.elapsed_ns >= 50000000 && summary.elapsed_ns < 20000000000);
	read_back(*state);
}

static void a_program_that_cannot_be_run_leaves_an_older_file_alone(void **state)
{
	struct fixture *fixture = *state;
	char *const workload[] = { "/no/such/program", NULL };
	struct error err = { 0 };
	struct strbuf notices;
	char old[160];
	FILE *file;

	temp_tree_file(&fixture->tree, "perf.data", "older");
	fixture->plan.workload = workload;
	strbuf_init(&notices);
	assert_null(recording_open(&fixture->plan, &notices, &err));
	strbuf_fini(&notices);
	assert_string_equal(err.message, "cannot run /no/such/program: No such file or directory");
	snprintf(old, sizeof(old), "%s.old", fixture->path);
	assert_null(fopen(old, "r"));
	file = fopen(fixture->path, "r");
	assert_non_null(file);
	fclose(file);
}

int main(void)
{
#define RECORDING_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		RECORDING_TEST(a_workloads_file_has_its_exec_its_exit_and_every_sample_that_was_counted),
		RECORDING_TEST(duration_ends_the_workload_without_blame),
		RECORDING_TEST(a_program_that_cannot_be_run_leaves_an_older_file_alone),
	};

	return cmocka_run_group_tests_name("record/recording", tests, NULL, NULL);
}
