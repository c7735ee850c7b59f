#include "report/export/export_marks.h"

#include "support/cmocka.h"

enum { THREADS = 2 };

/* Two threads, 8 and 9 of process 7, with a sample each; marks are added by the test. */
struct fixture {
	struct profile *profile;
	struct sample_log *log;
	struct mark_log *marks;
	struct frame_table frames;
	struct selection selection;
	struct export_options options;
	struct export_input input;
	struct export_tracks tracks;
	struct export_marks sorted;
};

static int setup(void **state)
{
	static struct fixture f;
	uint32_t event;

	f = (struct fixture){ .profile = profile_create(),
			      .log = sample_log_create(NULL),
			      .marks = mark_log_create(NULL) };
	event = profile_event(f.profile, "cpu-clock", false, 1000);
	for (uint32_t i = 0; i < THREADS; i++) {
		const uint32_t comm = profile_string(f.profile, "worker");
		const struct profile_sample sample = { .event = event,
						       .thread = profile_thread(f.profile, 7, 8 + i, comm),
						       .cpu = i,
						       .stack = PROFILE_NONE,
						       .count = 1,
						       .weight = 10 };

		sample_log_add(f.log, 1000 + i, profile_add(f.profile, &sample), PROFILE_NONE, 10);
	}
	profile_finish(f.profile);
	frame_table_init(&f.frames, f.profile);
	f.selection = (struct selection){ .event = event };
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	export_marks_fini(&f->sorted);
	export_tracks_fini(&f->tracks);
	frame_table_fini(&f->frames);
	mark_log_destroy(f->marks);
	sample_log_destroy(f->log);
	profile_destroy(f->profile);
	return 0;
}

static void mark(struct fixture *f, enum mark_kind kind, uint32_t tid, uint64_t time_ns)
{
	mark_log_add(f->marks, &(struct mark){ .kind = kind,
					       .pid = 7,
					       .tid = tid,
					       .cpu = 1,
					       .begin_ns = time_ns,
					       .end_ns = time_ns,
					       .count = 1 });
}

static void sort(struct fixture *f, enum export_per per)
{
	assert_int_equal(sample_log_finish(f->log, NULL), 0);
	assert_int_equal(mark_log_finish(f->marks, NULL), 0);
	f->options.per = per;
	f->input = (struct export_input){
		.options = &f->options,
		.log = f->log,
		.marks = f->marks,
		.view = { .profile = f->profile, .frames = &f->frames, .selection = &f->selection },
	};
	export_tracks_init(&f->tracks, &f->input);
	export_marks_init(&f->sorted, &f->tracks);
}

static void a_thread_that_leaves_and_comes_back_makes_one_span(void **state)
{
	struct fixture *f = *state;

	/* The return comes first: it is from another CPU's ring. */
	mark(f, MARK_IN, 8, 900);
	mark(f, MARK_OUT, 8, 500);
	mark(f, MARK_OUT, 9, 600);
	sort(f, EXPORT_PER_DEFAULT);
	assert_int_equal(f->sorted.count, 2);
	assert_int_equal(f->sorted.first_ns, 500);
	assert_int_equal(f->sorted.items[0].begin_ns, 500);
	assert_int_equal(f->sorted.items[0].end_ns, 900);
	assert_false(f->sorted.items[0].is_open);
	assert_int_equal(export_marks_of(&f->sorted, 1), 1);
	assert_int_equal(f->sorted.items[1].begin_ns, 600);
	assert_true(f->sorted.items[1].is_open);
	assert_int_equal(f->sorted.items[1].end_ns, 600);
}

static void a_return_alone_says_nothing(void **state)
{
	struct fixture *f = *state;

	mark(f, MARK_IN, 8, 500);
	mark(f, MARK_OUT, 8, 600);
	mark(f, MARK_IN, 9, 700); /* of another thread */
	sort(f, EXPORT_PER_DEFAULT);
	assert_int_equal(f->sorted.count, 1);
	assert_true(f->sorted.items[0].is_open);
}

static void losses_of_a_thread_without_a_track_are_on_the_first(void **state)
{
	struct fixture *f = *state;

	mark(f, MARK_LOST, 9, 800);
	mark(f, MARK_LOST, 77, 900);
	mark(f, MARK_OUT, 77, 901);
	sort(f, EXPORT_PER_DEFAULT);
	assert_int_equal(f->sorted.count, 2);
	assert_int_equal(f->sorted.items[0].begin_ns, 900);
	assert_int_equal(f->sorted.items[0].track, 0);
	assert_int_equal(f->sorted.items[1].track, 1);
}

static void cpus_have_losses_and_no_switches(void **state)
{
	struct fixture *f = *state;

	mark(f, MARK_LOST, 8, 800);
	mark(f, MARK_OUT, 8, 801);
	sort(f, EXPORT_PER_CPU);
	assert_int_equal(f->sorted.count, 1);
	assert_int_equal(f->tracks.items[f->sorted.items[0].track].cpu, 1);
}

static void a_process_has_those_of_its_threads(void **state)
{
	struct fixture *f = *state;

	mark(f, MARK_OUT, 8, 500);
	mark(f, MARK_OUT, 9, 510);
	mark(f, MARK_IN, 9, 520);
	mark(f, MARK_IN, 8, 530);
	sort(f, EXPORT_PER_PROCESS);
	assert_int_equal(f->tracks.count, 1);
	assert_int_equal(f->sorted.count, 2);
	assert_int_equal(f->sorted.items[0].end_ns, 530);
	assert_int_equal(f->sorted.items[1].end_ns, 520);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_thread_that_leaves_and_comes_back_makes_one_span, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_return_alone_says_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(losses_of_a_thread_without_a_track_are_on_the_first, setup,
						teardown),
		cmocka_unit_test_setup_teardown(cpus_have_losses_and_no_switches, setup, teardown),
		cmocka_unit_test_setup_teardown(a_process_has_those_of_its_threads, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
